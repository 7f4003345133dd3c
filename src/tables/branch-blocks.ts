/** Blocks of branches, for fork choice. */
import type { BlockId } from "../protocol/blocks/block.ts";
import { bigDecimal, bytes, int } from "./schema/column.ts";
import { type RowOf, table } from "./schema/table.ts";

export const branchBlockTable = table({
  name: "branch_block",
  comment: "Blocks that left the chain: a branch that comes to have the higher score is taken from here.",
  key: ["id"],
  columns: {
    id: bytes<BlockId>(),
    height: int,
    /** Id of the parent. */
    reference: bytes<BlockId>(),
    /** Cumulative, of the chain that ends with the block. */
    score: bigDecimal,
    /** The whole block, as in a block file. */
    bytes: bytes(),
    /** Order in which they left: later ones have a greater number. */
    leftAt: int,
  },
  published: false,
  isAppended: true,
  indexes: { branch_block_by_reference: { on: "reference" }, branch_block_by_height: { on: "height" } },
});
export type BranchBlockRow = RowOf<typeof branchBlockTable>;
