/** Partial validation results of blocks. The table exists only during that validation. */
import { bytes, int, text } from "./schema/column.ts";
import { type RowOf, table } from "./schema/table.ts";

export const validatedPartTable = table({
  name: "judged_part",
  comment:
    "Partial validation results of blocks. call: a number that the rows of one call share. subject: variant of validation, '' for the block. found: JSON array.",
  key: ["number"],
  columns: { number: int, block: bytes(), call: int, subject: text, found: text },
  published: false,
  inCheckpoint: "none",
});

export type ValidatedPartRow = RowOf<typeof validatedPartTable>;
