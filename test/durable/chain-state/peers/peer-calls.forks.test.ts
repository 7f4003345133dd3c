/** Two chains of one network meet: the weightier one wins, and transactions of the dropped blocks wait again. */
import { expect, test } from "vitest";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import type { SimulatedNode } from "../../../../verification/simulation/simulated-node.ts";
import { type Follower, followerOf, synchronize } from "../../../support/builders/follower.ts";
import { blocksOf, extend, nodeNamed, transferIds, transfers } from "../../../support/builders/forked-nodes.ts";

const poolOf = ({ pool }: SimulatedNode) => [...pool.all()].map(({ id }) => encodeBase58(id)).sort();

/**
 * Two nodes with a common first block. Then one makes `ownBlocks` with the first transfer in the last of them, the
 * other `rivalBlocks` with the last transfer.
 */
function parted(ownBlocks: number, rivalBlocks: number): { readonly own: Follower; readonly rival: Follower } {
  const own = nodeNamed("own");
  own.mineTo(2);
  const rival = nodeNamed("rival");
  for (const block of blocksOf(own, 2)) rival.append(block);
  own.mineTo(2 + ownBlocks);
  extend(own, transfers.slice(0, 1));
  rival.mineTo(2 + rivalBlocks);
  extend(rival, transfers.slice(2));
  own.nowMs = Math.max(own.nowMs, rival.nowMs);
  rival.nowMs = own.nowMs;
  return { own: followerOf(own), rival: followerOf(rival) };
}

test.each([
  [1, 2],
  [5, 6],
  [30, 31],
])("a fork of %i blocks is replaced by one of %i, and its transactions wait again", async (ownBlocks, rivalBlocks) => {
  const { own, rival } = parted(ownBlocks, rivalBlocks);
  expect(await synchronize(own, rival.calls, { partOf: 4 })).toMatchObject({ kind: "applied" });
  expect(own.node.chain.stored.tip()).toEqual(rival.node.chain.stored.tip());
  expect(poolOf(own.node)).toEqual([transferIds[0]]);
  while (own.node.pool.size > 0) own.node.step();
  own.node.mineTo(own.node.height + 1);
  rival.node.nowMs = own.node.nowMs;
  expect(await synchronize(rival, own.calls)).toMatchObject({ kind: "applied" });
  expect(rival.node.chain.stored.tip().id).toEqual(own.node.chain.stored.tip().id);
});

test("a node whose tip others have extended further accepts the longer form with the block on it", async () => {
  const own = nodeNamed("own");
  own.mineTo(2);
  const rival = nodeNamed("rival");
  for (const block of blocksOf(own, 2)) rival.append(block);
  const [first, ...others] = extend(own, transfers);
  rival.node.appendMicroBlock(first as NonNullable<typeof first>);
  expect(others).toHaveLength(2);
  own.mineTo(3);
  rival.nowMs = own.nowMs;
  const behind = followerOf(rival);
  expect(await synchronize(behind, followerOf(own).calls)).toMatchObject({ kind: "applied" });
  expect(rival.chain.stored.tip()).toEqual(own.chain.stored.tip());
  expect(poolOf(rival)).toEqual([]);
});
