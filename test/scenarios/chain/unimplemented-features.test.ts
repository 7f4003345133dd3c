/** Blocks that need rules missing in this release: none is taken for an ordinary one. */
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from "vitest";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import { Feature } from "../../../src/network/features.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { BlockchainSettings } from "../../../src/network/settings.ts";
import type { Block, BlockHeader, FinalizationVoting } from "../../../src/protocol/blocks/block.ts";
import { signBlock } from "../../../src/protocol/blocks/build-block.ts";
import { buildMicroBlock } from "../../../src/protocol/blocks/liquid-block.ts";
import { describeViolation } from "../../../src/protocol/describe-violation.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import { stateTables } from "../../../src/tables/all-tables.ts";
import { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { richKey, signedTransfer } from "../../support/builders/signed-transfer.ts";

const { blockchain } = privateNetwork;
const { chainId } = blockchain;
const startMs = Number(blockchain.genesis.blockTimestampMs);
const tables = [...stateTables.map(({ name }) => name), "undo"];

/** Private network with features at other heights. */
function withFeatures(heights: Readonly<Record<number, number>>): BlockchainSettings {
  const preActivatedFeatures = new Map(blockchain.functionality.preActivatedFeatures);
  for (const [feature, height] of Object.entries(heights)) preActivatedFeatures.set(Number(feature), height);
  return { ...blockchain, functionality: { ...blockchain.functionality, preActivatedFeatures } };
}

/** Network in which endorsers do not vote yet. */
const withoutFinality = withFeatures({ [Feature.DeterministicFinality]: 1_000 });

function violationOf(attempt: () => void): RuleError["violation"] | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    if (error instanceof RuleError) return error.violation;
    throw error;
  }
}

function signed(header: BlockHeader, transactions: Block["transactions"]): Block {
  return signBlock({ header, transactions, privateKey: richKey.privateKey, chainId, random: secureRandomBytes });
}

const voting: FinalizationVoting = {
  endorserIndexes: [],
  finalizedHeight: 1,
  aggregatedEndorsementSignature: undefined,
  conflictEndorsements: [],
};

/** Chain of three blocks, and a fourth block that extends it. */
function nextBlock(): { readonly node: SimulatedNode; readonly next: Block } {
  const forged = new SimulatedNode({ startMs, blockchain: withoutFinality });
  forged.mineTo(4);
  const node = new SimulatedNode({ startMs: forged.nowMs, blockchain: withoutFinality });
  for (const height of [2, 3]) node.append(forged.chain.stored.findBlock(height) as Block);
  return { node, next: forged.chain.stored.findBlock(4) as Block };
}

describe("a block with a field of a feature that is not in force is refused", () => {
  test("with the votes of endorsers", () => {
    const { node, next } = nextBlock();
    const block = signed({ ...next.header, finalizationVoting: voting }, next.transactions);
    expect(violationOf(() => node.append(block))).toEqual({
      code: "votingInvalid",
      violation: { check: "featureNotActive" },
    });
    expect(node.height).toBe(3);
    node.append(next);
  });

  test("a micro-block with the votes of endorsers", () => {
    const node = new SimulatedNode({ startMs, blockchain: withoutFinality });
    node.mineTo(4);
    const { view, liquid } = node.chain;
    const transactions = [signedTransfer({ timestamp: BigInt(node.nowMs) })];
    const opened = liquid.openMicroBlock({ verifySignatures: true });
    for (const transaction of transactions) opened.run.add(transaction);
    const build = (finalizationVoting: FinalizationVoting | undefined) =>
      buildMicroBlock({
        liquid: liquid.block(),
        extension: { transactions, stateHash: opened.run.stateHash, finalizationVoting },
        privateKey: richKey.privateKey,
        chainId,
        random: secureRandomBytes,
      }).microBlock;
    const context = { nowMs: node.nowMs, verifySignatures: true };
    const before = node.chain.stored.tip().id;
    expect(violationOf(() => liquid.appendMicroBlock(build(voting), context))).toEqual({
      code: "votingInvalid",
      violation: { check: "featureNotActive" },
    });
    expect(node.chain.stored.tip().id).toEqual(before);
    liquid.appendMicroBlock(build(undefined), context);
    expect(view.findTransaction(transactions[0]?.id as Uint8Array as never)).toBeDefined();
  });
});

