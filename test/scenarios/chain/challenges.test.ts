/**
 * Challenging blocks: reasons for a challenge, its effects on both accounts, rollback and replay.
 * The numbers are those of the reference's own scenarios (BlockChallengeTest.scala).
 */
import { describe, expect, test, vi } from "vitest";
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { Digest, KeyPair } from "../../../src/crypto/identities.ts";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import { Feature } from "../../../src/network/features.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { BlockchainSettings } from "../../../src/network/settings.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { challengedHeaderOf } from "../../../src/protocol/blocks/block-signature.ts";
import { buildMicroBlock } from "../../../src/protocol/blocks/liquid-block.ts";
import { encodeBlock, parseBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { rewardAfter } from "../../../src/rules/blocks/apply-block.ts";
import { BlockRun } from "../../../src/rules/blocks/block-run.ts";
import { encodeFlags } from "../../../src/rules/blocks/verified-signatures.ts";
import { generatingBalanceAt, headerAt } from "../../../src/rules/consensus/next-block.ts";
import { sortedRewardShares } from "../../../src/rules/consensus/reward-shares.ts";
import { stateTables } from "../../../src/tables/all-tables.ts";
import { challengeTable } from "../../../src/tables/challenges.ts";
import { BlockForger, wrongStateHash } from "../../../verification/chain-generator/block-forger.ts";
import { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { compiled, expensive } from "../../support/builders/dapps.ts";
import { type Follower, followerOf, receivedBlocks } from "../../support/builders/follower.ts";
import { networkOf } from "../../support/builders/next-block.ts";
import { signedBy } from "../../support/builders/signed-by.ts";
import { richKey, signedTransfer, walletKey } from "../../support/builders/signed-transfer.ts";

const blocks = new BlockForger(secureRandomBytes);
const waves = 100_000_000n;
const [challenger, challenged, better, recipient] = [walletKey(1), walletKey(2), walletKey(3), walletKey(4)];
const { chainId } = privateNetwork.blockchain;
const addressOf = ({ publicKey }: KeyPair) => addressOfPublicKey(publicKey, chainId);
const startMs = Number(privateNetwork.blockchain.genesis.blockTimestampMs);
/** All tables that follow from the blocks, and the undo journal. */
const tables = [...stateTables.map(({ name }) => name), "undo"];
const CHALLENGED_BALANCE = 40_000_000n * waves;
const CHALLENGER_BALANCE = 10_000_000n * waves;
/** Depth of the generating balance, blocks. */
const WINDOW = 50;

/** Three rich accounts, and generating balances over 50 blocks. */
function settings(features: Readonly<Record<number, number>> = {}, challengerBalance = CHALLENGER_BALANCE) {
  const network = networkOf(Feature.BoostBlockReward, [
    { key: challenger, amount: challengerBalance },
    { key: challenged, amount: CHALLENGED_BALANCE },
    { key: better, amount: CHALLENGER_BALANCE },
  ]);
  const preActivatedFeatures = new Map(network.functionality.preActivatedFeatures);
  for (const [feature, height] of Object.entries(features)) preActivatedFeatures.set(Number(feature), height);
  const generationBalanceDepthFrom50To1000AfterHeight = 1_000_000;
  const functionality = {
    ...network.functionality,
    preActivatedFeatures,
    generationBalanceDepthFrom50To1000AfterHeight,
  };
  return { ...network, functionality };
}

/** Node at height 3 whose account is the rich one, late enough for every account to be allowed to forge. */
function nodeAtThree(blockchain: BlockchainSettings = settings()): SimulatedNode {
  const node = new SimulatedNode({ blockchain, startMs });
  node.mineTo(3);
  node.nowMs = Number(headerAt(node.chain.view, 3).header.timestamp) + 1_000_000_000;
  return node;
}

const transfersAt = ({ chain }: SimulatedNode, ...keys: readonly KeyPair[]) =>
  keys.map((key, index) =>
    signedTransfer({ key, to: recipient, timestamp: chain.stored.tip().timestamp + BigInt(index), amount: 1n * waves }),
  );

function violationOf(run: () => unknown): RuleError["violation"] | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof RuleError) return error.violation;
    throw error;
  }
}

const generatingOf = ({ chain }: SimulatedNode, key: KeyPair) => generatingBalanceAt(chain.view, addressOf(key));
const effectiveOf = ({ chain: { view } }: SimulatedNode, key: KeyPair) =>
  view.minimumEffectiveBalance(addressOf(key), view.height, view.height);
const balanceOf = ({ chain }: SimulatedNode, key: KeyPair) => chain.view.balance(addressOf(key), null);

