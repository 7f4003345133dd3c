/** Next batch of the publisher: the guarded row of the chain, and rows of the other tables. */
import { chainTable, PARTIAL_STATE } from "../../../src/tables/chain.ts";
import { rowText } from "../../../src/tables/schema/row-text.ts";
import type { PublishedState } from "../state/published-state.ts";
import type { StateStore } from "../state/state-store.ts";
import { BatchStatements } from "./batch-statements.ts";
import { addCopies, clearStatements, progressText } from "./copy-tables.ts";
import { addEntries } from "./outbox-entries.ts";
import { newestEntry, type Publication, type SentBatch } from "./publication.ts";
import type { SinkStatement } from "./read-model-sink.ts";
import { completeRows } from "./transaction-texts.ts";

export interface BatchOptions {
  readonly store: StateStore;
  readonly publication: Publication;
  /** Chain id of the network. */
  readonly chainId: number;
  /** State of the present tables. */
  readonly state: () => PublishedState;
  readonly nowMs: number;
  /** See `BatchStatements`. */
  readonly maxLength: number | undefined;
}

export interface Batch {
  readonly statements: readonly SinkStatement[];
  readonly sent: SentBatch;
  /** State of the read model after the batch, if it shows a single state then. */
  readonly state: PublishedState;
  /** Length of the batched outbox entries. */
  readonly entriesLength: number;
}

/**
 * Guard: a batch succeeds only on top of the expected previous one. The text in its place is no JSON, so the statement
 * fails, and the whole batch with it.
 */
const guardedSql = `${chainTable.writeFromSql}
  json_each(iif((SELECT batch FROM chain WHERE id = 1) IS ?, ?, 'the read model has another batch'))`;

/** Builds the batch. Nothing may be awaited before it is sent, since it names the present state of the tables. */
export function nextBatch(options: BatchOptions): Batch {
  return options.publication.copied?.step === "clear" ? clearBatch(options) : rowsBatch(options);
}

function clearBatch(options: BatchOptions): Batch {
  const { store, publication } = options;
  const { sequence } = publication;
  const sent: SentBatch = { batch: publication.newName(), sequence, isWhole: false, copied: { step: "clear" } };
  const state = options.state();
  return {
    statements: [head(options, sent, state), ...clearStatements(store.tables)],
    ...{ sent, state, entriesLength: 0 },
  };
}

/** Batches the oldest entries, and after the newest one copied rows. */
function rowsBatch(options: BatchOptions): Batch {
  const { store, publication } = options;
  const batch = new BatchStatements(store.tables, options.maxLength, completeRows(store, options.chainId));
  const { sequence, length, state: marked } = addEntries(batch, store, publication.sequence);
  const hasAll = sequence === (newestEntry(store) ?? sequence);
  const { copied } = publication;
  const remaining = copied?.step === "copy" && hasAll ? addCopies(batch, store, copied) : copied;
  const isWhole = (hasAll || marked !== undefined) && remaining === undefined;
  const sent: SentBatch = { batch: publication.newName(), sequence, isWhole, ...(remaining && { copied: remaining }) };
  // Copied rows are those of the present tables.
  const state = marked === undefined || copied !== undefined ? options.state() : marked;
  const statements = [head(options, sent, state), ...batch.statements()];
  return { statements, sent, state, entriesLength: length };
}

/** Writes the row with the state that the tables show after the batch, if it follows its previous batch. */
function head({ store, publication, nowMs }: BatchOptions, sent: SentBatch, state: PublishedState): SinkStatement {
  const { batch, sequence, isWhole, copied } = sent;
  const { transactions: _, ...shown } = state;
  const progress = copied === undefined ? PARTIAL_STATE : progressText(store.tables, copied);
  const row = {
    ...{ id: 1, ...shown, publishedAt: nowMs, identity: publication.identity },
    ...{ sequence, batch, isWhole, progress: isWhole ? undefined : progress },
  };
  return { sql: guardedSql, bindings: [publication.batch ?? null, `[${rowText(chainTable, row)}]`] };
}