describe("a chain on which a feature without rules comes into force", () => {
  let logged: MockInstance<(line: string) => void>;
  beforeEach(() => {
    logged = vi.spyOn(console, "error").mockImplementation(() => {});
  });
  afterEach(() => logged.mockRestore());

  const later = withFeatures({ 76: 5, 77: 5, 78: 6 });

  test("stops before that height: no block is made or accepted, and the message is the reference's", () => {
    const other = new SimulatedNode({ startMs });
    other.mineTo(5);
    const node = new SimulatedNode({ blockchain: later, startMs: other.nowMs });
    for (const height of [2, 3, 4]) node.append(other.chain.stored.findBlock(height) as Block);
    const before = node.database.dump(tables);
    const violation = violationOf(() => node.append(other.chain.stored.findBlock(5) as Block));
    expect(violation && describeViolation(violation)).toBe(
      "UNIMPLEMENTED FEATURES 76, 77 have been ACTIVATED ON BLOCKCHAIN, UPDATE THE NODE IMMEDIATELY",
    );
    expect(node.database.dump(tables)).toBe(before);
    expect(node.miner.nextWakeMs(node.nowMs)).toBeUndefined();
  });

  test("is made up to there, and is opened again", () => {
    const node = new SimulatedNode({ blockchain: later, startMs });
    while (node.miner.nextWakeMs(node.nowMs) !== undefined && node.height < 9) node.step();
    expect(node.height).toBe(4);
    const again = new SimulatedNode({ blockchain: later, startMs: node.nowMs, database: node.database });
    expect(again.height).toBe(4);
    expect(logged.mock.calls.map(([line]) => line)).toEqual(
      Array(2).fill(
        "no block is taken from here on: UNIMPLEMENTED FEATURES 76, 77 have been ACTIVATED ON BLOCKCHAIN, UPDATE THE NODE IMMEDIATELY",
      ),
    );
    expect(again.miner.nextWakeMs(again.nowMs)).toBeUndefined();
  });

  test("does not begin where the feature is there from the start", () => {
    const atOnce = withFeatures({ 76: 0 });
    const violation = violationOf(() => new SimulatedNode({ blockchain: atOnce, startMs }));
    expect(violation).toEqual({ code: "featuresUnimplemented", features: [76] });
  });
});

test("a micro-block is refused up to the block in which feature 2 comes into force: taken whole, its fees go elsewhere", () => {
  const blockchainWithNgAt = withFeatures({ [Feature.Ng]: 5 });
  const node = new SimulatedNode({ blockchain: blockchainWithNgAt, startMs });
  const reasons = new Set<string>();
  const append = () => {
    const { liquid } = node.chain;
    const transactions = [signedTransfer({ timestamp: BigInt(node.nowMs) })];
    const build = (stateHash: BlockHeader["stateHash"]) =>
      buildMicroBlock({
        liquid: liquid.block(),
        extension: { transactions, stateHash, finalizationVoting: undefined },
        privateKey: richKey.privateKey,
        chainId,
        random: secureRandomBytes,
      }).microBlock;
    const violation = violationOf(() => node.node.appendMicroBlock(build(undefined)));
    if (violation?.code === "microBlockRefused") reasons.add(violation.reason);
    expect(node.chain.stored.tip().transactionCount).toBe(0);
    // Everything else is right, so the violation has the right state hash.
    return violation?.code;
  };
  for (const height of [4, 5]) {
    node.mineTo(height);
    expect(append()).toBe("microBlockRefused");
  }
  node.mineTo(6);
  expect(append()).toBe("stateHashWrong");
  expect([...reasons]).toEqual(["the liquid block takes none before feature 2, nor in place of another one"]);
});