/** Share of the block reward of the tip's generator. */
function rewardOf({ chain: { view } }: SimulatedNode, key: KeyPair): bigint {
  const reward = view.blockReward(view.height) ?? 0n;
  const { functionality } = view.settings;
  const generator = addressOf(key);
  return sortedRewardShares({ height: view.height, reward, features: view, functionality, generator })
    .filter(({ address }) => String(address) === String(generator))
    .reduce((sum, { amount }) => sum + amount, 0n);
}

/** Appends a block of the rich account, without transactions. */
function appendOrdinary(node: SimulatedNode): void {
  node.append(blocks.valid(node.chain, { key: richKey }));
}

/** Wrong block of the challenged account, and a block that challenges it. */
function wrongAndChallenging(node: SimulatedNode, transactions: Block["transactions"] = []) {
  const original = blocks.wrong(node.chain, { key: challenged, transactions });
  return { original, challenging: blocks.challenging(node.chain, original, { key: challenger }) };
}

describe("a block that challenges another one", () => {
  test("is appended if the original block has a wrong state hash and no other violation (NODE-890, 892, 909)", () => {
    for (const keys of [[], [richKey, challenged]]) {
      const node = nodeAtThree();
      const { original, challenging } = wrongAndChallenging(node, transfersAt(node, ...keys));
      expect(violationOf(() => node.append(original))?.code).toBe("stateHashWrong");
      node.append(challenging);
      expect(node.chain.stored.findBlock(4)).toEqual(challenging);
      expect(node.chain.stored.tip().stateHash).toEqual(challenging.header.stateHash);
      for (const { id } of challenging.transactions)
        expect(node.chain.view.findTransaction(id)).toEqual({ height: 4, status: "succeeded" });
      appendOrdinary(node);
      expect(node.height).toBe(5);
    }
  });

  test("has its own right state hash, too (NODE-883)", () => {
    const node = nodeAtThree();
    const { original } = wrongAndChallenging(node, transfersAt(node, richKey, richKey));
    const before = node.database.dump(tables);
    for (const stateHash of [wrongStateHash, undefined]) {
      const wrong = blocks.challenging(node.chain, original, { key: challenger, stateHash });
      expect(violationOf(() => node.append(wrong))?.code).toBe("stateHashWrong");
    }
    expect(node.database.dump(tables)).toBe(before);
  });

  test("cannot challenge a block with the right state hash, as its replacement or before it (NODE-913)", () => {
    const node = nodeAtThree();
    const original = blocks.valid(node.chain, { key: challenged, transactions: transfersAt(node, richKey) });
    const challenging = blocks.challenging(node.chain, original, {
      key: challenger,
      timestamp: original.header.timestamp - 1n,
    });
    const violation = { code: "challengeInvalid", reason: "the state hash of the challenged block is right" };
    const before = node.database.dump(tables);
    expect(violationOf(() => node.append(challenging))).toEqual(violation);
    expect(node.database.dump(tables)).toBe(before);
    node.append(original);
    expect(violationOf(() => node.append(challenging))).toEqual(violation);
    expect(node.chain.stored.tip().id).toEqual(original.id);
  });

  test("cannot challenge a block that is refused for another reason than its state hash", () => {
    const node = nodeAtThree();
    const poor = signedTransfer({ key: walletKey(9), timestamp: node.chain.stored.tip().timestamp });
    const { challenging } = wrongAndChallenging(node, [poor]);
    expect(violationOf(() => node.append(challenging))).toMatchObject({ code: "challengeInvalid" });
    const early = blocks.wrong(node.chain, {
      key: challenged,
      timestamp: blocks.earliestTimestamp(node.chain.view, challenged) - 1n,
    });
    const ofEarly = blocks.challenging(node.chain, early, { key: challenger });
    expect(violationOf(() => node.append(ofEarly))).toMatchObject({
      code: "blockTimestampTooEarly",
      gotMs: early.header.timestamp,
    });
    expect(node.height).toBe(3);
  });

  test("challenges a block without a state hash, which is a wrong one", () => {
    const node = nodeAtThree();
    const original = blocks.wrong(node.chain, { key: challenged, stateHash: undefined });
    node.append(blocks.challenging(node.chain, original, { key: challenger }));
    expect(node.height).toBe(4);
  });

  test("challenges a block whose state hash is no hash", () => {
    for (const sizeBytes of [1, 31, 33, 64]) {
      const node = nodeAtThree();
      const stateHash = new Uint8Array(sizeBytes) as Digest;
      const original = blocks.wrong(node.chain, { key: challenged, stateHash });
      expect(violationOf(() => node.append(original))?.code).toBe("stateHashWrong");
      const challenging = blocks.challenging(node.chain, original, { key: challenger });
      node.append(parseBlock(encodeBlock(challenging, chainId), chainId));
      expect(node.chain.stored.findBlock(4)).toEqual(challenging);
    }
  });

  test("is refused before headers have state hashes (NODE-889), and accepted with the first of them (NODE-910)", () => {
    for (const activation of [5, 4]) {
      const node = nodeAtThree(settings({ [Feature.LightNode]: activation }));
      const { original, challenging } = wrongAndChallenging(node);
      const violation = violationOf(() => node.append(challenging));
      if (activation === 4) {
        expect(violation).toBeUndefined();
        expect(node.chain.stored.tip().id).toEqual(challenging.id);
      } else {
        const reason = "not supported yet at this height";
        expect(violation).toEqual({ code: "headerFieldInvalid", field: "stateHash", reason });
        const bare = blocks.challenging(node.chain, original, { key: challenger, stateHash: undefined });
        expect(violationOf(() => node.append(bare))).toEqual({
          code: "headerFieldInvalid",
          field: "challengedHeader",
          reason,
        });
      }
    }
  });

  test("has the transactions of the original, and no others (NODE-891)", () => {
    const node = nodeAtThree();
    const transactions = transfersAt(node, richKey, richKey);
    const original = blocks.wrong(node.chain, { key: challenged, transactions: transactions.slice(0, 1) });
    const longer = blocks.challenging(node.chain, original, { key: challenger, transactions });
    expect(violationOf(() => node.append(longer))?.code).toBe("blockSignatureInvalid");
    const right = blocks.challenging(node.chain, original, { key: challenger });
    expect(violationOf(() => node.append({ ...right, transactions }))?.code).toBe("transactionsRootWrong");
    node.append(right);
  });

  test("has the parent of the original: not an earlier one (NODE-893)", () => {
    const node = nodeAtThree();
    const grandparent = headerAt(node.chain.view, 2).id;
    const original = blocks.wrong(node.chain, { key: challenged });
    const onGrandparent = blocks.challenging(node.chain, original, { key: challenger, reference: grandparent });
    // The challenged generator has signed another reference.
    expect(violationOf(() => node.append(onGrandparent))).toBeDefined();
    const elsewhere = blocks.wrong(node.chain, { key: challenged, reference: grandparent });
    const both = blocks.challenging(node.chain, elsewhere, { key: challenger, reference: grandparent });
    expect(violationOf(() => node.append(both))?.code).toBe("competitorNotBetter");
    appendOrdinary(node);
    expect(violationOf(() => node.append(both))?.code).toBe("blockReferenceUnknown");
  });

  test("is not extended by micro-blocks, and the next key block may follow (NODE-891)", () => {
    const node = nodeAtThree();
    const transactions = transfersAt(node, richKey);
    node.append(wrongAndChallenging(node).challenging);
    const extension = { transactions, stateHash: wrongStateHash, finalizationVoting: undefined };
    const { privateKey } = challenger;
    const liquid = node.chain.liquid.block();
    const { microBlock } = buildMicroBlock({ liquid, extension, privateKey, chainId, random: secureRandomBytes });
    expect(violationOf(() => node.node.appendMicroBlock(microBlock))?.code).toBe("microBlockRefused");
    node.append(blocks.valid(node.chain, { key: richKey, transactions }));
    expect(node.height).toBe(5);
  });

  test("is of another generator than the original", () => {
    const node = nodeAtThree();
    const original = blocks.wrong(node.chain, { key: challenged });
    const own = blocks.challenging(node.chain, original, { key: challenged });
    expect(violationOf(() => node.append(own))).toEqual({
      code: "headerFieldInvalid",
      field: "challengedHeader",
      reason: "the generator challenges a block of its own",
    });
  });

  test("is signed by its generator, and its challenged header by the original one (NODE-920)", () => {
    const node = nodeAtThree();
    const { original, challenging } = wrongAndChallenging(node);
    const right = challengedHeaderOf(original);
    const wrongFields: readonly Partial<typeof right>[] = [
      { timestamp: right.timestamp + 1n },
      { baseTarget: right.baseTarget + 1n },
      { generationSignature: right.generationSignature.with(0, 1 ^ (right.generationSignature[0] as number)) },
      { featureVotes: [1] },
      { generator: walletKey(7).publicKey },
      { rewardVote: 700_000_000n },
      { stateHash: undefined },
      { headerSignature: challenging.signature },
    ];
    for (const wrong of wrongFields) {
      const challengedHeader = { ...right, ...wrong };
      // Signed again by the challenger: only the challenged account's signature is wrong.
      const { timestamp } = challenging.header;
      const forged = blocks.challenging(node.chain, original, { key: challenger, challengedHeader, timestamp });
      expect(violationOf(() => node.append(forged))?.code).toBe("blockSignatureInvalid");
    }
    const unsigned = { ...challenging, signature: original.signature };
    expect(violationOf(() => node.append(unsigned))?.code).toBe("blockSignatureInvalid");
    node.append(challenging);
  });

  test("cannot be challenged itself: its original would have no valid signature", () => {
    const node = nodeAtThree();
    const { original } = wrongAndChallenging(node);
    const wrong = blocks.challenging(node.chain, original, { key: challenger, stateHash: wrongStateHash });
    const again = blocks.challenging(node.chain, wrong, { key: better });
    expect(violationOf(() => node.append(again))?.code).toBe("blockSignatureInvalid");
  });

  test("comes from an account that may generate without the challenged account's balance", () => {
    const least = 1_000n * waves;
    for (const balance of [least, least - 1n]) {
      const node = nodeAtThree(settings({}, balance));
      const { challenging } = wrongAndChallenging(node);
      const violation = violationOf(() => node.append(challenging));
      if (balance === least) expect(violation).toBeUndefined();
      else expect(violation).toMatchObject({ code: "generatingBalanceTooLow", required: least, got: balance });
    }
  });

  test("is validated after the timestamps of both have come", () => {
    const node = nodeAtThree();
    const { original, challenging } = wrongAndChallenging(node);
    node.nowMs = Number(original.header.timestamp) - 100;
    expect(challenging.header.timestamp).toBeLessThan(original.header.timestamp);
    expect(violationOf(() => node.append(challenging))).toMatchObject({
      code: "blockFromFuture",
      gotMs: original.header.timestamp,
    });
    node.nowMs++;
    node.append(challenging);
  });
});

