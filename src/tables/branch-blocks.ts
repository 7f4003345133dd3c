/** Blocks that were removed from the chain and may return with their branch. */
import type { BlockId } from "../protocol/blocks/block.ts";
import { addedLater, bytes, int, nullable } from "./schema/column.ts";
import { table } from "./schema/table.ts";

export const branchBlockTable = table({
  name: "branch_block",
  comment: "Blocks that were removed from the chain and may return with their branch.",
  key: ["id"],
  columns: {
    id: bytes<BlockId>(),
    height: int,
    /** The whole block, as in a block file. */
    bytes: bytes(),
    /** Grows with each removed block: if there are too many, the lowest is dropped first. */
    leftAt: int,
    /** On a light node: state snapshots of its transactions, as in a snapshot file. */
    snapshots: addedLater(nullable(bytes()), undefined),
  },
  published: false,
  inCheckpoint: "none",
  isAppended: true,
});
