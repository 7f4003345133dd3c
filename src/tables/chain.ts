/** Which state the read model shows. */
import { checked, int, text } from "./schema/column.ts";
import { table } from "./schema/table.ts";

export const chainTable = table({
  name: "chain",
  comment: `One row: which state the other tables show. version: the tip's block id (base58) and the number of its micro-blocks.
epoch: grows when a block that could have been called final was taken back by hand.`,
  key: ["id"],
  columns: { id: checked(int, "id = 1"), version: text, epoch: int, height: int, publishedAt: int },
  published: false,
});
