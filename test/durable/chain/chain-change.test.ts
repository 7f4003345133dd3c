/** What those who follow the chain are told of transactions: which came in, which left for good, which wait again. */
import { describe, expect, test, vi } from "vitest";
import { CommitStep } from "../../../durable/chain/commit-step.ts";
import { openChain } from "../../../durable/chain/open-chain.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { Block, MicroBlock } from "../../../src/protocol/blocks/block.ts";
import { testStore } from "../test-store.ts";
import { context, followedChain } from "./followed-chain.ts";
import { blockAt, extend, leftBehind, nodeNamed, startMs, transferIds, transfers } from "./forked-nodes.ts";

const [a, b, c] = transferIds;

/** Two nodes that part at height 2: one has the first two transfers at 3, the other, a block longer, the last two. */
function rivals() {
  const node = nodeNamed("first");
  node.mineTo(2);
  const rival = nodeNamed("second");
  rival.append(blockAt(node, 2));
  node.mineTo(3);
  extend(node, transfers.slice(0, 2));
  rival.nowMs = node.nowMs;
  rival.mineTo(3);
  extend(rival, [transfers[1], transfers[2]]);
  rival.mineTo(4);
  return { node, rival };
}

describe("those who follow the chain are told", () => {
  test("of a micro-block what came in, and that what goes first stays the same", () => {
    const { keyBlock, microBlocks } = leftBehind();
    const { chain, told, landed } = followedChain();
    chain.forks.appendBlock(keyBlock, context);
    expect(told).toEqual([{ appended: [], discarded: [], dropped: [] }]);
    for (const microBlock of microBlocks) chain.liquid.appendMicroBlock(microBlock, context);
    expect(told.slice(1)).toEqual([
      { appended: [a], discarded: undefined, dropped: [] },
      { appended: [b], discarded: undefined, dropped: [] },
    ]);
    expect(landed).toEqual([2, 2, 2]);
  });

  test("of a key block which transactions of micro-blocks it leaves behind, but for those that it has itself", () => {
    const { keyBlock, microBlocks, next } = leftBehind();
    const { chain, told } = followedChain();
    chain.forks.appendBlock(keyBlock, context);
    for (const microBlock of microBlocks) chain.liquid.appendMicroBlock(microBlock, context);
    told.length = 0;
    chain.forks.appendBlock(next, context);
    expect(told).toEqual([{ appended: [b, c], discarded: [a], dropped: [] }]);
  });

  test("the same where that key block is the first of many", () => {
    const { keyBlock, microBlocks, next } = leftBehind();
    const { chain, told } = followedChain();
    chain.forks.appendBlock(keyBlock, context);
    for (const microBlock of microBlocks) chain.liquid.appendMicroBlock(microBlock, context);
    told.length = 0;
    expect(chain.forks.inBatch(() => chain.forks.appendBlock(next, context))).toBe(true);
    expect(told).toEqual([{ appended: [b, c], discarded: [a], dropped: [] }]);
    expect(chain.forks.inBatch(() => chain.forks.appendBlock(next, context))).toBe(false);
  });

  test("of a key block on a micro-block which come after that one", () => {
    const { keyBlock, microBlocks } = leftBehind();
    const rival = nodeNamed("third");
    rival.append(keyBlock);
    const [first] = microBlocks as [MicroBlock];
    rival.node.appendMicroBlock(first);
    rival.nowMs = Number(keyBlock.header.timestamp) + 60_000;
    rival.mineTo(3);
    const { chain, told } = followedChain();
    chain.forks.appendBlock(keyBlock, context);
    for (const microBlock of microBlocks) chain.liquid.appendMicroBlock(microBlock, context);
    told.length = 0;
    chain.forks.appendBlock(blockAt(rival, 3), context);
    expect(told).toEqual([{ appended: [], discarded: [b], dropped: [] }]);
    expect(chain.stored.rowAt(2).transactionCount).toBe(1);
  });

  test("of a branch what came in, and which of those that fell out did not come back with it", () => {
    const { node, rival } = rivals();
    const { chain, told } = followedChain();
    for (const height of [2, 3]) chain.forks.appendBlock(blockAt(node, height), context);
    told.length = 0;
    chain.forks.appendBranch([blockAt(rival, 3), blockAt(rival, 4)], context);
    expect(told).toEqual([{ appended: [b, c], discarded: [], dropped: [a] }]);
    told.length = 0;
    chain.forks.revertTo(2);
    expect(told).toEqual([{ appended: [], discarded: [], dropped: [b, c] }]);
  });

  test("of many blocks that come together what came in with them, once", () => {
    const { keyBlock, microBlocks } = leftBehind();
    const node = nodeNamed("first");
    node.append(keyBlock);
    for (const microBlock of microBlocks) node.node.appendMicroBlock(microBlock);
    node.nowMs = Number(keyBlock.header.timestamp) + 60_000;
    node.mineTo(4);
    const { chain, told } = followedChain();
    chain.forks.inBatch(() => {
      for (const height of [2, 3, 4]) chain.forks.appendBlock(blockAt(node, height), context);
    });
    expect(told).toEqual([{ appended: [a, b], discarded: undefined, dropped: [] }]);
    // One without transactions is nothing to tell.
    node.mineTo(5);
    chain.forks.inBatch(() => chain.forks.appendBlock(blockAt(node, 5), context));
    expect(told).toHaveLength(1);
  });

  test("of many blocks of which some were replaced what is in the chain of them", () => {
    const { node, rival } = rivals();
    const { chain, told } = followedChain();
    chain.forks.inBatch(() => {
      for (const height of [2, 3]) chain.forks.appendBlock(blockAt(node, height), context);
      chain.forks.appendBranch([blockAt(rival, 3), blockAt(rival, 4)], context);
    });
    // What the branch dropped waits in the pool: nobody may say afterwards that it is in the chain.
    expect(told).toEqual([
      { appended: [b, c], discarded: [], dropped: [a] },
      { appended: [b], discarded: undefined, dropped: [] },
    ]);
  });

  test("of many blocks those before one that is refused, and why that was", () => {
    const { keyBlock, microBlocks } = leftBehind();
    const node = nodeNamed("first");
    node.append(keyBlock);
    for (const microBlock of microBlocks) node.node.appendMicroBlock(microBlock);
    const { chain, told, database } = followedChain();
    const run = (thrown: Error) => () =>
      chain.forks.inBatch(() => {
        chain.forks.appendBlock(blockAt(node, 2), context);
        throw thrown;
      });
    const refused = new TypeError("refused");
    database.exec("CREATE TRIGGER full BEFORE INSERT ON undo BEGIN SELECT RAISE(ABORT, 'the disk is full'); END");
    expect(run(refused)).toThrow(
      expect.objectContaining({
        cause: refused,
        errors: [refused, expect.objectContaining({ message: "the disk is full" })],
      }),
    );
    expect(chain.view.height).toBe(1);
    database.exec("DROP TRIGGER full");
    told.length = 0;
    expect(run(refused)).toThrow(refused);
    expect(chain.view.height).toBe(2);
    expect(told).toEqual([{ appended: [a, b], discarded: undefined, dropped: [] }]);
  });

  test("of many blocks nothing of those that the database refused before the last of them was there", () => {
    const { keyBlock, microBlocks } = leftBehind();
    const node = nodeNamed("first");
    node.append(keyBlock);
    for (const microBlock of microBlocks) node.node.appendMicroBlock(microBlock);
    const { chain, told, database } = followedChain();
    database.exec("CREATE TRIGGER full BEFORE INSERT ON undo BEGIN SELECT RAISE(ABORT, 'the disk is full'); END");
    const run = () =>
      chain.forks.inBatch(() => {
        chain.forks.appendBlock(blockAt(node, 2), context);
        try {
          chain.liquid.withLiquidForm(0, () => 0);
        } finally {
          database.exec("DROP TRIGGER full");
        }
      });
    expect(run).toThrow("the disk is full");
    expect([chain.view.height, told]).toEqual([1, []]);
  });

  test("of a batch whatever a refused branch within it leaves as it was", () => {
    const node = nodeNamed("first");
    node.mineTo(4);
    const { chain } = followedChain();
    const [second, third, fourth] = [2, 3, 4].map((height) => blockAt(node, height)) as [Block, Block, Block];
    const damaged = { ...third, header: { ...third.header, baseTarget: third.header.baseTarget - 1n } };
    chain.forks.inBatch(() => {
      chain.forks.appendBlock(second, context);
      expect(() => chain.forks.appendBranch([damaged], context)).toThrow("blockSignatureInvalid");
      for (const block of [third, fourth]) chain.forks.appendBlock(block, context);
    });
    expect(chain.stored.tip()).toEqual(node.chain.stored.tip());
  });

  test("that a change has landed once it has, and of no other", () => {
    const { keyBlock } = leftBehind();
    const { chain, told, landed, database } = followedChain();
    // It fails at the very end: where the tables' state is marked.
    database.exec(
      "CREATE TRIGGER full BEFORE INSERT ON outbox WHEN NEW.table_number = -1 BEGIN SELECT RAISE(ABORT, 'the disk is full'); END",
    );
    expect(() => chain.forks.appendBlock(keyBlock, context)).toThrow("the disk is full");
    expect([told.length, landed.length, chain.view.height]).toEqual([1, 0, 1]);
    database.exec("DROP TRIGGER full");
    chain.forks.appendBlock(keyBlock, context);
    expect([told.length, landed]).toEqual([2, [2]]);
  });

  test("nothing of what the tables did not take", () => {
    const { keyBlock, microBlocks } = leftBehind();
    const { chain, told, landed } = followedChain();
    chain.forks.appendBlock(keyBlock, context);
    const [, second] = microBlocks as [MicroBlock, MicroBlock];
    expect(() => chain.liquid.appendMicroBlock(second, context)).toThrow("microBlockRefused");
    expect([told.length, landed.length]).toEqual([1, 1]);
  });
});