test("transactions that succeed in the original may fail in the challenging block, or be elided there (NODE-900)", () => {
  const node = nodeAtThree();
  const [dApp, caller] = [better, richKey];
  const isTheirs = `lastBlock.generatorPublicKey == base58'${encodeBase58(challenged.publicKey)}'`;
  const script = compiled(
    6,
    `@Callable(i)
     func cheap() = if (${isTheirs}) then [] else throw("no")
     @Callable(i)
     func costly() = if (${expensive(6)} || ${isTheirs}) then [] else throw("no")`,
  );
  const common = { chainId, feeAsset: null, proofs: [], timestamp: node.chain.stored.tip().timestamp } as const;
  const setScript = { ...common, type: TransactionType.SetScript, version: 2, fee: 10_000_000n, script } as const;
  node.append(
    blocks.valid(node.chain, {
      key: challenger,
      transactions: [signedBy(dApp, buildTransaction({ ...setScript, sender: dApp.publicKey }))],
    }),
  );
  const calls = ["cheap", "costly"].map((name) => {
    const call = { dApp: { kind: "address", address: addressOf(dApp) }, call: { function: name, args: [] } } as const;
    const fields = { ...common, type: TransactionType.InvokeScript, version: 2, fee: 900_000n, payments: [] } as const;
    return signedBy(caller, buildTransaction({ ...fields, ...call, sender: caller.publicKey }));
  });
  const statuses = () => calls.map(({ id }) => node.chain.view.findTransaction(id)?.status);
  const original = blocks.wrong(node.chain, { key: challenged, transactions: calls });
  const challenging = blocks.challenging(node.chain, original, { key: challenger });
  node.append(blocks.valid(node.chain, { key: challenged, transactions: calls }));
  expect(statuses()).toEqual(["succeeded", "succeeded"]);
  node.chain.forks.revertTo(4);
  const before = balanceOf(node, caller);
  node.append(challenging);
  expect(statuses()).toEqual(["elided", "failed"]);
  expect(balanceOf(node, caller)).toBe(before - 900_000n);
});

