/** Publication status: contents of the read model, sent batches, and remaining work. */
import { checked, flag, int, nullable, text } from "./schema/column.ts";
import { type RowOf, table } from "./schema/table.ts";

export const publicationTable = table({
  name: "publication",
  comment: `One row: contents of the read model. identity, sequence, batch: as in its table chain; batch is NULL if that table has
no row. copied: progress of rewriting the tables, NULL when done. shown: position up to which the transactions of the chain are
in the read model.`,
  key: ["id"],
  columns: {
    id: checked(int, "id = 1"),
    identity: text,
    sequence: int,
    batch: nullable(text),
    copied: nullable(text),
    shownHeight: int,
    /** Number of published transactions of the block at `shownHeight`. */
    shownTransactions: int,
  },
  published: false,
  inCheckpoint: "none",
});
export type PublicationRow = RowOf<typeof publicationTable>;

export const sentBatchTable = table({
  name: "sent_batch",
  comment: "Batches that may have succeeded in the read model: row of table publication for the case that one has.",
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
