/** Blocks that left the chain and may come back with the branch that they belong to. */
import type { BlockId } from "../protocol/blocks/block.ts";
import { addedLater, bytes, int, nullable } from "./schema/column.ts";
import { table } from "./schema/table.ts";

export const branchBlockTable = table({
  name: "branch_block",
  comment: "Blocks that left the chain and may come back with the branch that they belong to.",
  key: ["id"],
  columns: {
    id: bytes<BlockId>(),
    height: int,
    /** The whole block, as in a block file. */
    bytes: bytes(),
    /** Grows with each block that leaves: the lowest one goes first when there are too many. */
    leftAt: int,
    /** Of a light node: what its transactions did, as in a snapshot file. */
    snapshots: addedLater(nullable(bytes()), undefined),
  },
  published: false,
  inCheckpoint: "none",
  isAppended: true,
});