/**
 * Calls that cost next to nothing in the block of the challenged account. In any other block they use up their whole
 * limit, and no block accepts them.
 */
function endlessCalls({ chain }: SimulatedNode, count: number) {
  const isTheirs = `lastBlock.generator == Address(base58'${encodeBase58(addressOf(challenged))}')`;
  const script = compiled(
    6,
    `@Callable(i)
     func heavy() = if (${expensive(48)}) then throw("never") else []
     @Callable(i)
     func call() = if (${isTheirs}) then [] else {
       ${["a", "b", "c", "d", "e"].map((name) => `strict ${name} = invoke(this, "heavy", [], [])`).join("\n")}
       if (${expensive(50)}) then [] else []
     }`,
  );
  const common = { chainId, feeAsset: null, proofs: [], timestamp: chain.stored.tip().timestamp } as const;
  const ofScript = { ...common, type: TransactionType.SetScript, version: 2, fee: waves, script } as const;
  const transactions = [signedBy(richKey, buildTransaction({ ...ofScript, sender: richKey.publicKey }))];
  const called = {
    dApp: { kind: "address", address: addressOf(richKey) },
    call: { function: "call", args: [] },
  } as const;
  const ofCall = { ...common, type: TransactionType.InvokeScript, version: 2, fee: waves, payments: [] } as const;
  const calls = Array.from({ length: count }, (_, index) => {
    const fields = { ...ofCall, ...called, sender: richKey.publicKey, timestamp: common.timestamp + BigInt(index) };
    return signedBy(richKey, buildTransaction(fields));
  });
  return { calls, setScript: blocks.valid(chain, { key: challenger, transactions }) };
}

