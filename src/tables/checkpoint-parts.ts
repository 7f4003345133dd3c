/** Parts of a checkpoint during import. The table exists only then. */
import { flag, int, text } from "./schema/column.ts";
import { table } from "./schema/table.ts";

export const checkpointPartTable = table({
  name: "checkpoint_part",
  comment: "Parts of the checkpoint during import: expected size and digest, and whether the rows are in their table.",
  key: ["number"],
  columns: { number: int, tableName: text, rows: int, bytes: int, digest: text, isIn: flag },
  published: false,
  inCheckpoint: "none",
});
