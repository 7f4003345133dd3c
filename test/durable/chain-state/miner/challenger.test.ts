/**
 * Responses to blocks and micro-blocks with a wrong state hash: the challenging account, its block's content, and the
 * transactions afterwards. The numbers are those of the reference's own scenarios (BlockChallengeTest.scala).
 */
import { describe, expect, test, vi } from "vitest";
import { WHOLE_BLOCK } from "../../../../durable/chain-state/chain/committer.ts";
import { WorkSlice } from "../../../../durable/chain-state/chain/work-slice.ts";
import type { ReadModelSink } from "../../../../durable/chain-state/publish/read-model-sink.ts";
import { pollUntilDone } from "../../../../durable/peer-hub/sync/poll-until-done.ts";
import { addressOfPublicKey, addressText } from "../../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import type { Digest, KeyPair } from "../../../../src/crypto/identities.ts";
import { secureRandomBytes } from "../../../../src/crypto/random.ts";
import { Feature } from "../../../../src/network/features.ts";
import { privateNetwork } from "../../../../src/network/networks/private.ts";
import type { BlockchainSettings } from "../../../../src/network/settings.ts";
import type { Block, MicroBlock } from "../../../../src/protocol/blocks/block.ts";
import { buildMicroBlock } from "../../../../src/protocol/blocks/liquid-block.ts";
import { encodeBlock } from "../../../../src/protocol/blocks/parse-block.ts";
import { messageTable } from "../../../../src/protocol/messages/message-table.ts";
import { encodeMicroBlock } from "../../../../src/protocol/messages/micro-block.ts";
import { buildTransaction } from "../../../../src/protocol/transactions/build-transaction.ts";
import type { Script, Transaction, TransactionStatus } from "../../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import type { ChainEvents } from "../../../../src/rpc/chain-for-peers.ts";
import { generatingBalanceAt, headerAt } from "../../../../src/rules/consensus/next-block.ts";
import { stateTables } from "../../../../src/tables/all-tables.ts";
import {
  BlockForger,
  type BlockOptions,
  wrongStateHash,
} from "../../../../verification/chain-generator/block-forger.ts";
import type { SimulatedNode, SimulationOptions } from "../../../../verification/simulation/simulated-node.ts";
import { callable, compiled, expensive } from "../../../support/builders/dapps.ts";
import {
  type Follower,
  follower,
  followerOf,
  listener,
  receivedBlocks,
  synchronize,
} from "../../../support/builders/follower.ts";
import { blockAt } from "../../../support/builders/forked-nodes.ts";
import { networkOf } from "../../../support/builders/next-block.ts";
import { sample, to } from "../../../support/builders/sample-transactions.ts";
import { signedAs, signedBy } from "../../../support/builders/signed-by.ts";
import { richKey, signedTransfer, walletKey } from "../../../support/builders/signed-transfer.ts";
import { dAppOf } from "../../../support/builders/test-scripts.ts";

const blocks = new BlockForger(secureRandomBytes);
const { chainId } = privateNetwork.blockchain;
const waves = 100_000_000n;
const fee = 100_000n;
const tables = stateTables.map(({ name }) => name);
const startMs = Number(privateNetwork.blockchain.genesis.blockTimestampMs);
const challenged = walletKey(5);
const rival = walletKey(6);
const [user, friend] = [walletKey(7), walletKey(8)];
const CHALLENGED_BALANCE = 60_000_000n * waves;
const RIVAL_BALANCE = 20_000_000n * waves;
const addressOf = ({ publicKey }: KeyPair) => addressOfPublicKey(publicKey, chainId);

/** Generating balances look back 50 blocks. @param balances of the node's accounts besides its first one */
function networkWith(
  balances: readonly { readonly key: KeyPair; readonly amount: bigint }[] = [],
  features: Readonly<Record<number, number>> = {},
): BlockchainSettings {
  const network = networkOf(Feature.BoostBlockReward, [
    { key: challenged, amount: CHALLENGED_BALANCE },
    { key: rival, amount: RIVAL_BALANCE },
    ...balances,
  ]);
  const { functionality } = network;
  const preActivatedFeatures = new Map(functionality.preActivatedFeatures);
  for (const [feature, height] of Object.entries(features)) preActivatedFeatures.set(Number(feature), height);
  return {
    ...network,
    functionality: { ...functionality, preActivatedFeatures, generationBalanceDepthFrom50To1000AfterHeight: 1_000_000 },
  };
}

/** Moves the clock until every account may forge. */
function letTimePass(node: SimulatedNode): void {
  node.nowMs = Number(node.chain.stored.tip().timestamp) + 1_000_000_000;
}

