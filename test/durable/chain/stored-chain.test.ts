/** The tip as the tables hold it: what it is called, what its transactions did, and what has no row. */
import { expect, test } from "vitest";
import { SimulatedNode } from "../../../scripts/tools/simulation/simulated-node.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { bytesKey } from "../../../src/crypto/bytes.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { signedTransfer } from "../pool/signed-transfer.ts";

const startMs = Number(privateNetwork.blockchain.genesis.blockTimestampMs);

/** A node whose tip holds two transfers, in a micro-block each. */
function nodeWithMicroBlocks(): { readonly node: SimulatedNode; readonly sent: readonly Transaction[] } {
  const node = new SimulatedNode({ startMs });
  node.mineTo(2);
  const sent = [1, 2].map((age) => signedTransfer({ timestamp: BigInt(node.nowMs - age) }));
  for (const transaction of sent) {
    node.broadcast(transaction);
    while (node.pool.size > 0) node.step();
  }
  return { node, sent };
}

test("each micro-block makes another state, and the state is called by the tip's id and their number", () => {
  const { node } = nodeWithMicroBlocks();
  const { stored } = node.chain;
  expect(stored.state().version).toBe(`${encodeBase58(stored.tip().id)}:2`);
});

test("of the tip's change sets as many of the last are given as have so many bytes together, by their ids", () => {
  const { node, sent } = nodeWithMicroBlocks();
  const { stored } = node.chain;
  const [first, last] = sent.map(({ id }) => bytesKey(id));
  const all = stored.changeSetsOfTip(1_000_000);
  expect([...all.keys()]).toEqual([first, last]);
  const sizes = [...all.values()].map(({ length }) => length);
  expect(Math.min(...sizes)).toBeGreaterThan(0);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect([...stored.changeSetsOfTip(total).keys()]).toEqual([first, last]);
  expect([...stored.changeSetsOfTip(total - 1).keys()]).toEqual([last]);
});

test("a height above the tip has no row", () => {
  const { node } = nodeWithMicroBlocks();
  expect(() => node.chain.stored.rowAt(3)).toThrow("no block is known at height 3");
});
