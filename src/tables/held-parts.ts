/** Blocks of an extension that comes in parts, as long as it takes to get all of them. No database has the table at other times. */
import { bytes, int, nullable, text } from "./schema/column.ts";
import { table } from "./schema/table.ts";

export const heldPartTable = table({
  name: "held_part",
  comment:
    "Parts of an extension that is on its way, cut into pieces. verified: of a part, in the row of its first piece. snapshots: where a node has any.",
  key: ["number"],
  columns: { number: int, blocks: bytes(), verified: nullable(text), snapshots: nullable(bytes()) },
  published: false,
  inCheckpoint: "none",
});
