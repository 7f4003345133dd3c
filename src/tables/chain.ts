/** Which state the read model shows. */
import { addedLater, checked, int, text } from "./schema/column.ts";
import { table } from "./schema/table.ts";

export const chainTable = table({
  name: "chain",
  comment: `One row: which state the other tables show. version: the tip's block id (base58) and the number of its micro-blocks.
epoch: grows when a final block was taken back by force. finalized_height: up to it blocks are final.`,
  key: ["id"],
  columns: {
    id: checked(int, "id = 1"),
    version: text,
    epoch: int,
    height: int,
    publishedAt: int,
    finalizedHeight: addedLater(int, 1),
  },
  published: false,
});