/** Puts blocks on the node's tip until the condition holds, which depends on random hits. */
function mineUntil({ node, notifications }: Challenging, isSo: () => boolean): void {
  for (let tries = 0; !isSo(); tries++) {
    if (tries === 50) throw new Error("luck does not have it so");
    node.mineTo(node.height + 1);
    letTimePass(node);
  }
  notifications.length = 0;
}

interface Challenging extends Follower {
  readonly notifications: ChainEvents[];
}

/** Node at height 3, late enough for every account to be allowed to forge, and its notifications to peers. */
function nodeAtThree(blockchain = networkWith(), options: Partial<SimulationOptions> = {}): Challenging {
  const peers = listener();
  const own = follower({ blockchain, startMs, peers, ...options });
  own.node.mineTo(3);
  letTimePass(own.node);
  peers.notifications.length = 0;
  return { ...own, notifications: peers.notifications };
}

/** Block of the challenged account with a wrong state hash, as late as possible. */
function wrongBlock({ node }: Follower, fields: Partial<BlockOptions> = {}): Block {
  return blocks.wrong(node.chain, { key: challenged, timestamp: BigInt(node.nowMs), ...fields });
}

/** Micro-block of the challenged account on the node's tip. @param stateHash by default the right one */
function microBlockOn({ node }: Follower, transactions: readonly Transaction[], stateHash?: Digest): MicroBlock {
  const { liquid } = node.chain;
  const { run } = liquid.openMicroBlock({ verifySignatures: true });
  for (const transaction of transactions) run.add(transaction);
  const extension = { transactions, stateHash: stateHash ?? run.stateHash, finalizationVoting: undefined };
  const { privateKey } = challenged;
  return buildMicroBlock({ liquid: liquid.block(), extension, privateKey, chainId, random: secureRandomBytes })
    .microBlock;
}

/** Result of `make` while the tip's parent is the tip. */
function onParent<T>({ node }: Follower, make: () => T): T {
  return node.chain.committer.whileRolledBack({ height: node.height - 1, step: WHOLE_BLOCK }, make);
}
const parentOf = ({ node }: Follower) => headerAt(node.chain.view, node.height - 1).header;

/** Earliest timestamp at which an account may challenge the block. */
const challengeTimestamp = ({ node }: Follower, key: KeyPair, { header }: Block): bigint =>
  blocks.earliestTimestamp(node.chain.view, key, header.generator);

/** Block with which the node challenges the wrong one. */
async function challengeOf(own: Follower, wrong: Block): Promise<Block> {
  await sent(own, wrong);
  const tip = tipOf(own);
  if (tip.header.challengedHeader === undefined) throw new Error("nothing was challenged");
  return tip;
}

const sent = ({ calls }: Follower, block: Block) =>
  pollUntilDone(() => calls.applyBlock(receivedBlocks([encodeBlock(block, chainId)])));
const tipOf = ({ node }: Follower): Block => blockAt(node, node.height);
const transferBy = ({ node }: Follower, key: KeyPair, amount: bigint, to = friend) =>
  signedTransfer({ key, to, amount, timestamp: node.chain.stored.tip().timestamp });
const statusesOf = ({ node }: Follower, transactions: readonly Transaction[]): (TransactionStatus | undefined)[] =>
  transactions.map(({ id }) => node.chain.view.findTransaction(id)?.status);
const refused = { kind: "refused", isInvalid: true, reason: expect.stringContaining("State hash is") };

