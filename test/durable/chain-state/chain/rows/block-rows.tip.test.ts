/** Fields of the tip's row, and the limits of a micro-block on it. */
import { describe, expect, test } from "vitest";
import { Feature } from "../../../../../src/network/features.ts";
import { privateNetwork } from "../../../../../src/network/networks/private.ts";
import type { BlockLimits } from "../../../../../src/rules/consensus/block-limits.ts";
import { blockScore } from "../../../../../src/rules/consensus/block-score.ts";
import { transactionTable } from "../../../../../src/tables/blocks.ts";
import { stateHashTable } from "../../../../../src/tables/state-hashes.ts";
import { SimulatedNode } from "../../../../../verification/simulation/simulated-node.ts";
import { chainOfThree, networkOf } from "../../../../support/builders/next-block.ts";
import { packedMicroBlock } from "../../../../support/builders/packed-micro-block.ts";
import { violationOf } from "../../../../support/builders/sample-transactions.ts";
import { signedTransfer } from "../../../../support/builders/signed-transfer.ts";

const { genesis, rewards } = privateNetwork.blockchain;

describe("the row of a block", () => {
  test("adds the amount issued with it, boost included, and its weight", () => {
    const { stored, view } = chainOfThree().chain;
    for (const height of [2, 3]) {
      const [row, parent] = [stored.rowAt(height), stored.rowAt(height - 1)];
      expect(row.wavesAmount - parent.wavesAmount).toBe(10n * rewards.initial);
      expect(row.score - parent.score).toBe(blockScore(view.findHeader(height)?.header.baseTarget as bigint));
    }
    expect(stored.rowAt(1).wavesAmount).toBe(genesis.initialBalance);
    const before = chainOfThree(networkOf(Feature.CeaseXtnBuyback)).chain.stored;
    expect(before.rowAt(3).wavesAmount - before.rowAt(2).wavesAmount).toBe(rewards.initial);
  });

  test("has a VRF output from block version 5 on, which later draws continue from", () => {
    const { vrf, hitSource } = chainOfThree().chain.stored.tip();
    expect(vrf).toEqual(hitSource);
    const before = chainOfThree(networkOf(Feature.BlockReward)).chain.stored.tip();
    expect(before.vrf).toBeUndefined();
    expect(before.hitSource).toHaveLength(32);
  });
});

test("state snapshots of transactions are stored from feature 22 on, or if the owner wants them", () => {
  const isStored = (lastFeature: number, storeSnapshots: boolean): boolean => {
    const blockchain = networkOf(lastFeature);
    const node = new SimulatedNode({
      blockchain,
      node: { ...privateNetwork.node, storeSnapshots },
      startMs: Number(genesis.blockTimestampMs),
    });
    const transfer = signedTransfer({ timestamp: BigInt(node.nowMs) });
    node.broadcast(transfer);
    while (node.pool.size > 0) node.step();
    return node.node.store.findLatest(transactionTable, { id: transfer.id })?.snapshot !== undefined;
  };
  expect(isStored(Feature.LightNode, false)).toBe(true);
  expect(isStored(Feature.CeaseXtnBuyback, false)).toBe(false);
  expect(isStored(Feature.CeaseXtnBuyback, true)).toBe(true);
});

test("older state hashes of heights are stored if the owner wants them", () => {
  const heights = (storeStateHashes: boolean) => {
    const node = new SimulatedNode({
      node: { ...privateNetwork.node, storeStateHashes },
      startMs: Number(genesis.blockTimestampMs),
    });
    node.mineTo(3);
    return node.node.store.query(stateHashTable, "ORDER BY height").map(({ height }) => height);
  };
  expect([heights(true), heights(false)]).toEqual([[1, 2, 3], []]);
});

describe("a micro-block", () => {
  test("has the limits of its key block, also where a feature becomes active with that", () => {
    const settings = networkOf(Feature.BlockReward);
    const limitsOf = (activation: number): readonly BlockLimits[] => {
      const features = new Map(settings.functionality.preActivatedFeatures);
      features.set(Feature.Ride4DApps, activation);
      const functionality = { ...settings.functionality, preActivatedFeatures: features };
      const node = new SimulatedNode({
        blockchain: { ...settings, functionality },
        startMs: Number(genesis.blockTimestampMs),
      });
      node.mineTo(5);
      node.broadcast(signedTransfer({ timestamp: BigInt(node.nowMs), version: 2 }));
      const { microBlock, opened } = packedMicroBlock(node);
      const received: BlockLimits[] = [];
      node.chain.liquid.appendMicroBlock(microBlock, {
        nowMs: node.nowMs,
        verifySignatures: true,
        include: (run, transaction) => {
          received.push(run.limits);
          run.add(transaction);
        },
      });
      return [opened.run.limits, ...received];
    };
    const complexities = [2, 3, 4, 5].map((activation) =>
      limitsOf(activation).map((limits) => limits.scriptComplexity),
    );
    // An own micro-block also has the limits in force at the key block's parent; a received one only those before it.
    expect(complexities).toEqual([
      [1_000_000, 1_000_000],
      [1_000_000, 1_000_000],
      [1_000_000, undefined],
      [undefined, undefined],
    ]);
  });

  test("may contain transactions that are not too old for the block before its key block", () => {
    const { view, liquid } = chainOfThree().chain;
    const parentTimestamp = view.findHeader(2)?.header.timestamp as bigint;
    expect(parentTimestamp).toBeLessThan(view.findHeader(3)?.header.timestamp as bigint);
    const oldest = parentTimestamp - view.settings.functionality.maxTransactionTimeBackOffsetMs;
    const add = (timestamp: bigint) =>
      liquid.openMicroBlock({ verifySignatures: true }).run.add(signedTransfer({ timestamp }));
    add(oldest);
    expect(violationOf(() => add(oldest - 1n))).toMatchObject({ code: "timestampFromPast" });
  });
});