const blockOf = ({ chain }: SimulatedNode, height: number): Block => chain.stored.findBlock(height) as Block;

describe("the accounts of a challenge", () => {
  test("the challenger may forge as if it also had the challenged account's balance, at that height only (NODE-884, 885)", () => {
    const node = nodeAtThree();
    const { original, challenging } = wrongAndChallenging(node);
    const { view } = node.chain;
    const turn = blocks.earliestTimestamp(view, challenger, challenged.publicKey);
    expect(turn).toBeLessThan(blocks.earliestTimestamp(view, challenger));
    const early = blocks.challenging(node.chain, original, { key: challenger, timestamp: turn - 1n });
    expect(violationOf(() => node.append(early))).toEqual({
      code: "blockTimestampTooEarly",
      minimumMs: turn,
      gotMs: turn - 1n,
    });
    node.append(challenging);
    expect(generatingOf(node, challenger)).toBe(CHALLENGER_BALANCE);
    expect(effectiveOf(node, challenger)).toBe(CHALLENGER_BALANCE + rewardOf(node, challenger));
    expect(rewardOf(node, challenger)).toBeGreaterThan(0n);
  });

  test("the challenged account's balance does not count at that height, and its transactions have their effects (NODE-895)", () => {
    const node = nodeAtThree();
    const [transfer] = transfersAt(node, challenged) as [ReturnType<typeof signedTransfer>];
    node.append(wrongAndChallenging(node, [transfer]).challenging);
    expect(effectiveOf(node, challenged)).toBe(0n);
    appendOrdinary(node);
    expect(effectiveOf(node, challenged)).toBe(CHALLENGED_BALANCE - 1n * waves - transfer.fee);
    expect(balanceOf(node, challenged)).toBe(CHALLENGED_BALANCE - 1n * waves - transfer.fee);
  });

  test("the reward and the fees go to the challenger, and the challenged account loses nothing (NODE-898)", () => {
    const node = nodeAtThree();
    const [earlier, ...ofBlock] = transfersAt(node, richKey, richKey, richKey) as ReturnType<typeof signedTransfer>[];
    node.append(blocks.valid(node.chain, { key: richKey, transactions: [earlier as NonNullable<typeof earlier>] }));
    node.append(wrongAndChallenging(node, ofBlock).challenging);
    const fees = 60_000n + 2n * 40_000n;
    expect(balanceOf(node, challenger)).toBe(CHALLENGER_BALANCE + rewardOf(node, challenger) + fees);
    expect(balanceOf(node, challenged)).toBe(CHALLENGED_BALANCE);
  });

  test("the generating balance of the challenged account is 0 for exactly the depth of its window (NODE-1176)", () => {
    const node = nodeAtThree();
    expect(generatingOf(node, challenged)).toBe(CHALLENGED_BALANCE);
    node.append(wrongAndChallenging(node).challenging);
    for (let block = 1; block <= WINDOW; block++) {
      expect(generatingOf(node, challenged)).toBe(0n);
      if (block === 1 || block === WINDOW) {
        const refused = blocks.wrong(node.chain, { key: challenged, timestamp: BigInt(node.nowMs) });
        expect(violationOf(() => node.append(refused))).toMatchObject({ code: "generatingBalanceTooLow", got: 0n });
      }
      appendOrdinary(node);
    }
    expect(generatingOf(node, challenged)).toBe(CHALLENGED_BALANCE);
    node.append(blocks.valid(node.chain, { key: challenged }));
    expect(node.height).toBe(4 + WINDOW + 1);
  });

  test("an account without generating balance can be challenged no more", () => {
    const node = nodeAtThree();
    node.append(wrongAndChallenging(node).challenging);
    const original = blocks.wrong(node.chain, { key: challenged, timestamp: BigInt(node.nowMs) });
    const again = blocks.challenging(node.chain, original, { key: better });
    expect(violationOf(() => node.append(again))).toMatchObject({ code: "generatingBalanceTooLow", got: 0n });
  });
});

