/** Usage of block limits by the transactions of a liquid block, over micro-blocks, restarts and rollbacks. */
import { describe, expect, test } from "vitest";
import { Feature } from "../../../../src/network/features.ts";
import { privateNetwork } from "../../../../src/network/networks/private.ts";
import type { BlockchainSettings } from "../../../../src/network/settings.ts";
import { encodeProtobuf } from "../../../../src/protocol/transactions/encode-for-block.ts";
import { SimulatedNode } from "../../../../verification/simulation/simulated-node.ts";
import { complexityOf, nodeWithVerifier } from "../../../support/builders/node-with-verifier.ts";
import { poorKey, richKey, signedTransfer } from "../../../support/builders/signed-transfer.ts";

const { blockchain, node: settings } = privateNetwork;
const startMs = 1_700_000_000_000;

/** Private network with the features up to `last` from the start, and with `later` ones at heights of their own. */
function withFeatures(last: number, later: ReadonlyMap<number, number> = new Map()): BlockchainSettings {
  const first = [...blockchain.functionality.preActivatedFeatures].filter(([feature]) => feature <= last);
  const preActivatedFeatures = new Map([...first, ...later]);
  return { ...blockchain, functionality: { ...blockchain.functionality, preActivatedFeatures } };
}

/** Like `nodeWithVerifier`, with small micro-blocks. */
function nodeOf(options: { readonly blockchain?: BlockchainSettings; readonly inMicroBlock: number }): SimulatedNode {
  const { inMicroBlock: maxTransactionsInMicroBlock, ...chain } = options;
  const { miner } = settings;
  return nodeWithVerifier({ ...chain, node: { ...settings, miner: { ...miner, maxTransactionsInMicroBlock } } });
}

function spend(node: SimulatedNode, count: number): void {
  for (let index = 0; index < count; index++)
    node.broadcast(signedTransfer({ timestamp: BigInt(node.nowMs - index), key: poorKey, to: richKey, fee: 500_000n }));
}

const usageOf = (node: SimulatedNode) => node.chain.liquid.openMicroBlock({ verifySignatures: true }).run.usage;

describe("the usage of a liquid block", () => {
  test("counts the verifiers of earlier micro-blocks, which clients do not see", () => {
    const node = nodeOf({ inMicroBlock: 2 });
    spend(node, 4);
    for (let made = 0; made < 2; ) if (node.step().kind === "microBlock") made++;
    expect(usageOf(node)).toMatchObject({ transactions: 4, scriptComplexity: 4n * complexityOf(node) });
    const again = new SimulatedNode({ startMs: node.nowMs, database: node.database });
    expect(usageOf(again)).toEqual(usageOf(node));
  });

  test("decreases when micro-blocks are rolled back", () => {
    const node = nodeOf({ inMicroBlock: 2 });
    spend(node, 4);
    for (let made = 0; made < 2; ) if (node.step().kind === "microBlock") made++;
    const whole = usageOf(node);
    const first = node.chain.liquid.withLiquidForm(1, () => usageOf(node));
    expect(first).toMatchObject({
      transactions: 2,
      scriptComplexity: 2n * complexityOf(node),
      sizeBytes: whole.sizeBytes / 2,
    });
    expect(usageOf(node)).toEqual(whole);
  });

  test("keeps own blocks below the limit in sum", () => {
    const node = nodeOf({ blockchain: withFeatures(Feature.BlockV5), inMicroBlock: 300 });
    spend(node, 580);
    const { height } = node;
    const packed: number[] = [];
    while (node.pool.size > 0)
      if (node.step().kind === "microBlock" && node.height === height)
        packed.push(node.chain.stored.tip().transactionCount);
    // The limit before feature 16.
    expect(BigInt(packed.at(-1) ?? 0)).toBe(1_000_000n / complexityOf(node));
    expect(packed.length).toBeGreaterThan(1);
    expect(node.height).toBe(height + 1);
  });

  test("counts transactions in protobuf from the block before feature 15 on", () => {
    const later = new Map([[Feature.BlockV5, 30]]);
    const node = new SimulatedNode({ blockchain: withFeatures(Feature.BlockReward, later), startMs });
    const sizes = [28, 29, 30].map((height) => {
      node.mineTo(height);
      const transfer = signedTransfer({ timestamp: BigInt(node.nowMs), version: 2 });
      const isEqual = encodeProtobuf(transfer).length === transfer.bytes.length;
      expect(isEqual).toBe(false);
      node.broadcast(transfer);
      while (node.pool.size > 0) node.step();
      expect(node.height).toBe(height);
      return { own: transfer.bytes.length, protobuf: encodeProtobuf(transfer).length, used: usageOf(node).sizeBytes };
    });
    expect(sizes.map(({ used }) => used)).toEqual([sizes[0]?.own, sizes[1]?.protobuf, sizes[2]?.protobuf]);
  });
});
