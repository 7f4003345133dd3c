/** What ChainState knows of the read model: what is in it, what is on its way there, and what is still to come. */
import { checked, int, nullable, text } from "./schema/column.ts";
import { type RowOf, table } from "./schema/table.ts";

export const publicationTable = table({
  name: "publication",
  comment: `One row: what the read model has. identity, sequence, batch: as in its table chain; batch is NULL where that table has
no row. sent: batches that may have landed since, a JSON array. copied: how far the tables are written anew, NULL once they are.
shown: up to which place the transactions of the chain are in the read model; coming: once the newest batch has landed.`,
  key: ["id"],
  columns: {
    id: checked(int, "id = 1"),
    identity: text,
    sequence: int,
    batch: nullable(text),
    sent: text,
    copied: nullable(text),
    shownHeight: int,
    /** Number of transactions of the block at the height. */
    shownTransactions: int,
    comingHeight: int,
    comingTransactions: int,
  },
  published: false,
});
export type PublicationRow = RowOf<typeof publicationTable>;
