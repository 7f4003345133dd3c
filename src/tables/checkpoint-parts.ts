/** Parts of a checkpoint that is read into the tables. No database has the table at other times. */
import { flag, int, text } from "./schema/column.ts";
import { table } from "./schema/table.ts";

export const checkpointPartTable = table({
  name: "checkpoint_part",
  comment: "Parts of the checkpoint that is read in: what each must be, and whether its rows are in their table.",
  key: ["number"],
  columns: { number: int, tableName: text, rows: int, bytes: int, digest: text, isIn: flag },
  published: false,
  inCheckpoint: "none",
});