describe("a block with a wrong state hash", () => {
  test("is challenged, and its sender blacklisted (NODE-909)", async () => {
    const own = nodeAtThree();
    const wrong = wrongBlock(own);
    expect(await sent(own, wrong)).toEqual(refused);
    expect(own.node.height).toBe(4);
    expect(tipOf(own).header).toMatchObject({
      generator: richKey.publicKey,
      challengedHeader: { headerSignature: wrong.signature },
    });
  });

  test("is replaced by one with its own generator's consensus data (NODE-885)", async () => {
    const own = nodeAtThree();
    const { view } = own.node.chain;
    const bonus = generatingBalanceAt(view, addressOf(challenged));
    const alone = blocks.earliestTimestamp(view, richKey);
    const wrong = wrongBlock(own);
    await sent(own, wrong);
    const { header } = tipOf(own);
    expect(bonus).toBe(CHALLENGED_BALANCE);
    expect(header.generator).toEqual(richKey.publicKey);
    // Earlier than its own time would have been, since the other account's balance counts with its own.
    expect(header.timestamp).toBeLessThanOrEqual(alone);
    expect(header.timestamp).toBeLessThan(wrong.header.timestamp);
    expect(header.generationSignature).not.toEqual(wrong.header.generationSignature);
    expect(header.baseTarget).not.toBe(wrong.header.baseTarget);
  });

  test("is completely kept as the challenged header of the other one (NODE-888)", async () => {
    const own = nodeAtThree();
    const wrong = wrongBlock(own, { featureVotes: [2, 9], rewardVote: 700_000_000n });
    await sent(own, wrong);
    const { timestamp, baseTarget, generationSignature, featureVotes, generator } = wrong.header;
    expect(tipOf(own).header.challengedHeader).toEqual({
      ...{ timestamp, baseTarget, generationSignature, featureVotes, generator },
      ...{ rewardVote: 700_000_000n, stateHash: wrongStateHash, finalizationVoting: undefined },
      headerSignature: wrong.signature,
    });
  });

  test("keeps its transactions and its parent in the other one, whose votes are this node's (NODE-890, NODE-892)", async () => {
    const own = nodeAtThree();
    const transactions = [transferBy(own, richKey, 1n), transferBy(own, richKey, 2n)];
    const wrong = wrongBlock(own, { transactions });
    await sent(own, wrong);
    const tip = tipOf(own);
    expect(tip.transactions).toEqual(transactions);
    expect(tip.header.reference).toEqual(wrong.header.reference);
    expect(tip.header.transactionsRoot).toEqual(wrong.header.transactionsRoot);
    expect(tip.header.rewardVote).toBe(privateNetwork.node.desiredReward);
    expect(statusesOf(own, transactions)).toEqual(["succeeded", "succeeded"]);
  });

  test("without any state hash is challenged, too", async () => {
    const own = nodeAtThree();
    await sent(own, wrongBlock(own, { stateHash: undefined }));
    expect(tipOf(own).header.challengedHeader).toMatchObject({ stateHash: undefined, generator: challenged.publicKey });
  });

  test("with an invalid state hash is challenged, too", async () => {
    const own = nodeAtThree();
    const stateHash = new Uint8Array(5) as Digest;
    expect(await sent(own, wrongBlock(own, { stateHash }))).toEqual(refused);
    expect(tipOf(own).header.challengedHeader).toMatchObject({ stateHash, generator: challenged.publicKey });
  });

  test("is challenged at the first height at which headers have one (NODE-910)", async () => {
    const own = nodeAtThree(networkWith([], { [Feature.LightNode]: 4 }));
    expect(own.node.chain.view.has(Feature.LightNode)).toBe(false);
    await sent(own, wrongBlock(own));
    expect(tipOf(own).header.challengedHeader?.generator).toEqual(challenged.publicKey);
  });

  test("is relayed as the block of this node that replaces it", async () => {
    const own = nodeAtThree();
    await sent(own, wrongBlock(own, { transactions: [transferBy(own, richKey, 1n)] }));
    expect(own.notifications).toEqual([{ block: encodeBlock(tipOf(own), chainId), tip: own.node.node.chainTip() }]);
  });

  test("is challenged in place of a later block of another node, which is dropped for it", async () => {
    const own = nodeAtThree();
    own.node.mineTo(4);
    const late = tipOf(own);
    const timestamp = parentOf(own).timestamp + 500_000_000n;
    expect(timestamp).toBeLessThan(late.header.timestamp);
    const wrong = onParent(own, () => wrongBlock(own, { timestamp }));
    expect(await sent(own, wrong)).toEqual(refused);
    expect(tipOf(own).header.challengedHeader?.headerSignature).toEqual(wrong.signature);
    expect(own.node.height).toBe(4);
  });

  test("is challenged on an earlier form of the liquid block, whose last transactions wait again", async () => {
    const own = nodeAtThree();
    const transaction = transferBy(own, richKey, 1n);
    const tipMs = Number(own.node.chain.stored.tip().timestamp);
    own.node.broadcast(transaction);
    expect(own.node.miner.makeMicroBlock(tipMs)?.transactions).toEqual([transaction]);
    const wrong = own.node.chain.liquid.withLiquidForm(0, () => wrongBlock(own));
    expect(await sent(own, wrong)).toEqual(refused);
    const tip = tipOf(own);
    expect(own.node.height).toBe(4);
    expect(tip.header.reference).toEqual(wrong.header.reference);
    expect(own.node.pool.has(transaction.id)).toBe(true);
  });

  test("is challenged once: a later block of its generator does not replace the challenge", async () => {
    const own = nodeAtThree();
    const wrong = wrongBlock(own);
    const others = [1n, 2n].map((earlierMs) => wrongBlock(own, { timestamp: wrong.header.timestamp - earlierMs }));
    await sent(own, wrong);
    const tip = tipOf(own);
    for (const other of others) expect(await sent(own, other)).toMatchObject({ kind: "refused", isInvalid: false });
    expect(tipOf(own)).toEqual(tip);
  });
});

