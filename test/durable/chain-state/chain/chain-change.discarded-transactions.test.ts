/**
 * State snapshots of transactions that a key block discards: listeners get them if they were made on the same state.
 */
import { expect, test } from "vitest";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import type { Block, MicroBlock } from "../../../../src/protocol/blocks/block.ts";
import { context, type FollowedChain, followedChain } from "../../../support/builders/followed-chain.ts";
import {
  blockAt,
  extend,
  nodeNamed,
  replacedMicroBlocks,
  transferIds,
  transfers,
} from "../../../support/builders/forked-nodes.ts";

const [a, b] = transferIds;

/** Chain with the blocks, extended by the micro-blocks. */
function chainOf(blocks: readonly Block[], microBlocks: readonly MicroBlock[]): FollowedChain {
  const followed = followedChain();
  for (const block of blocks) followed.chain.forks.appendBlock(block, context);
  for (const microBlock of microBlocks) followed.chain.liquid.appendMicroBlock(microBlock, context);
  followed.notifications.length = 0;
  return followed;
}

/** State snapshots of the tip's transactions in the tables, by transaction id. */
function stateSnapshotsOf({ chain, database }: FollowedChain): ReadonlyMap<string, Uint8Array> {
  const rows = database.database.prepare("SELECT id, snapshot FROM tx WHERE height = ?").all(chain.view.height);
  return new Map(rows.map(({ id, snapshot }) => [encodeBase58(id as Uint8Array), snapshot as Uint8Array]));
}

test("a block without transactions on the key block: state snapshots of its micro-blocks' transactions", () => {
  const { keyBlock, microBlocks } = replacedMicroBlocks();
  const followed = chainOf([keyBlock], microBlocks);
  const did = stateSnapshotsOf(followed);
  expect([...did.keys()].sort()).toEqual([a, b].sort());
  const other = nodeNamed("third");
  other.append(keyBlock);
  other.nowMs = Number(keyBlock.header.timestamp) + 60_000;
  other.mineTo(3);
  followed.chain.forks.appendBlock(blockAt(other, 3), context);
  expect(followed.notifications).toEqual([{ appended: [], discarded: [a, b], dropped: [] }]);
  expect(followed.stateSnapshots).toEqual(did);
});

test("a block with transactions of its own: none, since those snapshots were made without them", () => {
  const { keyBlock, microBlocks, next } = replacedMicroBlocks();
  const followed = chainOf([keyBlock], microBlocks);
  followed.chain.forks.appendBlock(next, context);
  expect([...followed.stateSnapshots]).toEqual([[a, undefined]]);
});

test("a block without transactions that replaces the whole liquid block: state snapshots of all its transactions", () => {
  const node = nodeNamed("first");
  node.mineTo(2);
  const second = blockAt(node, 2);
  const early = nodeNamed("second");
  early.append(second);
  early.nowMs = node.nowMs;
  early.mineTo(3);
  node.nowMs = (node.miner.nextWakeMs(node.nowMs) as number) + 100_000;
  node.work();
  const later = node.keyBlocks.at(-1) as Block;
  const followed = chainOf([second, later], extend(node, transfers.slice(0, 2)));
  const did = stateSnapshotsOf(followed);
  followed.chain.forks.appendBlock(blockAt(early, 3), context);
  expect(followed.notifications).toEqual([{ appended: [], discarded: [a, b], dropped: [] }]);
  expect(followed.stateSnapshots).toEqual(did);
});
