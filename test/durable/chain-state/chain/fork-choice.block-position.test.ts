/** Position of a received block or branch in the chain, and the errors for one that has none. */
import { describe, expect, test, vi } from "vitest";
import { Committer } from "../../../../durable/chain-state/chain/committer.ts";
import { FINALIZED_HEIGHT } from "../../../../durable/chain-state/chain/stored-chain.ts";
import { StateStore } from "../../../../durable/chain-state/state/state-store.ts";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import type { Block } from "../../../../src/protocol/blocks/block.ts";
import { RuleError } from "../../../../src/protocol/errors.ts";
import type { Transaction } from "../../../../src/protocol/transactions/transaction.ts";
import { stateTables } from "../../../../src/tables/all-tables.ts";
import { transactionTable } from "../../../../src/tables/blocks.ts";
import { context, type FollowedChain, followedChain } from "../../../support/builders/followed-chain.ts";
import {
  blockAt,
  blocksOf,
  nodeNamed,
  replacedMicroBlocks,
  startMs,
  transferIds,
} from "../../../support/builders/forked-nodes.ts";
import { once } from "../../../support/builders/next-block.ts";
import { signedTransfer } from "../../../support/builders/signed-transfer.ts";

/** Blocks by height. The first three nodes share the second block and forge their own above it. */
const blocksByHeight = once(() => {
  const node = nodeNamed("first");
  node.mineTo(2);
  const second = blockAt(node, 2);
  const rival = nodeNamed("second");
  rival.append(second);
  const late = nodeNamed("third");
  late.append(second);
  rival.nowMs = node.nowMs;
  node.mineTo(5);
  rival.mineTo(5);
  late.nowMs = (late.miner.nextWakeMs(node.nowMs) as number) + 100_000;
  late.work();
  return { first: [second, ...blocksOf(node, 3)], rival: blocksOf(rival, 3), late: blockAt(late, 3) };
});

/** Blocks of the first node from height 2. */
const first = () => blocksByHeight().first as [Block, Block, Block, Block];
/** Blocks of its rival from height 3, as late and of the same weight. */
const rival = () => blocksByHeight().rival as [Block, Block, Block];

/** Chain with these blocks. */
function chainOf(blocks: readonly Block[]): FollowedChain {
  const followed = followedChain();
  for (const block of blocks) expect(followed.chain.forks.appendBlock(block, context)).toBe(true);
  followed.notifications.length = 0;
  return followed;
}

/** Chain of `replacedMicroBlocks`: a key block and two micro-blocks. */
function extendedChain() {
  const { keyBlock, microBlocks, next } = replacedMicroBlocks();
  const followed = chainOf([keyBlock]);
  for (const microBlock of microBlocks) followed.chain.liquid.appendMicroBlock(microBlock, context);
  followed.notifications.length = 0;
  return { ...followed, keyBlock, next };
}

/** Violation that the function throws. */
function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    if (error instanceof RuleError) return error.violation;
    throw error;
  }
  return undefined;
}

const unknownReference = (reference: Uint8Array, tip: Uint8Array) => ({
  code: "blockReferenceUnknown",
  reference: encodeBase58(reference),
  tip: encodeBase58(tip),
});

const storedHeights = ({ database }: FollowedChain) =>
  database.database
    .prepare("SELECT height FROM branch_block ORDER BY height")
    .all()
    .map(({ height }) => height);

const tipOf = ({ chain }: FollowedChain) => encodeBase58(chain.stored.tip().id);