describe("a competitor with the same parent", () => {
  test("replaces the liquid block if it is earlier, challenging or not (NODE-934)", () => {
    const node = nodeAtThree();
    const { chain } = node;
    const transactions = transfersAt(node, richKey);
    const wrongAt = (timestamp: bigint) => blocks.wrong(chain, { key: challenged, transactions, timestamp });
    const last = [richKey, challenged, challenger, better]
      .map((key) => blocks.earliestTimestamp(chain.view, key))
      .reduce((a, b) => (a > b ? a : b));
    const original = wrongAt(last + 10n);
    const worse = blocks.challenging(chain, original, { key: challenger, timestamp: last + 3n });
    const bettered = blocks.challenging(chain, original, { key: better, timestamp: last + 2n });
    const current = blocks.valid(chain, { key: richKey, transactions, timestamp: last + 4n });
    const best = blocks.valid(chain, { key: richKey, transactions, timestamp: last + 1n });
    node.append(current);
    const inOrder = [worse, bettered, best];
    let before = current;
    for (const block of inOrder) {
      node.append(block);
      expect(chain.stored.findBlock(4)).toEqual(block);
      expect(violationOf(() => node.append(before))?.code).toBe("competitorNotBetter");
      expect(node.height).toBe(4);
      const rows = node.node.store.query(challengeTable, "ORDER BY height");
      expect(rows).toEqual(block === best ? [] : [{ address: addressOf(challenged), height: 4 }]);
      before = block;
    }
    expect(generatingOf(node, challenged)).toBe(CHALLENGED_BALANCE);
  });

  test("replaces a key block with a micro-block, whose next one has the wrong state hash", () => {
    const node = nodeAtThree();
    const { chain } = node;
    const timestamp = BigInt(node.nowMs) - 1_000n;
    const keyBlock = blocks.valid(chain, { key: challenged, timestamp });
    const transactions = transfersAt(node, richKey, better);
    const original = blocks.wrong(chain, { key: challenged, timestamp, transactions });
    const challenging = blocks.challenging(chain, original, { key: challenger });
    node.append(keyBlock);
    const seen = transactions.slice(0, 1);
    const { run } = chain.liquid.openMicroBlock({ verifySignatures: true });
    for (const transaction of seen) run.add(transaction);
    const extension = { transactions: seen, stateHash: run.stateHash, finalizationVoting: undefined };
    const { privateKey } = challenged;
    const liquid = chain.liquid.block();
    node.node.appendMicroBlock(
      buildMicroBlock({ liquid, extension, privateKey, chainId, random: secureRandomBytes }).microBlock,
    );
    expect(chain.stored.tip().transactionCount).toBe(1);
    node.append(challenging);
    expect(chain.stored.findBlock(4)).toEqual(challenging);
    expect(generatingOf(node, challenged)).toBe(0n);
    expect(node.pool.size).toBe(0);
  });
});

