/** Finalized blocks stay: no branch, competitor or micro-block goes below them. Only the owner may, by force. */
import { describe, expect, test } from "vitest";
import { EPOCH, FINALIZED_HEIGHT } from "../../../durable/chain-state/chain/stored-chain.ts";
import { stateTables } from "../../../src/tables/all-tables.ts";
import type { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import {
  blocksOf,
  copyOf,
  heightsOfBranchBlocks,
  nodeNamed,
  violationCodeOf,
} from "../../support/builders/forked-nodes.ts";
import { packedMicroBlock } from "../../support/builders/packed-micro-block.ts";
import { signedTransfer } from "../../support/builders/signed-transfer.ts";

const tables = [...stateTables.map(({ name }) => name), "undo", "branch_block"];

/** Sets the finalized height, as if the chain had once been longer. */
function finalUpTo(node: SimulatedNode, height: number): void {
  node.node.store.putMeta(FINALIZED_HEIGHT, String(height));
}

/** Two nodes with the same blocks up to the height, and their own above it. */
function forkedAt(height: number, own: number, others: number) {
  const node = nodeNamed("first");
  node.mineTo(height);
  const rival = copyOf(node, height, "second");
  node.mineTo(height + own);
  rival.mineTo(height + others);
  node.nowMs = Math.max(node.nowMs, rival.nowMs);
  return { node, rival };
}

describe("a branch", () => {
  test("may begin on the last final block", () => {
    const { node, rival } = forkedAt(3, 1, 2);
    finalUpTo(node, 3);
    node.node.appendBranch(blocksOf(rival, 4));
    expect(node.chain.stored.tip()).toEqual(rival.chain.stored.tip());
  });

  test("may not begin below it, whatever its weight", () => {
    const { node, rival } = forkedAt(3, 1, 3);
    finalUpTo(node, 4);
    const before = node.database.dump(tables);
    expect(violationCodeOf(() => node.node.appendBranch(blocksOf(rival, 4)))).toBe("rollbackTooDeep");
    expect(node.database.dump(tables)).toBe(before);
  });
});

describe("a block", () => {
  test("replaces a tip that is not final", () => {
    // The key block of the second node is earlier.
    const node = nodeNamed("first");
    node.mineTo(3);
    const rival = copyOf(node, 3, "second");
    rival.mineTo(4);
    node.nowMs = (node.miner.nextWakeMs(node.nowMs) as number) + 100_000;
    node.work();
    const earlier = blocksOf(rival, 4)[0] as ReturnType<typeof blocksOf>[0];
    finalUpTo(node, 4);
    expect(violationCodeOf(() => node.append(earlier))).toBe("rollbackTooDeep");
    finalUpTo(node, 3);
    // Within a batch, too.
    expect(node.chain.forks.inBatch(() => node.node.append(earlier))).toBe(true);
    expect(node.chain.stored.tip().id).toEqual(earlier.id);
  });

  test("discards no micro-block of a final tip, and none extends it", () => {
    const node = nodeNamed("first");
    node.mineTo(3);
    const onKeyBlock = copyOf(node, 3, "second");
    onKeyBlock.mineTo(4);
    node.nowMs = Number(node.chain.stored.tip().timestamp);
    node.broadcast(signedTransfer({ timestamp: BigInt(node.nowMs) }));
    while (node.pool.size > 0) node.step();
    expect([node.height, node.chain.stored.microBlockCount()]).toEqual([3, 1]);
    node.broadcast(signedTransfer({ timestamp: BigInt(node.nowMs) + 1n }));
    const { microBlock } = packedMicroBlock(node);
    node.nowMs = onKeyBlock.nowMs;
    const next = blocksOf(onKeyBlock, 4);
    finalUpTo(node, 3);
    expect(node.chain.stored.isTipFinal()).toBe(true);
    expect(violationCodeOf(() => node.append(next[0] as (typeof next)[0]))).toBe("rollbackTooDeep");
    expect(violationCodeOf(() => node.node.appendBranch(next))).toBe("rollbackTooDeep");
    const violation = { code: "microBlockRefused", reason: "the liquid block is final" };
    expect(() => node.node.appendMicroBlock(microBlock)).toThrow(expect.objectContaining({ violation }));
    finalUpTo(node, 2);
    expect(node.chain.stored.isTipFinal()).toBe(false);
    node.append(next[0] as (typeof next)[0]);
    expect([node.height, node.chain.stored.rowAt(3).transactionCount]).toEqual([4, 0]);
  });
});

describe("a chain that is rolled back", () => {
  test("goes down to the finalized height, which stays true", () => {
    const node = nodeNamed("first");
    node.mineTo(6);
    finalUpTo(node, 4);
    expect(violationCodeOf(() => node.chain.forks.revertTo(3))).toBe("rollbackTooDeep");
    expect(node.chain.forks.revertTo(4)).toBe(true);
    expect([node.height, node.chain.stored.finalizedHeight(), node.chain.forks.epoch()]).toEqual([4, 4, 0]);
    expect(heightsOfBranchBlocks(node)).toEqual([5, 6]);
  });

  test("keeps its finalized height, and keeps no block that left and is final by now", () => {
    const node = nodeNamed("first");
    node.mineTo(6);
    expect(node.node.store.findMeta(FINALIZED_HEIGHT)).toBeUndefined();
    node.chain.forks.revertTo(3);
    expect(node.node.store.findMeta(FINALIZED_HEIGHT)).toBe("1");
    expect(heightsOfBranchBlocks(node)).toEqual([4, 5, 6]);
    node.nowMs += 100_000;
    node.mineTo(6);
    finalUpTo(node, 5);
    node.mineTo(7);
    expect(heightsOfBranchBlocks(node).every((height) => height > 5)).toBe(true);
  });

  test("is not shown above the new tip, and no request waits for states that are gone", () => {
    const node = nodeNamed("first");
    node.mineTo(5);
    const { store } = node.node;
    store.sql.exec("UPDATE publication SET shown_height = 4, shown_transactions = 7");
    const marked = () =>
      store
        .rows("SELECT rows FROM outbox WHERE table_number = -1 ORDER BY seq")
        .map(([rows]) => (JSON.parse(String(rows)) as { height: number }).height);
    expect(marked().slice(-3)).toEqual([3, 4, 5]);
    node.chain.forks.revertTo(3);
    expect(store.rows("SELECT shown_height, shown_transactions FROM publication")).toEqual([[3, 0]]);
    expect(marked().filter((height) => height > 3)).toEqual([]);
    expect(marked().at(-1)).toBe(3);
  });

  test("by force goes further: a new epoch begins, the finalized height falls, and no block returns by itself", () => {
    const node = nodeNamed("first");
    node.mineTo(6);
    finalUpTo(node, 4);
    node.node.store.putMeta(EPOCH, "7");
    expect(node.chain.forks.revertTo(3, { isForced: true })).toBe(true);
    const { stored, forks } = node.chain;
    expect([node.height, forks.epoch(), stored.finalizedHeight(), stored.state().epoch]).toEqual([3, 8, 1, 8]);
    expect(heightsOfBranchBlocks(node)).toEqual([]);
  });

  test("by force, though not below the finalized height, keeps the epoch", () => {
    const node = nodeNamed("first");
    node.mineTo(6);
    finalUpTo(node, 4);
    node.chain.forks.revertTo(4, { isForced: true });
    expect([node.chain.forks.epoch(), node.chain.stored.finalizedHeight()]).toEqual([0, 4]);
  });

  test("by force does not go below the undo records or genesis", () => {
    const node = nodeNamed("first");
    node.mineTo(6);
    expect(violationCodeOf(() => node.chain.forks.revertTo(0, { isForced: true }))).toBe("rollbackTooDeep");
    node.node.store.prune(4);
    const lowest = node.node.store.lowestRollbackHeight();
    expect(lowest).toBeGreaterThan(1);
    expect(violationCodeOf(() => node.chain.forks.revertTo(lowest - 1, { isForced: true }))).toBe("rollbackTooDeep");
    expect(node.chain.forks.revertTo(lowest, { isForced: true })).toBe(true);
    expect(node.height).toBe(lowest);
  });
});