describe("a block", () => {
  test("whose parent is unknown is refused, with the parent and the tip", () => {
    const [, third, fourth] = first();
    const { chain } = chainOf([]);
    const genesis = chain.stored.tip().id;
    expect(errorOf(() => chain.forks.appendBlock(third, context))).toEqual(
      unknownReference(third.header.reference, genesis),
    );
    const [second] = first();
    chain.forks.appendBlock(second, context);
    expect(errorOf(() => chain.forks.appendBlock(fourth, context))).toEqual(unknownReference(third.id, second.id));
  });

  test("whose parent is below the tip's parent is no branch by itself", () => {
    const [second, third, fourth] = first();
    const followed = chainOf([second, third, fourth]);
    expect(errorOf(() => followed.chain.forks.appendBlock(rival()[0], context))).toEqual(
      unknownReference(second.id, fourth.id),
    );
    expect(tipOf(followed)).toBe(encodeBase58(fourth.id));
  });

  test("that the chain has changes nothing, at any height", () => {
    const blocks = first().slice(0, 3);
    const followed = chainOf(blocks);
    for (const block of blocks) expect(followed.chain.forks.appendBlock(block, context)).toBe(false);
    expect([tipOf(followed), followed.notifications]).toEqual([encodeBase58((blocks[2] as Block).id), []]);
  });

  test("replaces a later one with the same parent, and a later one does not", () => {
    const [second, third] = first();
    const { late } = blocksByHeight();
    const followed = chainOf([second, late]);
    expect(followed.chain.forks.appendBlock(third, context)).toBe(true);
    expect(tipOf(followed)).toBe(encodeBase58(third.id));
    expect(errorOf(() => followed.chain.forks.appendBlock(late, context))).toEqual({
      code: "competitorNotBetter",
      timestamp: late.header.timestamp,
      currentTimestamp: third.header.timestamp,
    });
    // The same generator signed it twice.
    expect(followed.chain.forks.appendBlock(rival()[0], context)).toBe(false);
    expect(tipOf(followed)).toBe(encodeBase58(third.id));
  });

  test("on a branch that lost restores it, and no longer waits", () => {
    const [second, third, fourth, fifth] = first();
    const followed = chainOf([second, third, fourth]);
    followed.chain.forks.revertTo(2);
    expect(storedHeights(followed)).toEqual([3, 4]);
    expect(followed.chain.forks.appendBlock(fifth, context)).toBe(true);
    expect(tipOf(followed)).toBe(encodeBase58(fifth.id));
    expect(storedHeights(followed)).toEqual([]);
  });

  test("finds no branch with a parent below the finalized height", () => {
    const [second, third, fourth, fifth] = first();
    const { chain, database } = chainOf([second, third, fourth]);
    chain.forks.revertTo(2);
    for (const block of rival().slice(0, 2)) chain.forks.appendBlock(block, context);
    database.database.prepare("UPDATE meta SET value = '3' WHERE name = ?").run(FINALIZED_HEIGHT);
    expect(chain.stored.finalizedHeight()).toBe(3);
    expect(errorOf(() => chain.forks.appendBlock(fifth, context))).toEqual(
      unknownReference(fourth.id, (rival()[1] as Block).id),
    );
  });

  test("on the tip replaces nothing: the snapshots of the tip's transactions are not read", () => {
    const { chain } = extendedChain();
    const read = vi.spyOn(chain.stored, "stateSnapshotsOfTip");
    const node = nodeNamed("fourth");
    for (const block of blocksOfTip(chain)) node.append(block);
    node.nowMs = Number(chain.stored.tip().timestamp) + 60_000;
    node.mineTo(3);
    expect(chain.forks.appendBlock(blockAt(node, 3), context)).toBe(true);
    expect(read).not.toHaveBeenCalled();
  });
});

const blocksOfTip = (chain: FollowedChain["chain"]) => [chain.stored.findBlock(2) as Block];

