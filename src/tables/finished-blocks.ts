/** Rows of blocks of a branch that weighs less so far than the chain. No database has the table at other times. */
import type { BlockId } from "../protocol/blocks/block.ts";
import { bytes, int, text } from "./schema/column.ts";
import { table } from "./schema/table.ts";

export const finishedBlockTable = table({
  name: "finished_block",
  comment:
    "Blocks of branches that are judged in part, as the rows that they write. branch: id of the first block. changes: JSON, cut into pieces.",
  key: ["id", "piece"],
  columns: { id: bytes<BlockId>(), piece: int, branch: bytes<BlockId>(), number: int, changes: text },
  published: false,
  inCheckpoint: "none",
});
