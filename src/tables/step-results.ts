/** Results of long steps of blocks that are judged in part. No database has the table at other times. */
import { bytes, int } from "./schema/column.ts";
import { table } from "./schema/table.ts";

export const stepResultTable = table({
  name: "step_result",
  comment: "Results of long computations for blocks that are judged in part. step: hash of name and inputs.",
  key: ["step"],
  columns: { step: bytes(), number: int, result: bytes() },
  published: false,
  inCheckpoint: "none",
});
