/** Data in the object's database that is not state of the chain: it stays when another state is restored. */
import { outboxTable } from "../../../src/tables/journal.ts";
import { publicationTable, sentBatchTable } from "../../../src/tables/publication.ts";
import type { Table } from "../../../src/tables/schema/table.ts";
import { EPOCH } from "../chain/stored-chain.ts";
import { MINING_FOR, STOPPED_FOR } from "../state/run-names.ts";

/** Tables about the read model, which follows the chain and is never restored. */
export const nonStateTables: ReadonlySet<Table> = new Set<Table>([outboxTable, publicationTable, sentBatchTable]);

/**
 * Number of the last copy for a dump or load. It is never used again, so a request for a deleted copy gets no other
 * one.
 */
export const LAST_TRANSIENT = "devLastPassing";

/** Rows of `meta`: identity of the database, marks of the miner, and counts of rollbacks. */
export const nonStateMeta: readonly string[] = [
  ...["genesis", "schema", "release"],
  ...[MINING_FOR, STOPPED_FOR],
  ...[EPOCH, LAST_TRANSIENT],
];
