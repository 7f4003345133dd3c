/**
 * Blocks of an extension that arrives in parts, until all of them are there. The table exists only during that time.
 */
import { bytes, int, nullable, text } from "./schema/column.ts";
import { table } from "./schema/table.ts";

export const heldPartTable = table({
  name: "held_part",
  comment:
    "Received parts of an incomplete extension, cut into pieces. verified: of a part, in the row of its first piece. snapshots: on a light node.",
  key: ["number"],
  columns: { number: int, blocks: bytes(), verified: nullable(text), snapshots: nullable(bytes()) },
  published: false,
  inCheckpoint: "none",
});
