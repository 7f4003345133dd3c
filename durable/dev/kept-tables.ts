/** What of the object's database is no state of the chain: it stays as it is whatever state the chain is put back to. */
import { outboxTable } from "../../src/tables/journal.ts";
import { publicationTable, sentBatchTable } from "../../src/tables/publication.ts";
import type { Table } from "../../src/tables/schema/table.ts";
import { EPOCH } from "../chain/stored-chain.ts";
import { MINING_FOR, STOPPED_FOR } from "../state/run-names.ts";

/** They tell of the read model, which follows the chain and is never put back. */
export const keptTables: ReadonlySet<Table> = new Set<Table>([outboxTable, publicationTable, sentBatchTable]);

/** Number of the copy that was dumped or loaded last: whoever asks for one that is gone gets no other. */
export const LAST_PASSING = "devLastPassing";

/** Rows of `meta`: which database it is, who works on it, and how often something was taken back. */
export const keptMeta: readonly string[] = [
  ...["genesis", "schema", "release"],
  ...[MINING_FOR, STOPPED_FOR],
  ...[EPOCH, LAST_PASSING],
];