test("the blocks of a batch stay, whatever becomes of telling those who follow the chain", () => {
  const node = nodeNamed("first");
  node.mineTo(2);
  extend(node, transfers.slice(0, 2));
  const { store, database } = testStore();
  const chain = openChain({
    ...{ store, settings: privateNetwork.blockchain, transaction: database.transaction, maxRollbackDepth: 100 },
    follow: () => {
      throw new Error("the pool is broken");
    },
  });
  chain.liquid.ensureGenesis(startMs);
  expect(() => chain.forks.inBatch(() => chain.forks.appendBlock(blockAt(node, 2), context))).toThrow(
    "the pool is broken",
  );
  expect(chain.stored.tip()).toEqual(node.chain.stored.tip());
});

test("what has become too old is let go with each block, and once for many together", () => {
  const expire = vi.spyOn(CommitStep.prototype, "expire");
  try {
    const node = nodeNamed("first");
    node.mineTo(4);
    const { chain } = followedChain();
    expire.mockClear();
    chain.forks.appendBlock(blockAt(node, 2), context);
    expect(expire.mock.calls).toEqual([[1]]);
    expire.mockClear();
    chain.forks.inBatch(() => {
      for (const height of [3, 4]) chain.forks.appendBlock(blockAt(node, height), context);
    });
    expect(expire.mock.calls).toEqual([[2]]);
  } finally {
    expire.mockRestore();
  }
});
