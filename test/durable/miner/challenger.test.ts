/**
 * Answers to blocks and micro-blocks whose state hash is wrong: which account challenges, what its block has, what becomes of the
 * transactions. The numbers are those of the reference's own scenarios (BlockChallengeTest.scala).
 */
import { describe, expect, test } from "vitest";
import type { ChainNews } from "../../../durable/peers/chain-for-peers.ts";
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import { equalBytes } from "../../../src/crypto/bytes.ts";
import type { Digest, KeyPair } from "../../../src/crypto/identities.ts";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import { Feature } from "../../../src/network/features.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { BlockchainSettings } from "../../../src/network/settings.ts";
import type { Block, MicroBlock } from "../../../src/protocol/blocks/block.ts";
import { buildMicroBlock } from "../../../src/protocol/blocks/liquid-block.ts";
import { encodeBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { encodeMicroBlock } from "../../../src/protocol/messages/micro-block.ts";
import type { Transaction, TransactionStatus } from "../../../src/protocol/transactions/transaction.ts";
import { generatingBalanceAt, headerAt } from "../../../src/rules/consensus/next-block.ts";
import { blockAfter, networkOf, once, turnOf } from "../../rules/blocks/next-block.ts";
import { blockAt } from "../chain/forked-nodes.ts";
import { type Follower, follower, listener, offered, synchronize } from "../peer-calls/follower.ts";
import { richKey, signedTransfer, walletKey } from "../pool/signed-transfer.ts";

const { chainId } = privateNetwork.blockchain;
const waves = 100_000_000n;
const fee = 100_000n;
const startMs = Number(privateNetwork.blockchain.genesis.blockTimestampMs);
const wrongStateHash = new Uint8Array(32).fill(1) as Digest;
const challenged = walletKey(5);
const rival = walletKey(6);
const [user, friend] = [walletKey(7), walletKey(8)];
const CHALLENGED_BALANCE = 1_000_000n * waves;
const addressOf = ({ publicKey }: KeyPair) => addressOfPublicKey(publicKey, chainId);

/** Generating balances look back 50 blocks. @param balances of accounts of the node beside its first one */
function networkWith(
  balances: readonly { readonly key: KeyPair; readonly amount: bigint }[] = [],
  features: Readonly<Record<number, number>> = {},
): BlockchainSettings {
  const network = networkOf(Feature.BoostBlockReward, [
    { key: challenged, amount: CHALLENGED_BALANCE },
    { key: rival, amount: CHALLENGED_BALANCE },
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

interface Challenging extends Follower {
  readonly heard: ChainNews[];
}

/** A node at height 3, so late that every account has had its turn, and what it tells others. */
function nodeAtThree(blockchain = networkWith(), walletAccounts = 1): Challenging {
  const peers = listener();
  const own = follower({ blockchain, node: { ...privateNetwork.node, walletAccounts }, startMs, peers });
  own.node.mineTo(3);
  own.node.nowMs = Number(headerAt(own.node.chain.view, 3).header.timestamp) + 1_000_000_000;
  peers.heard.length = 0;
  return { ...own, heard: peers.heard };
}

/** A block of the challenged account with a wrong state hash, as late as may be. */
function wrongBlock({ node }: Follower, fields: Parameters<typeof blockAfter>[1] = {}): Block {
  const timestamp = BigInt(node.nowMs);
  return blockAfter(node.chain.view, { key: challenged, timestamp, stateHash: wrongStateHash, ...fields });
}

const sent = ({ calls }: Follower, block: Block) => calls.applyBlock(offered([encodeBlock(block, chainId)]));
const tipOf = ({ node }: Follower): Block => blockAt(node, node.height);
const transferBy = ({ node }: Follower, key: KeyPair, amount: bigint, to = friend) =>
  signedTransfer({ key, to, amount, timestamp: BigInt(node.nowMs) });
const statusesOf = ({ node }: Follower, transactions: readonly Transaction[]): (TransactionStatus | undefined)[] =>
  transactions.map(({ id }) => node.chain.view.findTransaction(id)?.status);
const refused = { kind: "refused", isInvalid: true, reason: expect.stringContaining("State hash is") };

describe("a block with a wrong state hash", () => {
  test("is challenged, and its sender shut out (NODE-909)", async () => {
    const own = nodeAtThree();
    const wrong = wrongBlock(own);
    expect(await sent(own, wrong)).toEqual(refused);
    expect(own.node.height).toBe(4);
    expect(tipOf(own).header).toMatchObject({ generator: richKey.publicKey, challengedHeader: { headerSignature: wrong.signature } });
  });

  test("gives way to one whose consensus data are its generator's own (NODE-885)", async () => {
    const own = nodeAtThree();
    const { view } = own.node.chain;
    const bonus = generatingBalanceAt(view, addressOf(challenged));
    const alone = turnOf(view, richKey);
    const wrong = wrongBlock(own);
    await sent(own, wrong);
    const { header } = tipOf(own);
    expect(bonus).toBe(CHALLENGED_BALANCE);
    expect(header.generator).toEqual(richKey.publicKey);
    // Earlier than its own turn would have been, since what the other account has counts with its own.
    expect(header.timestamp).toBeLessThanOrEqual(alone);
    expect(header.timestamp).toBeLessThan(wrong.header.timestamp);
    expect(header.generationSignature).not.toEqual(wrong.header.generationSignature);
    expect(header.baseTarget).not.toBe(wrong.header.baseTarget);
  });

  test("has all that its header says kept in the other one's (NODE-888)", async () => {
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

  test("has its transactions and its parent in the other one, whose votes are this node's (NODE-890, NODE-892)", async () => {
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

  test("is challenged at the height from which on headers have one (NODE-910)", async () => {
    const own = nodeAtThree(networkWith([], { [Feature.LightNode]: 4 }));
    expect(own.node.chain.view.has(Feature.LightNode)).toBe(false);
    await sent(own, wrongBlock(own));
    expect(tipOf(own).header.challengedHeader?.generator).toEqual(challenged.publicKey);
  });

  test("is told to others as the block of this node that takes its place", async () => {
    const own = nodeAtThree();
    await sent(own, wrongBlock(own, { transactions: [transferBy(own, richKey, 1n)] }));
    expect(own.heard).toEqual([{ block: encodeBlock(tipOf(own), chainId), standing: own.node.node.chainStanding() }]);
  });

  test("is challenged in the place of a later one of somebody else, and on an earlier form of the liquid block", async () => {
    const own = nodeAtThree();
    const competitor = wrongBlock(own);
    const { chain } = own.node;
    own.node.mineTo(4);
    own.node.append(blockAt(own.node, 4));
    expect(competitor.header.reference).toEqual(headerAt(chain.view, 3).id);
    const other = nodeAtThree();
    // Its own block is later than any that the challenged account could sign.
    other.node.mineTo(4);
    const earlier = blockAfterParent(other, BigInt(other.node.nowMs) - 1n);
    if (earlier === undefined) throw new Error("the tip came before");
    expect(await sent(other, earlier)).toEqual(refused);
  });
});

/** A block with a wrong state hash in the place of the tip. */
function blockAfterParent({ node }: Follower, timestamp: bigint): Block | undefined {
  const { chain } = node;
  return chain.steps.whileTakenBack({ height: node.height - 1, step: Number.MAX_SAFE_INTEGER }, () =>
    blockAfter(chain.view, { key: challenged, timestamp, stateHash: wrongStateHash }),
  );
}