describe("a branch", () => {
  test("that weighs more is applied, and changes nothing once the chain has it", () => {
    const [second, third] = first();
    const followed = chainOf([second, third]);
    const branch = [second, ...rival().slice(0, 2)];
    const { forks, stored } = followed.chain;
    const before = forks.score();
    expect(forks.appendBranch(branch, context)).toBe(true);
    expect(tipOf(followed)).toBe(encodeBase58(rival()[1].id));
    expect([forks.score() > before, forks.score()]).toEqual([true, stored.tip().score]);
    expect(storedHeights(followed)).toEqual([3]);
    const { length } = followed.notifications;
    expect(forks.appendBranch(branch, context)).toBe(false);
    expect(followed.notifications).toHaveLength(length);
  });

  test("that weighs as much is refused, with both weights", () => {
    const [second, third] = first();
    const followed = chainOf([second, third]);
    const { score } = followed.chain.stored.tip();
    expect(errorOf(() => followed.chain.forks.appendBranch([rival()[0]], context))).toEqual({
      code: "branchNotBetter",
      score,
      currentScore: score,
    });
    expect(tipOf(followed)).toBe(encodeBase58(third.id));
  });

  test("with a gap, or on an unknown block, is refused with the missing parent", () => {
    const blocks = first();
    const [, , , fifth] = blocks;
    const [one, two, three] = rival();
    const { chain } = chainOf(blocks);
    // Before the weight is compared: this branch would be too light.
    expect(errorOf(() => chain.forks.appendBranch([one, three], context))).toEqual(unknownReference(two.id, one.id));
    expect(errorOf(() => chain.forks.appendBranch([two, three], context))).toEqual(unknownReference(one.id, fifth.id));
  });

  test.each([0n, -1n])("with the base target %s is refused for it, before its weight is compared", (baseTarget) => {
    const [second, third] = first();
    const [one, two] = rival();
    const { chain } = chainOf([second, third]);
    const damaged = { ...two, header: { ...two.header, baseTarget } };
    expect(errorOf(() => chain.forks.appendBranch([one, damaged], context))).toEqual({
      code: "headerFieldInvalid",
      field: "baseTarget",
      reason: "not positive",
    });
  });

  test("may have an earlier form of the tip as parent, and begin with it", () => {
    const [a, b, c] = transferIds;
    const followed = extendedChain();
    const { chain, keyBlock, next, notifications } = followed;
    expect(chain.forks.appendBranch([keyBlock], context)).toBe(false);
    expect(chain.forks.appendBranch([keyBlock, next], context)).toBe(true);
    expect(notifications).toEqual([{ appended: [b, c], discarded: [], dropped: [a] }]);
    // The key block stayed: no block left the chain.
    expect([tipOf(followed), storedHeights(followed)]).toEqual([encodeBase58(next.id), []]);
  });
});

describe("a chain that is rolled back", () => {
  test("to its tip or above is as it was", () => {
    const { chain, notifications } = chainOf(first().slice(0, 2));
    for (const height of [3, 4]) expect(chain.forks.revertTo(height)).toBe(false);
    expect([chain.view.height, notifications]).toEqual([3, []]);
  });

  test("returns its transactions to the pool, or drops them on request", () => {
    const { chain, notifications } = extendedChain();
    chain.forks.revertTo(1, { dropsTransactions: true });
    expect(notifications).toEqual([{ appended: [], discarded: [], dropped: [] }]);
    const other = extendedChain();
    other.chain.forks.revertTo(1);
    expect(other.notifications).toEqual([{ appended: [], discarded: [], dropped: transferIds.slice(0, 2) }]);
  });
});

describe("pending changes in memory are written once they are large:", () => {
  test("after each block of a batch, with the mark that readers need, and after each block of a branch", () => {
    const [second, third] = first();
    const ofBatch = vi.spyOn(Committer.prototype, "flushIfMany");
    const ofBranch = vi.spyOn(StateStore.prototype, "flushIfMany");
    try {
      const { chain } = chainOf([]);
      chain.forks.inBatch(() => {
        chain.forks.appendBlock(second, context);
        expect(ofBatch).toHaveBeenCalledTimes(1);
        chain.forks.appendBlock(third, context);
        expect(ofBatch).toHaveBeenCalledTimes(2);
      });
      ofBranch.mockClear();
      chain.forks.appendBranch(rival(), context);
      expect(ofBranch.mock.calls.length).toBeGreaterThanOrEqual(3);
    } finally {
      ofBatch.mockRestore();
      ofBranch.mockRestore();
    }
  });
});

test("rows that many following transactions need are read in one query", () => {
  const { chain } = chainOf([]);
  const looked = vi.spyOn(StateStore.prototype, "prefetchLatest");
  try {
    const transactions: readonly Transaction[] = Array.from({ length: 8 }, (_, index) =>
      signedTransfer({ timestamp: BigInt(startMs + index) }),
    );
    chain.forks.prefetch(transactions);
    expect(looked.mock.calls).toEqual([[transactionTable, transactions.map(({ id }) => ({ id }))]]);
  } finally {
    looked.mockRestore();
  }
});

test("the chain's tables are those of its blocks, in whichever form they arrived", () => {
  const [second, third] = first();
  const names = stateTables.map(({ name }) => name);
  const straight = chainOf([second, ...rival().slice(0, 2)]);
  const around = chainOf([second, third]);
  around.chain.forks.appendBranch(rival().slice(0, 2), context);
  expect(around.database.dump(names)).toBe(straight.database.dump(names));
});