describe("a chain with a challenge", () => {
  /** Blocks up to height 8, of which the fourth and the sixth challenge others. */
  function challengedTwice(): SimulatedNode {
    const node = nodeAtThree();
    node.append(wrongAndChallenging(node, transfersAt(node, richKey, challenged)).challenging);
    appendOrdinary(node);
    const ofBetter = blocks.wrong(node.chain, { key: better });
    node.append(blocks.challenging(node.chain, ofBetter, { key: challenger }));
    appendOrdinary(node);
    appendOrdinary(node);
    return node;
  }
  const blocksOf = ({ chain }: SimulatedNode, from: number) =>
    Array.from({ length: chain.view.height - from + 1 }, (_, index) => chain.stored.findBlock(from + index) as Block);
  const heightsOf = (node: SimulatedNode, key: KeyPair) =>
    Array.from({ length: node.height }, (_, index) => index + 1).filter((height) =>
      node.chain.view.isChallenged(addressOf(key), height, height),
    );

  test("is rolled back to any height as it was there, and replayed (NODE-911)", () => {
    const whole = challengedTwice();
    const blocks = blocksOf(whole, 2);
    const node = new SimulatedNode({ blockchain: settings(), startMs: whole.nowMs });
    const dumps = new Map<number, string>();
    const known = () => [generatingOf(node, challenged), generatingOf(node, better), effectiveOf(node, challenged)];
    const balances = new Map<number, readonly bigint[]>();
    for (const block of blocks) {
      dumps.set(node.height, node.database.dump(tables));
      balances.set(node.height, known());
      node.append(block);
    }
    const last = node.database.dump(tables);
    for (let height = 7; height >= 2; height--) {
      node.chain.forks.revertTo(height);
      expect(node.database.dump(tables)).toBe(dumps.get(height));
      expect(known()).toEqual(balances.get(height));
      for (const block of blocks.slice(height - 1)) node.append(block);
      expect(node.database.dump(tables)).toBe(last);
    }
    expect([heightsOf(node, challenged), heightsOf(node, better), heightsOf(node, challenger)]).toEqual([[4], [6], []]);
  });

  test("is rolled back below feature 22, and replayed with its challenge (NODE-911)", () => {
    const activation = 8;
    const node = nodeAtThree(settings({ [Feature.LightNode]: activation }));
    const before = node.database.dump(tables);
    const isActive = () => node.chain.view.isActive(Feature.LightNode, node.height + 1);
    /**
     * The first block that has a state hash is challenged, and elides the transactions that its generator cannot pay
     * for.
     */
    const go = () => {
      while (node.height < activation - 1) {
        expect(isActive()).toBe(false);
        node.append(blocks.valid(node.chain, { key: richKey, stateHash: undefined }));
      }
      expect(isActive()).toBe(true);
      const { timestamp } = node.chain.stored.tip();
      const elided = signedTransfer({ key: challenged, to: recipient, timestamp, amount: CHALLENGED_BALANCE });
      const { original, challenging } = wrongAndChallenging(node, [elided]);
      expect(violationOf(() => node.append(original))?.code).toBe("stateHashWrong");
      node.append(challenging);
      expect(node.chain.view.findTransaction(elided.id)).toEqual({ height: activation, status: "elided" });
      expect(heightsOf(node, challenged)).toEqual([activation]);
      expect(generatingOf(node, challenged)).toBe(0n);
      expect(challenging.header.stateHash).toBeDefined();
      return challenging.header.stateHash;
    };
    const stateHash = go();
    node.chain.forks.revertTo(3);
    expect(node.database.dump(tables)).toBe(before);
    expect(heightsOf(node, challenged)).toEqual([]);
    expect(generatingOf(node, challenged)).toBe(CHALLENGED_BALANCE);
    expect(go()).toEqual(stateHash);
  });

  test("is read again after a restart", () => {
    const whole = challengedTwice();
    const again = new SimulatedNode({ blockchain: settings(), startMs: whole.nowMs, database: whole.database });
    expect(heightsOf(again, challenged)).toEqual([4]);
    expect(generatingOf(again, challenged)).toBe(0n);
    expect(generatingOf(again, better)).toBe(0n);
    appendOrdinary(again);
    expect(again.height).toBe(9);
  });

  test("is accepted as a branch that weighs more (NODE-912)", () => {
    const whole = challengedTwice();
    const rival = new SimulatedNode({ blockchain: settings(), startMs: whole.nowMs });
    for (const block of blocksOf(whole, 2).slice(0, 2)) rival.append(block);
    appendOrdinary(rival);
    rival.node.appendBranch(blocksOf(whole, 4));
    expect(rival.chain.stored.tip()).toEqual(whole.chain.stored.tip());
    expect(heightsOf(rival, challenged)).toEqual([4]);
  });

  test("leaves the same tables whether its blocks are written one by one or in a batch, as from a file", () => {
    const whole = challengedTwice();
    const dumpOf = (append: (node: SimulatedNode, block: Block) => void, isBatch: boolean) => {
      const node = new SimulatedNode({ blockchain: settings(), startMs: whole.nowMs });
      const appendAll = () => {
        for (const block of blocksOf(whole, 2)) append(node, block);
      };
      if (isBatch) node.chain.forks.inBatch(appendAll);
      else appendAll();
      // Without the time of arrival of each.
      return node.database.dump(tables);
    };
    const context = { nowMs: whole.nowMs, verifySignatures: true };
    const append = ({ chain }: SimulatedNode, block: Block) => chain.forks.appendBlock(block, context);
    expect(dumpOf(append, true)).toBe(dumpOf(append, false));
  });
});

