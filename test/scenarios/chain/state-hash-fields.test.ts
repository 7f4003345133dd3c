/** State hashes in key blocks and micro-blocks: blocks that carry one, and effects of a wrong one. */

import { describe, expect, test } from "vitest";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { Digest } from "../../../src/crypto/identities.ts";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import { Feature } from "../../../src/network/features.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { BlockchainSettings } from "../../../src/network/settings.ts";
import type { Block, BlockHeader, MicroBlock } from "../../../src/protocol/blocks/block.ts";
import { signBlock } from "../../../src/protocol/blocks/build-block.ts";
import { genesisBlock } from "../../../src/protocol/blocks/genesis-block.ts";
import { buildMicroBlock } from "../../../src/protocol/blocks/liquid-block.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import { stateHashAfterBlockStart } from "../../../src/protocol/snapshots/state-hash.ts";
import { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { once } from "../../support/builders/next-block.ts";
import { richKey, signedTransfer } from "../../support/builders/signed-transfer.ts";

/** Private network with feature 22 at `activationHeight`; headers carry its fields `absenceInterval` blocks later. */
function withLightNodeAt(activationHeight: number, absenceInterval: number): BlockchainSettings {
  const { blockchain } = privateNetwork;
  const preActivatedFeatures = new Map(blockchain.functionality.preActivatedFeatures);
  preActivatedFeatures.set(Feature.LightNode, activationHeight);
  const functionality = {
    ...blockchain.functionality,
    preActivatedFeatures,
    lightNodeBlockFieldsAbsenceInterval: absenceInterval,
  };
  return { ...blockchain, functionality };
}

/** Network whose blocks stay at version 4, without a field for a state hash. */
function withoutBlockV5(blockchain: BlockchainSettings): BlockchainSettings {
  const preActivatedFeatures = new Map(blockchain.functionality.preActivatedFeatures);
  preActivatedFeatures.delete(Feature.BlockV5);
  return { ...blockchain, functionality: { ...blockchain.functionality, preActivatedFeatures } };
}

interface ForgedChain {
  readonly node: SimulatedNode;
  readonly microBlocks: readonly { readonly height: number; readonly microBlock: MicroBlock }[];
}

/** Chain with micro-blocks. */
function forge(blockchain: BlockchainSettings, height: number): ForgedChain {
  const node = new SimulatedNode({ blockchain, startMs: Number(blockchain.genesis.blockTimestampMs) });
  const microBlocks: { height: number; microBlock: MicroBlock }[] = [];
  for (let count = 0; node.chain.view.height < height; count++) {
    node.broadcast(signedTransfer({ timestamp: BigInt(node.nowMs + count) }));
    const step = node.step();
    if (step.kind === "microBlock") microBlocks.push({ height: node.chain.view.height, microBlock: step.microBlock });
  }
  return { node, microBlocks };
}

function headersOf({ chain }: SimulatedNode): readonly BlockHeader[] {
  return Array.from({ length: chain.view.height }, (_, index) => (chain.stored.findBlock(index + 1) as Block).header);
}

const carries = ({ stateHash }: BlockHeader | MicroBlock): boolean => stateHash !== undefined;

describe("blocks of the private network", () => {
  const forged = once(() => forge(privateNetwork.blockchain, 8));

  test("begin with a genesis block that carries the state hash of the reference's", () => {
    const { stateHash } = genesisBlock(privateNetwork.blockchain).header;
    expect(encodeBase58(stateHash ?? new Uint8Array())).toMatch(/^BvDbum4w/);
    expect(forged().node.chain.view.findStateHash(1)).toEqual(stateHash);
  });

  test("carry state hashes from the second one on, micro-blocks too", () => {
    const { node, microBlocks } = forged();
    expect(headersOf(node).slice(1).every(carries)).toBe(true);
    expect(microBlocks.length).toBeGreaterThan(3);
    expect(microBlocks.every(({ microBlock }) => carries(microBlock))).toBe(true);
  });

  test("have the state hash of their last micro-block", () => {
    const { node, microBlocks } = forged();
    const last = new Map(microBlocks.map(({ height, microBlock }) => [height, microBlock.stateHash]));
    for (const [height, stateHash] of last) {
      expect(headersOf(node)[height - 1]?.stateHash).toEqual(stateHash);
      expect(node.chain.view.findStateHash(height)).toEqual(stateHash);
    }
  });

  test("are accepted by a node that receives them whole, and give it the same state hashes", () => {
    const { node } = forged();
    const other = new SimulatedNode({ startMs: node.nowMs });
    for (let height = 2; height <= node.chain.view.height; height++)
      other.append(node.chain.stored.findBlock(height) as Block);
    for (let height = 1; height <= node.chain.view.height; height++)
      expect(other.chain.view.findStateHash(height)).toEqual(node.chain.view.findStateHash(height));
  });
});

test("blocks and micro-blocks carry state hashes once the interval after the activation has passed (spec 1)", () => {
  const { node, microBlocks } = forge(withLightNodeAt(3, 4), 9);
  expect(headersOf(node).map(carries)).toEqual([false, false, false, false, false, false, true, true, true]);
  expect(new Set(microBlocks.map(({ height }) => height >= 7))).toEqual(new Set([false, true]));
  for (const { height, microBlock } of microBlocks) expect(carries(microBlock)).toBe(height >= 7);
});

function violationOf(attempt: () => void): unknown {
  try {
    attempt();
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(RuleError);
    return (error as RuleError).violation;
  }
}

const wrongHash = new Uint8Array(32).fill(1) as Digest;
const { chainId } = privateNetwork.blockchain;

/** Block with another state hash, signed again by its generator. */
function withStateHash({ header, transactions }: Block, stateHash: Digest | undefined): Block {
  return signBlock({
    header: { ...header, stateHash },
    transactions,
    privateKey: richKey.privateKey,
    chainId,
    random: secureRandomBytes,
  });
}

describe("a received key block", () => {
  const forged = once(() => forge(privateNetwork.blockchain, 4).node);
  const block = (height: number) => forged().chain.stored.findBlock(height) as Block;
  const receiver = () => {
    const node = new SimulatedNode({ startMs: forged().nowMs });
    for (const height of [2, 3]) node.append(block(height));
    return node;
  };

  test.each([
    ["a wrong state hash", wrongHash],
    ["no state hash", undefined],
  ])("with %s is refused, and the chain stays as it was", (_, stateHash) => {
    const node = receiver();
    const violation = violationOf(() => node.append(withStateHash(block(4), stateHash)));
    expect(violation).toMatchObject({
      code: "stateHashWrong",
      expected: encodeBase58(block(4).header.stateHash as Digest),
      got: stateHash && encodeBase58(stateHash),
    });
    expect(node.chain.view.height).toBe(3);
    node.append(block(4));
    expect(node.chain.view.height).toBe(4);
  });

  test("that must carry a state hash, but is of a version without a field for one, is refused", () => {
    const later = withoutBlockV5(withLightNodeAt(3, 100));
    const hashless = new SimulatedNode({ blockchain: later, startMs: Number(later.genesis.blockTimestampMs) });
    hashless.mineTo(4);
    const oldBlock = (height: number) => hashless.chain.stored.findBlock(height) as Block;
    const node = new SimulatedNode({ blockchain: withoutBlockV5(withLightNodeAt(3, 1)), startMs: hashless.nowMs });
    for (const height of [2, 3]) node.append(oldBlock(height));
    expect(violationOf(() => node.append(oldBlock(4)))).toMatchObject({ code: "stateHashWrong", got: undefined });
    expect(node.chain.view.height).toBe(3);
  });

  test("with a state hash before its time is refused", () => {
    const blockchain = withLightNodeAt(2, 3);
    const { node: early } = forge(blockchain, 3);
    const node = new SimulatedNode({ blockchain, startMs: early.nowMs });
    const first = early.chain.stored.findBlock(2) as Block;
    const stateHash = early.chain.view.findStateHash(2) as Digest;
    expect(violationOf(() => node.append(withStateHash(first, stateHash)))).toMatchObject({
      code: "headerFieldInvalid",
      field: "stateHash",
    });
    node.append(first);
  });
});

describe("a received micro-block", () => {
  const forged = once(() => forge(privateNetwork.blockchain, 4).node);

  // Like the reference: BlockDiffer continues from the hash in the parent's header, BlockchainUpdaterImpl does not
  // check whether a micro-block may have one yet. A whole block may not.
  test("may carry any state hash before its time, and the next block continues from that", () => {
    const blockchain = withLightNodeAt(2, 30);
    const node = new SimulatedNode({ blockchain, startMs: Number(blockchain.genesis.blockTimestampMs) });
    node.mineTo(4);
    const { microBlock } = buildMicroBlock({
      liquid: node.chain.liquid.block(),
      extension: {
        transactions: [signedTransfer({ timestamp: BigInt(node.nowMs) })],
        stateHash: wrongHash,
        finalizationVoting: undefined,
      },
      privateKey: richKey.privateKey,
      chainId,
      random: secureRandomBytes,
    });
    node.chain.liquid.appendMicroBlock(microBlock, { nowMs: node.nowMs, verifySignatures: true });
    expect(node.chain.view.findStateHash(4)).not.toEqual(wrongHash);
    node.mineTo(5);
    const { generator } = node.chain.stored.tip();
    const balances = [{ address: generator, asset: null, balance: node.chain.view.balance(generator, null) }];
    expect(node.chain.view.findStateHash(5)).toEqual(stateHashAfterBlockStart(wrongHash, { balances }, 5));
  });

  test.each([
    ["a wrong state hash", wrongHash],
    ["no state hash", undefined],
  ])("with %s is refused, and the liquid block stays as it was", (_, stateHash) => {
    const node = new SimulatedNode({ startMs: forged().nowMs });
    for (const height of [2, 3, 4]) node.append(forged().chain.stored.findBlock(height) as Block);
    const before = node.chain.stored.tip().id;
    const transactions = [signedTransfer({ timestamp: BigInt(node.nowMs) + 77n })];
    const { microBlock } = buildMicroBlock({
      liquid: node.chain.liquid.block(),
      extension: { transactions, stateHash, finalizationVoting: undefined },
      privateKey: richKey.privateKey,
      chainId,
      random: secureRandomBytes,
    });
    const context = { nowMs: node.nowMs, verifySignatures: true };
    expect(violationOf(() => node.chain.liquid.appendMicroBlock(microBlock, context))).toMatchObject({
      code: "stateHashWrong",
    });
    expect(node.chain.stored.tip().id).toEqual(before);
  });
});
