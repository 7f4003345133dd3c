/** What the publisher sends next: the guard, the row of the chain, and rows of the other tables. */
import { chainTable } from "../../src/tables/chain.ts";
import { outboxTable } from "../../src/tables/journal.ts";
import { rowText } from "../../src/tables/schema/row-text.ts";
import type { StateStore } from "../state/state-store.ts";
import { BatchStatements } from "./batch-statements.ts";
import { addCopies, clearStatements, progressText } from "./copy-tables.ts";
import { newestEntry, type Publication, type SentBatch } from "./publication.ts";
import type { SinkStatement } from "./read-model-sink.ts";

/** Which state the read model shows after a step. */
export interface PublishedState {
  /** Tip's block id (base58) and number of its micro-blocks. */
  readonly version: string;
  readonly epoch: number;
  readonly height: number;
  /** Number of the tip's transactions. */
  readonly transactions: number;
  /** Height of the last final block. */
  readonly finalizedHeight: number;
}

export interface BatchFacts {
  readonly store: StateStore;
  readonly publication: Publication;
  /** Of the tables as they stand. */
  readonly state: PublishedState;
  readonly nowMs: number;
}

export interface Batch {
  readonly statements: readonly SinkStatement[];
  readonly sent: SentBatch;
}

/** Outbox entries read at a time: one has 2 MB at most. */
const READ_ENTRIES = 8;

/** The batch that was written last lets the next one pass, and no other. */
const guardSql =
  "SELECT json(iif((SELECT batch FROM chain WHERE id = 1) IS ?, 'true', 'the read model has another batch'))";

/** Nothing may be awaited until it is sent: the tables stand at exactly the state that it names. */
export function nextBatch(facts: BatchFacts): Batch {
  return facts.publication.copied?.step === "clear" ? clearBatch(facts) : rowsBatch(facts);
}

function clearBatch(facts: BatchFacts): Batch {
  const { store, publication } = facts;
  const { sequence } = publication;
  const sent: SentBatch = { batch: publication.newName(), sequence, isWhole: false, copied: { step: "clear" } };
  return { statements: [...head(facts, sent), ...clearStatements(store.tables)], sent };
}

/** The oldest entries, and behind the newest one rows of tables that are written anew. */
function rowsBatch(facts: BatchFacts): Batch {
  const { store, publication } = facts;
  const batch = new BatchStatements(store.tables);
  const sequence = addEntries(batch, store, publication.sequence);
  const hasAll = sequence === (newestEntry(store) ?? sequence);
  const { copied } = publication;
  const left = copied?.step === "copy" ? addCopies(batch, store, copied) : copied;
  const isWhole = hasAll && left === undefined;
  const sent: SentBatch = { batch: publication.newName(), sequence, isWhole, ...(left && { copied: left }) };
  return { statements: [...head(facts, sent), ...batch.statements()], sent };
}

/** @returns number of the last entry that was added, or the one given */
function addEntries(batch: BatchStatements, store: StateStore, after: number): number {
  let sequence = after;
  while (!batch.isFull) {
    const entries = store.query(outboxTable, "WHERE seq > ? ORDER BY seq LIMIT ?", sequence, READ_ENTRIES);
    for (const { tableNumber, removes, rows } of entries) batch.add(tableNumber, removes, rows);
    sequence = entries.at(-1)?.seq ?? sequence;
    if (entries.length < READ_ENTRIES) break;
  }
  return sequence;
}

/** The guard, and the row that says what the tables show once the batch has landed. */
function head({ store, publication, state, nowMs }: BatchFacts, sent: SentBatch): SinkStatement[] {
  const { batch, sequence, isWhole, copied } = sent;
  const { transactions: _, ...shown } = state;
  const progress = copied === undefined ? "what has changed is written" : progressText(store.tables, copied);
  const row = {
    ...{ id: 1, ...shown, publishedAt: nowMs, identity: publication.identity },
    ...{ sequence, batch, isWhole, progress: isWhole ? undefined : progress },
  };
  return [
    { sql: guardSql, bindings: [publication.batch ?? null] },
    { sql: chainTable.writeSql, bindings: [`[${rowText(chainTable, row)}]`] },
  ];
}