describe("a peer that sends a challenging block", () => {
  /** Node at height 3, as peers see it. */
  function asPeersSee(): Follower {
    return followerOf(nodeAtThree());
  }
  /** The second transfer spends the reward of its generator. */
  function withElided({ node }: Follower): {
    readonly challenging: Block;
    readonly elided: Block["transactions"][number];
  } {
    const [first] = transfersAt(node, richKey);
    const reward = rewardAfter(node.chain.view) ?? 0n;
    const timestamp = node.chain.stored.tip().timestamp;
    const elided = signedTransfer({
      key: challenged,
      to: recipient,
      timestamp,
      amount: CHALLENGED_BALANCE + reward / 10n,
    });
    const { challenging } = wrongAndChallenging(node, [first as typeof elided, elided]);
    return { challenging, elided };
  }

  test.each([
    ["by itself", "block"],
    ["in an extension", "extension"],
  ])("%s is accepted, although signatures were verified before", async (_, send) => {
    for (const isVerified of [false, true]) {
      const peer = asPeersSee();
      const { challenging, elided } = withElided(peer);
      const verified = isVerified ? encodeFlags([true, true, true]) : "";
      const blocks = receivedBlocks([encodeBlock(challenging, chainId)], verified);
      const verdict =
        send === "block"
          ? await peer.calls.applyBlock(blocks)
          : await peer.calls.applyExtension({ ...blocks, name: "x", isLast: true });
      expect(verdict).toMatchObject({ kind: "applied" });
      const { view } = peer.node.chain;
      expect(view.findTransaction(elided.id)).toEqual({ height: 4, status: "elided" });
      expect(balanceOf(peer.node, challenged)).toBe(CHALLENGED_BALANCE);
      expect(await peer.calls.findBlock(challenging.id)).toEqual(encodeBlock(challenging, chainId));
    }
  });

  test.each([
    ["by itself", "block"],
    ["in an extension", "extension"],
  ])("%s is validated in slices if the transactions that it elides are expensive", async (_, send) => {
    const [made, node, other] = [nodeAtThree(), nodeAtThree(), nodeAtThree()];
    const { calls, setScript } = endlessCalls(made, 10);
    made.append(setScript);
    const { challenging } = wrongAndChallenging(made, calls);
    for (const each of [node, other]) for (const height of [2, 3, 4]) each.append(blockOf(made, height));
    other.append(challenging);
    // Two calls, and the rest of a third one.
    const peer = followerOf(node, 110_000);
    const sent = receivedBlocks([encodeBlock(challenging, chainId)]);
    const executions = vi.spyOn(BlockRun.prototype, "execute");
    const results: unknown[] = [];
    const [waiting] = transfersAt(node, richKey) as [ReturnType<typeof signedTransfer>];
    for (let call = 0; results.at(-1) === undefined || results.at(-1) === "unfinished"; call++) {
      results.push(
        send === "block"
          ? await peer.calls.applyBlock(sent)
          : await peer.calls.applyExtension({ ...sent, name: "x", isLast: true }),
      );
      // Between two slices the node serves other requests.
      if (call === 0) node.broadcast(waiting);
    }
    // No call runs more often than needed: once in the challenged block, once in the challenging one.
    expect(executions.mock.calls.filter(([{ id }]) => id !== waiting.id)).toHaveLength(2 * calls.length);
    executions.mockRestore();
    expect(results).toEqual([
      ...Array.from({ length: 3 }, () => "unfinished"),
      expect.objectContaining({ kind: "applied" }),
    ]);
    expect(node.pool.size).toBe(1);
    expect(calls.map(({ id }) => node.chain.view.findTransaction(id)?.status)).toEqual(calls.map(() => "elided"));
    const ofBlocks = stateTables.map(({ name }) => name).filter((name) => name !== "micro_block");
    expect(node.database.dump(ofBlocks)).toBe(other.database.dump(ofBlocks));
  });

  test("that is refused in the end leaves the same state as after one call", async () => {
    const node = nodeAtThree();
    const { calls, setScript } = endlessCalls(node, 5);
    node.append(setScript);
    const original = blocks.wrong(node.chain, { key: challenged, transactions: calls });
    const wrong = blocks.challenging(node.chain, original, { key: challenger, stateHash: wrongStateHash });
    const before = node.database.dump(tables);
    const { calls: peerCalls } = followerOf(node, 110_000);
    const apply = () => peerCalls.applyBlock(receivedBlocks([encodeBlock(wrong, chainId)]));
    expect(await apply()).toBe("unfinished");
    expect(node.database.dump(tables)).toBe(before);
    const refused = { kind: "refused", reason: expect.stringContaining("State hash is"), isInvalid: true };
    expect(await apply()).toEqual(refused);
    expect(node.database.dump(tables)).toBe(before);
  });

  test("without reason is not blacklisted for relaying it, but for having it in an extension", async () => {
    const peer = asPeersSee();
    const { chain } = peer.node;
    const original = blocks.valid(chain, { key: challenged });
    const bytes = encodeBlock(blocks.challenging(chain, original, { key: challenger }), chainId);
    const refused = { kind: "refused", reason: expect.stringContaining("Invalid block challenge") };
    expect(await peer.calls.applyBlock(receivedBlocks([bytes]))).toEqual({ ...refused, isInvalid: false });
    const extension = await peer.calls.applyExtension({ ...receivedBlocks([bytes]), name: "x", isLast: true });
    expect(extension).toMatchObject({ ...refused, isInvalid: true });
  });

  test("with a wrong state hash of its own is blacklisted", async () => {
    const peer = asPeersSee();
    const { chain } = peer.node;
    const original = blocks.wrong(chain, { key: challenged });
    const wrong = blocks.challenging(chain, original, { key: challenger, stateHash: wrongStateHash });
    const verdict = await peer.calls.applyBlock(receivedBlocks([encodeBlock(wrong, chainId)]));
    expect(verdict).toEqual({ kind: "refused", reason: expect.stringContaining("State hash is"), isInvalid: true });
  });
});