describe("the account that challenges", () => {
  const poor = walletKey(1);
  const [second, third] = [walletKey(2), walletKey(3)];
  const accounts = [
    { key: poor, amount: 999n * waves },
    { key: second, amount: 3_000_000n * waves },
    { key: third, amount: 3_000_000n * waves },
  ];

  const fourAccounts = { ...privateNetwork.node, walletAccounts: 4 };

  test("is the earliest of those that may generate (NODE-886, NODE-887)", async () => {
    const seen = new Set<string>();
    const own = nodeAtThree(networkWith(accounts), { node: fourAccounts });
    for (let height = 4; height < 16; height++) {
      const wrong = wrongBlock(own, { key: height % 2 === 0 ? challenged : rival });
      const candidates = [richKey, second, third].map(({ publicKey, privateKey }) => ({
        generator: publicKey,
        timestamp: challengeTimestamp(own, { publicKey, privateKey }, wrong),
      }));
      const [first] = candidates.sort((left, right) => Number(left.timestamp - right.timestamp));
      const { generator, timestamp } = (await challengeOf(own, wrong)).header;
      expect({ generator, timestamp }).toEqual(first);
      seen.add(String(generator));
      // Without the challenge, so that all have their balances again.
      await own.node.node.revert(height - 1);
      own.node.mineTo(height);
      letTimePass(own.node);
    }
    expect(seen.size).toBeGreaterThan(1);
  });

  test("needs the minimum generating balance of its own, whatever the challenged one has", async () => {
    const rich = {
      key: rival,
      amount: privateNetwork.blockchain.genesis.initialBalance - CHALLENGED_BALANCE - 999n * waves,
    };
    const network = networkOf(Feature.BoostBlockReward, [
      { key: challenged, amount: CHALLENGED_BALANCE },
      { key: poor, amount: 999n * waves },
      rich,
    ]);
    const own = follower({ blockchain: network, node: fourAccounts, startMs });
    const { view } = own.node.chain;
    own.node.nowMs = Number(headerAt(view, 1).header.timestamp) + 1_000_000_000;
    expect(await sent(own, wrongBlock(own))).toEqual(refused);
    expect(own.node.height).toBe(1);
  });

  test("is never the account that signed the block", async () => {
    const own = nodeAtThree();
    const wrong = wrongBlock(own, { key: richKey });
    expect(await sent(own, wrong)).toEqual(refused);
    expect(own.node.height).toBe(3);
    const two = nodeAtThree(networkWith(accounts), { node: fourAccounts });
    await sent(two, wrongBlock(two, { key: richKey }));
    expect([second.publicKey, third.publicKey]).toContainEqual(tipOf(two).header.generator);
  });
});

