/** Merkle trees of blocks' transactions, from which proofs are read. */
import type { MerkleTree } from "../crypto/merkle.ts";
import { platformLimits } from "../platform/limits.ts";
import { bytes, int } from "./schema/column.ts";
import { type RowOf, table } from "./schema/table.ts";

export const transactionTreeTable = table({
  name: "tx_tree",
  comment: `Merkle trees of the transactions of blocks, from version 5 on, except the tip's. nodes: 32 bytes each, level by level from
the leaves up to the pair below the root. A tree that does not fit into a row is omitted.`,
  key: ["height"],
  columns: { height: int, leafCount: int, nodes: bytes() },
  published: true,
  inCheckpoint: "ofItsBlocks",
});
export type TransactionTreeRow = RowOf<typeof transactionTreeTable>;

/**
 * Maximum of node bytes in a row, which is written and published as text with two characters per byte. 6,000
 * transactions make 384 kB; more than 14,000 fit into a block only without proofs, which accounts with a script may
 * omit.
 */
const MAX_NODES_BYTES = Math.floor(0.45 * platformLimits.valueBytes);

/** @returns undefined for a block without transactions, and for a tree that would not fit into a row */
export function transactionTreeRow(height: number, tree: MerkleTree): TransactionTreeRow | undefined {
  const { leafCount } = tree;
  if (leafCount === 0) return undefined;
  const nodes = tree.nodes();
  return nodes.length > MAX_NODES_BYTES ? undefined : { height, leafCount, nodes };
}
