/** Results of long computations for blocks whose validation continues. The table exists only during that validation. */
import { bytes, int } from "./schema/column.ts";
import { type RowOf, table } from "./schema/table.ts";

export const stepResultTable = table({
  name: "step_result",
  comment: "Results of long computations for blocks whose validation continues. step: hash of name and inputs.",
  key: ["step"],
  columns: { step: bytes(), number: int, result: bytes() },
  published: false,
  inCheckpoint: "none",
});

export type StepResultRow = RowOf<typeof stepResultTable>;
