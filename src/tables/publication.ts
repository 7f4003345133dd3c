/** What ChainState knows of the read model: what is in it, what is on its way there, and what is still to come. */
import { checked, flag, int, nullable, text } from "./schema/column.ts";
import { type RowOf, table } from "./schema/table.ts";

export const publicationTable = table({
  name: "publication",
  comment: `One row: what the read model has. identity, sequence, batch: as in its table chain; batch is NULL where that table has
no row. copied: how far the tables are written anew, NULL once they are. shown: up to which place the transactions of the chain
are in the read model.`,
  key: ["id"],
  columns: {
    id: checked(int, "id = 1"),
    identity: text,
    sequence: int,
    batch: nullable(text),
    copied: nullable(text),
    shownHeight: int,
    /** Number of transactions before the place in the block at the height. */
    shownTransactions: int,
  },
  published: false,
  inCheckpoint: "none",
});
export type PublicationRow = RowOf<typeof publicationTable>;

export const sentBatchTable = table({
  name: "sent_batch",
  comment:
    "Batches that may have landed in the read model: what table publication has once one of them is known to have.",
  key: ["number"],
  columns: {
    number: int,
    batch: text,
    sequence: int,
    isWhole: flag,
    copied: nullable(text),
    shownHeight: int,
    shownTransactions: int,
  },
  published: false,
  inCheckpoint: "none",
  numbered: "again",
});
