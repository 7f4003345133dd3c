/** Notifications of chain changes about transactions: included, dropped, waiting again. */
import { describe, expect, test, vi } from "vitest";
import { Committer } from "../../../../durable/chain-state/chain/committer.ts";
import { openChain } from "../../../../durable/chain-state/chain/open-chain.ts";
import { privateNetwork } from "../../../../src/network/networks/private.ts";
import type { Block, MicroBlock } from "../../../../src/protocol/blocks/block.ts";
import { context, followedChain } from "../../../support/builders/followed-chain.ts";
import {
  blockAt,
  extend,
  nodeNamed,
  replacedMicroBlocks,
  startMs,
  transferIds,
  transfers,
} from "../../../support/builders/forked-nodes.ts";
import { testStore } from "../../../support/builders/test-store.ts";

const [a, b, c] = transferIds;

/** Two nodes that fork at height 2: one has the first two transfers at 3, the other, one block longer, the last two. */
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

describe("listeners of the chain are notified", () => {
  test("of a micro-block's transactions, and that the priority pool stays the same", () => {
    const { keyBlock, microBlocks } = replacedMicroBlocks();
    const { chain, notifications, landed } = followedChain();
    chain.forks.appendBlock(keyBlock, context);
    expect(notifications).toEqual([{ appended: [], discarded: [], dropped: [] }]);
    for (const microBlock of microBlocks) chain.liquid.appendMicroBlock(microBlock, context);
    expect(notifications.slice(1)).toEqual([
      { appended: [a], discarded: undefined, dropped: [] },
      { appended: [b], discarded: undefined, dropped: [] },
    ]);
    expect(landed).toEqual([2, 2, 2]);
  });

  test("of the micro-block transactions that a key block discards, except those that it contains itself", () => {
    const { keyBlock, microBlocks, next } = replacedMicroBlocks();
    const { chain, notifications } = followedChain();
    chain.forks.appendBlock(keyBlock, context);
    for (const microBlock of microBlocks) chain.liquid.appendMicroBlock(microBlock, context);
    notifications.length = 0;
    chain.forks.appendBlock(next, context);
    expect(notifications).toEqual([{ appended: [b, c], discarded: [a], dropped: [] }]);
  });

  test("of the same where that key block is the first of a batch", () => {
    const { keyBlock, microBlocks, next } = replacedMicroBlocks();
    const { chain, notifications } = followedChain();
    chain.forks.appendBlock(keyBlock, context);
    for (const microBlock of microBlocks) chain.liquid.appendMicroBlock(microBlock, context);
    notifications.length = 0;
    expect(chain.forks.inBatch(() => chain.forks.appendBlock(next, context))).toBe(true);
    expect(notifications).toEqual([{ appended: [b, c], discarded: [a], dropped: [] }]);
    expect(chain.forks.inBatch(() => chain.forks.appendBlock(next, context))).toBe(false);
  });

  test("of the transactions that come after a key block's parent micro-block", () => {
    const { keyBlock, microBlocks } = replacedMicroBlocks();
    const rival = nodeNamed("third");
    rival.append(keyBlock);
    const [first] = microBlocks as [MicroBlock];
    rival.node.appendMicroBlock(first);
    rival.nowMs = Number(keyBlock.header.timestamp) + 60_000;
    rival.mineTo(3);
    const { chain, notifications } = followedChain();
    chain.forks.appendBlock(keyBlock, context);
    for (const microBlock of microBlocks) chain.liquid.appendMicroBlock(microBlock, context);
    notifications.length = 0;
    chain.forks.appendBlock(blockAt(rival, 3), context);
    expect(notifications).toEqual([{ appended: [], discarded: [b], dropped: [] }]);
    expect(chain.stored.rowAt(2).transactionCount).toBe(1);
  });

  test("of a branch's transactions, and of those that it dropped and does not contain", () => {
    const { node, rival } = rivals();
    const { chain, notifications } = followedChain();
    for (const height of [2, 3]) chain.forks.appendBlock(blockAt(node, height), context);
    notifications.length = 0;
    chain.forks.appendBranch([blockAt(rival, 3), blockAt(rival, 4)], context);
    expect(notifications).toEqual([{ appended: [b, c], discarded: [], dropped: [a] }]);
    notifications.length = 0;
    chain.forks.revertTo(2);
    expect(notifications).toEqual([{ appended: [], discarded: [], dropped: [b, c] }]);
  });

  test("of a batch's transactions once", () => {
    const { keyBlock, microBlocks } = replacedMicroBlocks();
    const node = nodeNamed("first");
    node.append(keyBlock);
    for (const microBlock of microBlocks) node.node.appendMicroBlock(microBlock);
    node.nowMs = Number(keyBlock.header.timestamp) + 60_000;
    node.mineTo(4);
    const { chain, notifications } = followedChain();
    chain.forks.inBatch(() => {
      for (const height of [2, 3, 4]) chain.forks.appendBlock(blockAt(node, height), context);
    });
    expect(notifications).toEqual([{ appended: [a, b], discarded: undefined, dropped: [] }]);
    // A block without transactions causes no notification.
    node.mineTo(5);
    chain.forks.inBatch(() => chain.forks.appendBlock(blockAt(node, 5), context));
    expect(notifications).toHaveLength(1);
  });

  test("of a batch with replaced blocks: of the transactions that are in the chain", () => {
    const { node, rival } = rivals();
    const { chain, notifications } = followedChain();
    chain.forks.inBatch(() => {
      for (const height of [2, 3]) chain.forks.appendBlock(blockAt(node, height), context);
      chain.forks.appendBranch([blockAt(rival, 3), blockAt(rival, 4)], context);
    });
    // Transactions that the branch dropped wait in the pool: no later notification may report them as included.
    expect(notifications).toEqual([
      { appended: [b, c], discarded: [], dropped: [a] },
      { appended: [b], discarded: undefined, dropped: [] },
    ]);
  });

  test("of the blocks of a batch before a refused one, which throws its reason", () => {
    const { keyBlock, microBlocks } = replacedMicroBlocks();
    const node = nodeNamed("first");
    node.append(keyBlock);
    for (const microBlock of microBlocks) node.node.appendMicroBlock(microBlock);
    const { chain, notifications, database } = followedChain();
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
    notifications.length = 0;
    expect(run(refused)).toThrow(refused);
    expect(chain.view.height).toBe(2);
    expect(notifications).toEqual([{ appended: [a, b], discarded: undefined, dropped: [] }]);
  });

  test("of none of a batch's blocks if the database refused one of them before the last", () => {
    const { keyBlock, microBlocks } = replacedMicroBlocks();
    const node = nodeNamed("first");
    node.append(keyBlock);
    for (const microBlock of microBlocks) node.node.appendMicroBlock(microBlock);
    const { chain, notifications, database } = followedChain();
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
    expect([chain.view.height, notifications]).toEqual([1, []]);
  });

  test("of a batch without a refused branch within it", () => {
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

  test("that a change has been committed, and of no other", () => {
    const { keyBlock } = replacedMicroBlocks();
    const { chain, notifications, landed, database } = followedChain();
    // It fails at the very end, when the state of the tables is marked.
    database.exec(
      "CREATE TRIGGER full BEFORE INSERT ON outbox WHEN NEW.table_number = -1 BEGIN SELECT RAISE(ABORT, 'the disk is full'); END",
    );
    expect(() => chain.forks.appendBlock(keyBlock, context)).toThrow("the disk is full");
    expect([notifications.length, landed.length, chain.view.height]).toEqual([1, 0, 1]);
    database.exec("DROP TRIGGER full");
    chain.forks.appendBlock(keyBlock, context);
    expect([notifications.length, landed]).toEqual([2, [2]]);
  });

  test("of nothing that the tables refused", () => {
    const { keyBlock, microBlocks } = replacedMicroBlocks();
    const { chain, notifications, landed } = followedChain();
    chain.forks.appendBlock(keyBlock, context);
    const [, second] = microBlocks as [MicroBlock, MicroBlock];
    expect(() => chain.liquid.appendMicroBlock(second, context)).toThrow("microBlockRefused");
    expect([notifications.length, landed.length]).toEqual([1, 1]);
  });
});

test("the blocks of a batch stay, even if notifying the listeners fails", () => {
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

test("expired rows are deleted with each block, and once for a batch", () => {
  const expire = vi.spyOn(Committer.prototype, "expire");
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
