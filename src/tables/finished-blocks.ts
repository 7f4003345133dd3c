/**
 * Row changes of blocks of a branch that is not yet heavier than the chain. The table exists only during their
 * validation.
 */
import type { BlockId } from "../protocol/blocks/block.ts";
import { bytes, int, text } from "./schema/column.ts";
import { table } from "./schema/table.ts";

export const finishedBlockTable = table({
  name: "finished_block",
  comment:
    "Validated blocks of branches whose validation continues, as the rows that they write. branch: id of the first block. changes: JSON, cut into pieces.",
  key: ["id", "piece"],
  columns: { id: bytes<BlockId>(), piece: int, branch: bytes<BlockId>(), number: int, changes: text },
  published: false,
  inCheckpoint: "none",
});