describe("a block with a wrong state hash is refused alone", () => {
  const expectUnchanged = async (own: Challenging, run: () => Promise<unknown>) => {
    const { tipId } = own.node.node.chainTip();
    expect(await run()).toEqual(refused);
    expect(own.node.node.chainTip().tipId).toEqual(tipId);
    expect(own.notifications).toEqual([]);
  };

  test("if no account of this node may forge before its time, even at the same time", async () => {
    const own = nodeAtThree();
    const turnOfChallenge = () => challengeTimestamp(own, richKey, wrongBlock(own));
    mineUntil(own, () => turnOfChallenge() >= blocks.earliestTimestamp(own.node.chain.view, challenged));
    const timestamp = turnOfChallenge();
    await expectUnchanged(own, () => sent(own, wrongBlock(own, { timestamp })));
    await sent(own, wrongBlock(own, { timestamp: timestamp + 1n }));
    expect(tipOf(own).header.timestamp).toBe(timestamp);
  });

  test("if the challenge would be longer than any message of a block", async () => {
    const { maxBytes } = messageTable.block;
    for (const [room, isChallenged] of [
      [100, false],
      [1_000, true],
    ] as const) {
      const own = nodeAtThree();
      const unfilled = encodeBlock(wrongBlock(own), chainId).length;
      const stateHash = new Uint8Array(maxBytes - unfilled - room).fill(1) as Uint8Array as Digest;
      await sent(own, wrongBlock(own, { stateHash }));
      expect(tipOf(own).header.challengedHeader !== undefined).toBe(isChallenged);
      expect(encodeBlock(tipOf(own), chainId).length).toBeLessThanOrEqual(maxBytes);
    }
  });

  test("if the node makes no blocks", async () => {
    const own = nodeAtThree();
    own.node.node.mine(false);
    await expectUnchanged(own, () => sent(own, wrongBlock(own)));
  });

  test("if it came in response to a request", async () => {
    const own = nodeAtThree();
    const block = wrongBlock(own);
    const part = { ...receivedBlocks([encodeBlock(block, chainId)]), name: "1", isLast: true };
    expect(await own.calls.applyExtension(part)).toEqual({ ...refused, blockId: block.id });
    expect(own.node.height).toBe(3);
  });

  test("if it challenges another one itself", async () => {
    const [own, other] = [nodeAtThree(), nodeAtThree()];
    other.node.append(blockAt(own.node, 2));
    const challenging = await challengeOf(own, wrongBlock(own));
    await own.node.node.revert(3);
    own.notifications.length = 0;
    const header = { ...challenging.header, stateHash: wrongStateHash };
    const wrong = blocks.valid(own.node.chain, { ...header, key: richKey });
    await expectUnchanged(own, () => sent(own, wrong));
  });
});

describe("a micro-block with a wrong state hash", () => {
  /** Block of the challenged account on the node's tip, with one valid micro-block. */
  function liquidBlock(own: Challenging, ...transactions: readonly Transaction[]) {
    return liquidBlockWith(own, wrongStateHash, transactions);
  }

  function liquidBlockWith(own: Challenging, stateHash: Digest, transactions: readonly Transaction[]) {
    const { chain } = own.node;
    const timestamp = BigInt(own.node.nowMs);
    own.node.append(blocks.valid(own.node.chain, { key: challenged, timestamp }));
    const first = microBlockOn(own, transactions.slice(0, 1));
    own.node.node.appendMicroBlock(first);
    const wrong = microBlockOn(own, transactions.slice(1), stateHash);
    own.notifications.length = 0;
    return { base: blockAt(own.node, chain.view.height), first, wrong };
  }

  const sentMicro = ({ calls }: Follower, microBlock: MicroBlock) =>
    calls.applyMicroBlock(encodeMicroBlock(microBlock));

  test("has its whole block challenged: all its content and the micro-block's", async () => {
    const own = nodeAtThree();
    const transactions = [transferBy(own, richKey, 1n), transferBy(own, richKey, 2n)];
    const { base, wrong } = liquidBlock(own, ...transactions);
    expect(await sentMicro(own, wrong)).toEqual(refused);
    const tip = tipOf(own);
    expect(tip.transactions).toEqual(transactions);
    expect(tip.header).toMatchObject({
      reference: base.header.reference,
      generator: richKey.publicKey,
      challengedHeader: {
        ...{ timestamp: base.header.timestamp, generator: challenged.publicKey, stateHash: wrongStateHash },
        headerSignature: wrong.totalBlockSignature,
      },
    });
    expect(statusesOf(own, transactions)).toEqual(["succeeded", "succeeded"]);
    expect(own.notifications).toEqual([{ block: encodeBlock(tip, chainId), tip: own.node.node.chainTip() }]);
  });

  test("is challenged, too, if its state hash is invalid", async () => {
    const own = nodeAtThree();
    const stateHash = new Uint8Array(33) as Digest;
    const { wrong } = liquidBlockWith(own, stateHash, [transferBy(own, richKey, 1n), transferBy(own, richKey, 2n)]);
    expect(await sentMicro(own, wrong)).toEqual(refused);
    expect(tipOf(own).header.challengedHeader).toMatchObject({ stateHash, generator: challenged.publicKey });
  });

  test("is the last one of its block: if that cannot be challenged it is dropped, and extended no more (NODE-894)", async () => {
    const own = nodeAtThree();
    const { tipId } = own.node.node.chainTip();
    const transactions = [transferBy(own, richKey, 1n), transferBy(own, richKey, 2n), transferBy(own, richKey, 3n)];
    const { wrong, first } = liquidBlock(own, ...transactions.slice(0, 2));
    const onWrong = { ...first, reference: wrong.totalBlockId };
    const onRight = microBlockOn(own, transactions.slice(2));
    for (const { address } of own.node.wallet.accounts()) own.node.wallet.delete(address);
    expect(await sentMicro(own, wrong)).toEqual(refused);
    expect(own.node.node.chainTip().tipId).toEqual(tipId);
    expect(own.notifications).toEqual([{ tip: own.node.node.chainTip() }]);
    expect(own.node.pool.has((transactions[0] as Transaction).id)).toBe(true);
    for (const next of [onWrong, onRight]) expect(await sentMicro(own, next)).toMatchObject({ kind: "refused" });
    expect(own.node.node.chainTip().tipId).toEqual(tipId);
  });

  test("ends its block, too, if the challenge is refused: by then its time is in the future", async () => {
    const own = nodeAtThree();
    const { tipId } = own.node.node.chainTip();
    const { wrong } = liquidBlock(own, transferBy(own, richKey, 1n), transferBy(own, richKey, 2n));
    own.node.nowMs -= 1_000;
    expect(await sentMicro(own, wrong)).toEqual(refused);
    expect(own.node.node.chainTip().tipId).toEqual(tipId);
    expect(own.notifications).toEqual([{ tip: own.node.node.chainTip() }]);
  });

  test("leaves its block if the node makes no blocks", async () => {
    const own = nodeAtThree();
    const { wrong } = liquidBlock(own, transferBy(own, richKey, 1n), transferBy(own, richKey, 2n));
    const { tipId } = own.node.node.chainTip();
    own.node.node.mine(false);
    expect(await sentMicro(own, wrong)).toEqual(refused);
    expect(own.node.node.chainTip().tipId).toEqual(tipId);
  });
});

