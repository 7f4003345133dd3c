/**
 * Chains longer than the maximum depth of forks, and their finalized heights. The rules themselves are tested in
 * `finalized.test.ts`, too, and faster.
 */
import { describe, expect, test } from "vitest";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import {
  blocksOf,
  copyOf,
  fork,
  heightsOfBranchBlocks,
  nodeNamed,
  violationCodeOf,
} from "../../support/builders/forked-nodes.ts";
import { packedMicroBlock } from "../../support/builders/packed-micro-block.ts";
import { signedTransfer } from "../../support/builders/signed-transfer.ts";

describe("a branch", () => {
  test("that begins on the last final block replaces all blocks above it", () => {
    const node = nodeNamed("first");
    node.mineTo(4);
    const rival = copyOf(node, 4, "second");
    node.mineTo(104);
    node.chain.forks.revertTo(6);
    expect([node.height, node.chain.stored.finalizedHeight()]).toEqual([6, 4]);
    rival.mineTo(8);
    node.nowMs = Math.max(node.nowMs, rival.nowMs);
    node.node.appendBranch(blocksOf(rival, 5));
    expect(node.chain.stored.tip()).toEqual(rival.chain.stored.tip());
  });

  test("that begins below the finalized height is refused, whatever its weight", () => {
    const node = nodeNamed("first");
    node.mineTo(3);
    const rival = copyOf(node, 3, "second");
    node.mineTo(104);
    rival.mineTo(110);
    node.nowMs = Math.max(node.nowMs, rival.nowMs);
    expect(node.chain.stored.finalizedHeight()).toBe(4);
    expect(violationCodeOf(() => node.node.appendBranch(blocksOf(rival, 4)))).toBe("rollbackTooDeep");
  });
});

describe("blocks that left the chain", () => {
  test("are deleted once they are too deep, and there are never more than 200 of them", () => {
    const { node, rival } = fork();
    node.node.appendBranch(blocksOf(rival, 6));
    expect(heightsOfBranchBlocks(node).length).toBe(2);
    for (let height = 9; height < 130; height += 20) {
      node.mineTo(height + 20);
      node.chain.forks.revertTo(height + 19);
    }
    expect(heightsOfBranchBlocks(node).every((height) => height > node.chain.stored.finalizedHeight())).toBe(true);
    for (let round = 0; round < 3; round++) {
      const { height } = node;
      node.mineTo(height + 90);
      node.chain.forks.revertTo(height + 5);
    }
    expect(heightsOfBranchBlocks(node).length).toBeLessThanOrEqual(200);
  });
});

describe("a chain that is rolled back by its owner", () => {
  test("to its finalized height keeps that block as it is: no block extends or replaces it", async () => {
    const node = nodeNamed("first");
    node.mineTo(3);
    const rival = copyOf(node, 3, "second");
    rival.mineTo(4);
    // Late, so that the other node's block would be better.
    node.nowMs = (node.miner.nextWakeMs(node.nowMs) as number) + 100_000;
    node.work();
    node.nowMs = Number(node.chain.stored.tip().timestamp);
    const keyBlock = node.keyBlocks.at(-1) as Block;
    for (const after of [0n, 1n]) {
      node.broadcast(signedTransfer({ timestamp: BigInt(node.nowMs) + after }));
      while (node.pool.size > 0) node.step();
    }
    expect(node.height).toBe(4);
    const onKeyBlock = copyOf(node, 3, "third");
    onKeyBlock.append(keyBlock);
    onKeyBlock.mineTo(5);
    node.mineTo(104);
    await node.node.revert(4);
    const final = node.chain.stored.tip();
    expect([node.height, node.chain.stored.finalizedHeight(), final.transactionCount]).toEqual([4, 4, 2]);
    expect(violationCodeOf(() => node.append(rival.chain.stored.findBlock(4) as Block))).toBe("rollbackTooDeep");
    expect(violationCodeOf(() => node.append(onKeyBlock.chain.stored.findBlock(5) as Block))).toBe("rollbackTooDeep");
    expect(violationCodeOf(() => node.node.appendBranch(blocksOf(onKeyBlock, 5)))).toBe("rollbackTooDeep");
    node.broadcast(signedTransfer({ timestamp: BigInt(node.nowMs) + 2n }));
    const { microBlock } = packedMicroBlock(node);
    expect(violationCodeOf(() => node.node.appendMicroBlock(microBlock))).toBe("microBlockRefused");
    node.mineTo(6);
    expect(node.chain.stored.rowAt(4)).toEqual(final);
    while (node.pool.size > 0) node.step();
  });

  test("goes no further than its finalized height, which never falls", () => {
    const node = nodeNamed("first");
    node.mineTo(150);
    expect(node.chain.stored.finalizedHeight()).toBe(50);
    expect(violationCodeOf(() => node.chain.forks.revertTo(49))).toBe("rollbackTooDeep");
    node.chain.forks.revertTo(50);
    expect(node.height).toBe(50);
    expect(violationCodeOf(() => node.chain.forks.revertTo(49))).toBe("rollbackTooDeep");
    expect(node.chain.forks.epoch()).toBe(0);
  });

  test("begins a new epoch where it is forced below it: final objects are no longer final", () => {
    const node = nodeNamed("first");
    node.mineTo(150);
    node.chain.forks.revertTo(30, { isForced: true });
    expect([node.height, node.chain.forks.epoch(), node.chain.stored.finalizedHeight()]).toEqual([30, 1, 1]);
    node.mineTo(32);
    expect(node.chain.forks.epoch()).toBe(1);
  });
});
