/** What the publisher sends next: the row of the chain behind its guard, and rows of the other tables. */
import { chainTable, REST_OF_STATE } from "../../src/tables/chain.ts";
import { rowText } from "../../src/tables/schema/row-text.ts";
import type { PublishedState } from "../state/published-state.ts";
import type { StateStore } from "../state/state-store.ts";
import { BatchStatements } from "./batch-statements.ts";
import { addCopies, clearStatements, progressText } from "./copy-tables.ts";
import { addEntries } from "./outbox-entries.ts";
import { newestEntry, type Publication, type SentBatch } from "./publication.ts";
import type { SinkStatement } from "./read-model-sink.ts";
import { completeRows } from "./transaction-texts.ts";

export interface BatchFacts {
  readonly store: StateStore;
  readonly publication: Publication;
  /** Of the network. */
  readonly chainId: number;
  /** Of the tables as they stand. */
  readonly state: () => PublishedState;
  readonly nowMs: number;
  /** See `BatchStatements`. */
  readonly maxLength: number | undefined;
}

export interface Batch {
  readonly statements: readonly SinkStatement[];
  readonly sent: SentBatch;
  /** What the read model shows once it has landed, if it then shows one state. */
  readonly state: PublishedState;
  /** Length of what it takes from the outbox. */
  readonly entriesLength: number;
}

/** The batch that was written last lets the next one pass, and no other: what is no JSON fails, and all of the batch with it. */
const guardedSql = `${chainTable.writeFromSql}
  json_each(iif((SELECT batch FROM chain WHERE id = 1) IS ?, ?, 'the read model has another batch'))`;

/** Nothing may be awaited until it is sent: the tables stand at exactly the state that it names. */
export function nextBatch(facts: BatchFacts): Batch {
  return facts.publication.copied?.step === "clear" ? clearBatch(facts) : rowsBatch(facts);
}

function clearBatch(facts: BatchFacts): Batch {
  const { store, publication } = facts;
  const { sequence } = publication;
  const sent: SentBatch = { batch: publication.newName(), sequence, isWhole: false, copied: { step: "clear" } };
  const state = facts.state();
  return {
    statements: [head(facts, sent, state), ...clearStatements(store.tables)],
    ...{ sent, state, entriesLength: 0 },
  };
}

/** The oldest entries, and behind the newest one rows of tables that are written anew. */
function rowsBatch(facts: BatchFacts): Batch {
  const { store, publication } = facts;
  const batch = new BatchStatements(store.tables, facts.maxLength, completeRows(store, facts.chainId));
  const { sequence, length, state: marked } = addEntries(batch, store, publication.sequence);
  const hasAll = sequence === (newestEntry(store) ?? sequence);
  const { copied } = publication;
  const left = copied?.step === "copy" && hasAll ? addCopies(batch, store, copied) : copied;
  const isWhole = (hasAll || marked !== undefined) && left === undefined;
  const sent: SentBatch = { batch: publication.newName(), sequence, isWhole, ...(left && { copied: left }) };
  // Rows that are copied are those of the tables as they stand.
  const state = marked === undefined || copied !== undefined ? facts.state() : marked;
  const statements = [head(facts, sent, state), ...batch.statements()];
  return { statements, sent, state, entriesLength: length };
}

/** Writes the row that says what the tables show once the batch has landed, if it lands on the batch before it. */
function head({ store, publication, nowMs }: BatchFacts, sent: SentBatch, state: PublishedState): SinkStatement {
  const { batch, sequence, isWhole, copied } = sent;
  const { transactions: _, ...shown } = state;
  const progress = copied === undefined ? REST_OF_STATE : progressText(store.tables, copied);
  const row = {
    ...{ id: 1, ...shown, publishedAt: nowMs, identity: publication.identity },
    ...{ sequence, batch, isWhole, progress: isWhole ? undefined : progress },
  };
  return { sql: guardedSql, bindings: [publication.batch ?? null, `[${rowText(chainTable, row)}]`] };
}
