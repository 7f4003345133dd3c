/** Tip in the tables: its id and state name, the snapshots of its transactions, and heights without a row. */
import { expect, test } from "vitest";
import type { LiquidForm } from "../../../../durable/chain-state/chain/stored-chain.ts";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import { bytesKey } from "../../../../src/crypto/bytes.ts";
import { sign } from "../../../../src/crypto/curve25519.ts";
import { privateNetwork } from "../../../../src/network/networks/private.ts";
import type { Block } from "../../../../src/protocol/blocks/block.ts";
import { signedBytes } from "../../../../src/protocol/blocks/parse-block.ts";
import type { Transaction } from "../../../../src/protocol/transactions/transaction.ts";
import { SimulatedNode } from "../../../../verification/simulation/simulated-node.ts";
import { richKey, signedTransfer } from "../../../support/builders/signed-transfer.ts";

const startMs = Number(privateNetwork.blockchain.genesis.blockTimestampMs);

/** Node whose tip has two transfers, in a micro-block each. */
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

function countBefore(forms: readonly LiquidForm[], timeMs: number): number {
  return forms.filter(({ timestampMs }) => timestampMs < timeMs).length;
}

test("each micro-block makes another state, whose name is the tip's id, the number of micro-blocks and the signature", () => {
  const { node } = nodeWithMicroBlocks();
  const { stored } = node.chain;
  const { signature } = stored.findBlock(2) as Block;
  const name = `${encodeBase58(stored.tip().id)}:2:${encodeBase58(signature.subarray(0, 6))}`;
  expect(stored.state().version).toBe(name);
});

test("forms of the tip are found by their ids and times, through an index", () => {
  const { node } = nodeWithMicroBlocks();
  const { stored } = node.chain;
  const forms = stored.liquidForms();
  expect(forms.map(({ id }) => stored.findLiquidForm(id))).toEqual([0, 1, 2]);
  expect(stored.findLiquidForm(stored.rowAt(1).id)).toBeUndefined();
  expect(stored.lastMicroBlockMs()).toBe(forms[2]?.timestampMs);
  const until = forms.map(({ timestampMs }) => stored.microBlocksUntil(timestampMs - 1));
  expect(until).toEqual(forms.map(({ timestampMs }) => countBefore(forms.slice(1), timestampMs)));
  const plan = node.database.database
    .prepare("EXPLAIN QUERY PLAN SELECT MAX(position) FROM micro_block WHERE height = 1 AND total_block_id = x'00'")
    .all();
  expect(JSON.stringify(plan)).toContain("micro_block_by_id (height=? AND total_block_id=?)");
  const fresh = new SimulatedNode({ startMs });
  fresh.mineTo(2);
  expect(fresh.chain.stored.lastMicroBlockMs()).toBeUndefined();
});

test("a block that is signed again keeps its id, and makes another state", () => {
  const { chainId } = privateNetwork.blockchain;
  const node = new SimulatedNode({ startMs });
  node.mineTo(2);
  const block = node.chain.stored.findBlock(2) as Block;
  const signature = sign(richKey.privateKey, signedBytes(block, chainId), new Uint8Array(64).fill(1));
  const other = new SimulatedNode({ startMs: node.nowMs });
  other.append({ ...block, signature });
  expect(other.chain.stored.tip().id).toEqual(block.id);
  expect(other.chain.stored.state().version).not.toBe(node.chain.stored.state().version);
});

test("of the tip's state snapshots the last ones up to a limit of bytes are read, by their ids", () => {
  const { node, sent } = nodeWithMicroBlocks();
  const { stored } = node.chain;
  const [first, last] = sent.map(({ id }) => bytesKey(id));
  const all = stored.stateSnapshotsOfTip(1_000_000);
  expect([...all.keys()]).toEqual([first, last]);
  const sizes = [...all.values()].map(({ length }) => length);
  expect(Math.min(...sizes)).toBeGreaterThan(0);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect([...stored.stateSnapshotsOfTip(total).keys()]).toEqual([first, last]);
  expect([...stored.stateSnapshotsOfTip(total - 1).keys()]).toEqual([last]);
});

test("a height above the tip has no row", () => {
  const { node } = nodeWithMicroBlocks();
  expect(() => node.chain.stored.rowAt(3)).toThrow("no block is known at height 3");
});
