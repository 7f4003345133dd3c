/** Nodes of one network with different chains. */

import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { Block, MicroBlock } from "../../../src/protocol/blocks/block.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { SeededRandom } from "../../../verification/chain-generator/seeded-random.ts";
import { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { signedTransfer } from "./signed-transfer.ts";

export const startMs = 1_700_000_000_000;

/** Node with its own random generator, so that its blocks differ from the others'. */
export function nodeNamed(name: string): SimulatedNode {
  const random = new SeededRandom(name);
  return new SimulatedNode({ startMs, random: (sizeBytes) => random.bytes(sizeBytes) });
}

export function blocksOf({ chain }: SimulatedNode, from: number, to = chain.view.height): readonly Block[] {
  return Array.from({ length: to - from + 1 }, (_, index) => chain.stored.findBlock(from + index) as Block);
}

/** Node with the blocks of another one, up to the height. */
export function copyOf(other: SimulatedNode, height: number, name: string): SimulatedNode {
  const node = nodeNamed(name);
  node.nowMs = other.nowMs;
  for (const block of blocksOf(other, 2, height)) node.append(block);
  return node;
}

/** Two nodes with the same blocks up to height 5; the second has then forged two blocks more than the first. */
export function fork(): { readonly node: SimulatedNode; readonly rival: SimulatedNode } {
  const node = nodeNamed("first");
  node.mineTo(5);
  const rival = copyOf(node, 5, "second");
  node.mineTo(7);
  rival.mineTo(9);
  node.nowMs = Math.max(node.nowMs, rival.nowMs);
  return { node, rival };
}

export const blockAt = ({ chain }: SimulatedNode, height: number): Block => chain.stored.findBlock(height) as Block;

/** Extends the node's tip by the transactions, one micro-block for each. */
export function extend(node: SimulatedNode, transactions: readonly Transaction[]): readonly MicroBlock[] {
  const before = node.microBlocks.length;
  node.nowMs = Number(node.chain.stored.tip().timestamp);
  for (const transaction of transactions) {
    node.broadcast(transaction);
    while (node.pool.size > 0) node.step();
  }
  return node.microBlocks.slice(before).map(({ microBlock }) => microBlock);
}

export const transfers = [1n, 2n, 3n].map((amount) => signedTransfer({ timestamp: BigInt(startMs), amount })) as [
  Transaction,
  Transaction,
  Transaction,
];
export const transferIds = transfers.map(({ id }) => encodeBase58(id)) as [string, string, string];

/**
 * Block 2 with the first two transfers in its micro-blocks, and a block 3 of another node on the key block, with the
 * last two transfers.
 */
export function replacedMicroBlocks() {
  const node = nodeNamed("first");
  node.mineTo(2);
  const keyBlock = node.keyBlocks.at(-1) as Block;
  const microBlocks = extend(node, transfers.slice(0, 2));
  if (microBlocks.length !== 2) throw new Error("a micro-block is missing");
  const rival = nodeNamed("second");
  rival.append(keyBlock);
  rival.nowMs = node.nowMs;
  rival.mineTo(3);
  extend(rival, [transfers[1], transfers[2]]);
  return { keyBlock, microBlocks, next: blockAt(rival, 3) };
}

/** Code of the violation that the function throws. */
export function violationCodeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof RuleError) return error.violation.code;
    throw error;
  }
  return "none";
}

/** Heights of the stored branch blocks. */
export function heightsOfBranchBlocks({ node }: SimulatedNode): readonly number[] {
  return node.store.rows("SELECT height FROM branch_block ORDER BY height").map(([height]) => Number(height));
}