describe("the transactions of a challenged block", () => {
  const hasSomething = `wavesBalance(addressFromPublicKey(base58'${encodeBase58(user.publicKey)}')).regular > 0`;
  /** Next to nothing as long as the user has a balance, and 47,000 of complexity otherwise. */
  const wasteful = dAppOf(`@Callable(i)
func call() = if (${hasSomething}) then [] else if (${expensive(256)}) then [] else []`);
  /**
   * Next to nothing as long as the user has a balance. Otherwise it uses up its limit before it ends, and no block
   * accepts it.
   */
  const endless = dAppOf(`@Callable(i)
func heavy() = if (${expensive(48)}) then throw("never") else []
@Callable(i)
func call() = if (${hasSomething}) then [] else {
${["a", "b", "c", "d", "e"].map((name) => `strict ${name} = invoke(this, "heavy", [], [])`).join("\n")}
if (${expensive(50)}) then [] else []
}`);

  /** Calls of a script that an account of the node sets. */
  function callsOf(own: Challenging, script: Script, calls: number): readonly Transaction[] {
    const timestamp = own.node.chain.stored.tip().timestamp;
    const common = { chainId, sender: richKey.publicKey, feeAsset: null, timestamp, proofs: [] } as const;
    const setScript = { ...common, type: TransactionType.SetScript, version: 2, fee: waves, script } as const;
    own.node.append(
      blocks.valid(own.node.chain, {
        key: richKey,
        transactions: [signedBy(richKey, buildTransaction(setScript))],
      }),
    );
    letTimePass(own.node);
    return Array.from({ length: calls }, (_, index) =>
      signedBy(
        richKey,
        buildTransaction({
          ...common,
          ...{ type: TransactionType.InvokeScript, version: 2, timestamp: timestamp + BigInt(index), fee: waves },
          ...{
            dApp: { kind: "address", address: addressOf(richKey) },
            call: { function: "call", args: [] },
            payments: [],
          },
        }),
      ),
    );
  }

  /** @returns statuses of the calls after the transaction that the challenged account cannot pay for */
  async function statusesOfCalls(script: Script, calls: number): Promise<ReadonlySet<TransactionStatus | undefined>> {
    const own = nodeAtThree();
    const transactions = callsOf(own, script, calls);
    const all = transferBy(own, challenged, CHALLENGED_BALANCE, user);
    expect(await sent(own, wrongBlock(own, { transactions: [all, ...transactions] }))).toEqual(refused);
    return new Set(statusesOf(own, transactions));
  }

  test("are elided if the block has no room for their cost there, and a challenge that costs too much is not made", async () => {
    expect(await statusesOfCalls(wasteful, 60)).toEqual(new Set(["succeeded", "elided"]));
    expect(await statusesOfCalls(wasteful, 150)).toEqual(new Set([undefined]));
  });

  test("count there with their spent complexity, whatever they are elided for", async () => {
    expect(await statusesOfCalls(endless, 60)).toEqual(new Set(["elided"]));
    expect(await statusesOfCalls(endless, 90)).toEqual(new Set([undefined]));
  });

  describe("that in total take longer than a call may", () => {
    const CALLS = 6;
    /** More than one of them takes, and less than two. */
    const PORTION = 3_000;
    const script = dAppOf(`@Callable(i)\nfunc call() = if (${expensive(10)}) then [] else []`);

    test("are run in slices for the challenge, too", async () => {
      const own = nodeAtThree();
      const transactions = callsOf(own, script, CALLS);
      const wrong = receivedBlocks([encodeBlock(wrongBlock(own, { transactions }), chainId)]);
      const { calls } = followerOf(own.node, PORTION);
      const spend = vi.spyOn(WorkSlice.prototype, "spend");
      const spent: number[] = [];
      let result: unknown;
      do {
        spend.mockClear();
        result = await calls.applyBlock(wrong);
        spent.push(spend.mock.calls.reduce((sum, [complexity]) => sum + complexity, 0));
      } while (result === "unfinished");
      spend.mockRestore();
      expect(result).toEqual(refused);
      expect(tipOf(own).header.challengedHeader?.generator).toEqual(challenged.publicKey);
      expect(statusesOf(own, transactions)).toEqual(Array(CALLS).fill("succeeded"));
      expect(Math.max(...spent)).toBeLessThan(2 * PORTION);
      // Each is run once for the block and once for its challenge.
      expect(spent.reduce((sum, one) => sum + one)).toBeLessThan(2 * CALLS * PORTION);
    });

    test("finish if calls for two such blocks alternate", async () => {
      const own = nodeAtThree();
      const transactions = callsOf(own, script, CALLS);
      const { calls } = followerOf(own.node, PORTION);
      const wrong = [0, 1].map((earlier) => {
        const block = wrongBlock(own, { transactions, timestamp: BigInt(own.node.nowMs - earlier) });
        return receivedBlocks([encodeBlock(block, chainId)]);
      });
      for (let rounds = 0; wrong.length > 0; rounds++) {
        expect(rounds).toBeLessThan(100);
        for (const one of [...wrong]) {
          const result = await calls.applyBlock(one);
          if (result === "unfinished") continue;
          expect(result).toMatchObject({ kind: "refused" });
          wrong.splice(wrong.indexOf(one), 1);
        }
      }
    });
  });

  test("that spend its generator's gains are elided, and those that depend on them (NODE-899, NODE-901)", async () => {
    const own = nodeAtThree();
    // With the reward of its block, which it does not get, the challenged account could pay this.
    const all = transferBy(own, challenged, CHALLENGED_BALANCE, user);
    const spent = transferBy(own, user, 10n * waves);
    const paid = transferBy(own, richKey, 1n);
    await sent(own, wrongBlock(own, { transactions: [all, spent, paid] }));
    expect(statusesOf(own, [all, spent, paid])).toEqual(["elided", "elided", "succeeded"]);
    const { view, stored } = own.node.chain;
    expect([challenged, user, friend].map((key) => view.balance(addressOf(key), null))).toEqual([
      CHALLENGED_BALANCE,
      0n,
      1n,
    ]);
    expect(stored.tip()).toMatchObject({ totalFee: fee, carryFee: (fee / 5n) * 3n, transactionCount: 3 });
  });

  test("can end otherwise in the challenge, in which scripts see another generator (NODE-900)", async () => {
    const [dApp, other] = [walletKey(9), walletKey(10)];
    const own = nodeAtThree(networkWith([dApp, other, user].map((key) => ({ key, amount: 10n * waves }))));
    const { view, stored } = own.node.chain;
    const scriptOf = (comparison: "==" | "!=") =>
      compiled(
        6,
        callable(
          `if (lastBlock.generator ${comparison} Address(base58'${addressText(addressOf(challenged))}')) ` +
            'then [StringEntry("k", "v")] else throw("fail")',
          `strict a = ${expensive(10)}`,
        ),
      );
    const timestamp = stored.tip().timestamp;
    const scripts = [
      signedAs(dApp, sample(TransactionType.SetScript, { timestamp, script: scriptOf("=="), fee: waves })),
      signedAs(other, sample(TransactionType.SetScript, { timestamp, script: scriptOf("!="), fee: waves })),
    ];
    own.node.append(blocks.valid(own.node.chain, { key: richKey, transactions: scripts }));
    letTimePass(own.node);
    const calls = [dApp, other].map((called) => {
      const fields = { timestamp: stored.tip().timestamp, dApp: to(addressOf(called)), fee: 500_000n };
      return signedAs(user, sample(TransactionType.InvokeScript, { ...fields, call: { function: "call", args: [] } }));
    });
    const { run } = blocks.opened(own.node.chain, { key: challenged, transactions: calls });
    expect(run.included.map(({ status }) => status)).toEqual(["succeeded", "failed"]);
    const before = view.balance(addressOf(user), null);
    await challengeOf(own, wrongBlock(own, { transactions: calls }));
    expect(statusesOf(own, calls)).toEqual(["failed", "succeeded"]);
    expect([dApp, other].map((key) => view.findData(addressOf(key), "k") !== undefined)).toEqual([false, true]);
    expect(view.balance(addressOf(user), null)).toBe(before - 1_000_000n);
  });

  test("keep their ids reserved forever when elided (NODE-902)", async () => {
    const own = nodeAtThree();
    const all = transferBy(own, challenged, CHALLENGED_BALANCE, user);
    await sent(own, wrongBlock(own, { transactions: [all] }));
    const again = () => own.node.broadcast(all);
    expect(again).toThrow("alreadyInState");
    own.node.nowMs = Number(own.node.chain.stored.tip().timestamp);
    own.node.mineTo(5);
    expect(again).toThrow("alreadyInState");
  });

  test("leave the pool with the challenge, and are unconfirmed until readers see it there (NODE-1173, NODE-919)", async () => {
    const gate = { isOpen: true, open: () => {} };
    const readModel: ReadModelSink = {
      batch: async (statements) => {
        if (!gate.isOpen) await new Promise<void>((resolve) => Object.assign(gate, { open: resolve }));
        return statements.map(() => []);
      },
    };
    const own = nodeAtThree(networkWith(), { readModel });
    const transactions = [transferBy(own, richKey, 1n), transferBy(own, richKey, 2n)];
    own.node.broadcast(transactions[0] as Transaction);
    await own.node.node.drain();
    gate.isOpen = false;
    const { poolCalls } = own.node.node;
    const ids = transactions.map(({ id }) => id as Uint8Array);
    expect(await poolCalls.areUnconfirmed(ids)).toEqual([true, false]);
    await sent(own, wrongBlock(own, { transactions }));
    expect(own.node.pool.size).toBe(0);
    expect(await poolCalls.areUnconfirmed(ids)).toEqual([true, true]);
    gate.isOpen = true;
    gate.open();
    await own.node.node.drain();
    expect(await poolCalls.areUnconfirmed(ids)).toEqual([false, false]);
  });

  test("return to the priority pool once a better block replaces the challenge (NODE-1177)", async () => {
    const own = nodeAtThree();
    const { view } = own.node.chain;
    mineUntil(own, () => blocks.earliestTimestamp(view, rival) < challengeTimestamp(own, richKey, wrongBlock(own)));
    const better = blocks.valid(own.node.chain, { key: rival });
    const all = transferBy(own, challenged, CHALLENGED_BALANCE, user);
    const transactions = [transferBy(own, richKey, 1n), all, transferBy(own, richKey, 2n)];
    const wrong = wrongBlock(own, { transactions });
    await sent(own, wrong);
    expect(own.node.pool.size).toBe(0);
    expect(better.header.timestamp).toBeLessThan(tipOf(own).header.timestamp);
    expect((await sent(own, better)).kind).toBe("applied");
    expect(tipOf(own).id).toEqual(better.id);
    expect([...own.node.pool.ids()]).toEqual(transactions.map(({ id }) => id));
  });
});

test("another node accepts the challenge, as its replacement or with the blocks after it", async () => {
  const own = nodeAtThree();
  const [beside, later] = [nodeAtThree(), nodeAtThree()];
  for (const other of [beside, later]) for (const height of [2, 3]) other.node.append(blockAt(own.node, height));
  const all = transferBy(own, challenged, CHALLENGED_BALANCE, user);
  const transactions = [all, transferBy(own, richKey, 1n)];
  const challenging = await challengeOf(own, wrongBlock(own, { transactions }));
  expect((await sent(beside, challenging)).kind).toBe("applied");
  // It has run the challenger's transactions once.
  expect(beside.node.database.dump(tables)).toBe(own.node.database.dump(tables));
  own.node.mineTo(6);
  expect((await synchronize(later, own.calls))?.kind).toBe("applied");
  for (const other of [beside, later]) {
    expect(blockAt(other.node, 4)).toEqual(challenging);
    expect(statusesOf(other, [all])).toEqual(["elided"]);
    expect(generatingBalanceAt(other.node.chain.view, addressOf(challenged))).toBe(0n);
  }
});
