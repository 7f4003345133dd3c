/**
 * Copies what changed in ChainState to the read model in D1. The outbox holds the rows as they were written to the tables,
 * in order; the publisher writes them once more, and only then takes them out. So a crash at any point repeats a step,
 * and a rollback is published like any other change. A read model that is not as it was left (it was lost, restored, or
 * belongs to another chain) is written anew from the tables.
 */

import { chainTable, genesisOf } from "../../src/tables/chain.ts";
import { outboxTable } from "../../src/tables/journal.ts";
import { SchemaRefused } from "../../src/tables/migrations/upgrade.ts";
import { rowText } from "../../src/tables/schema/row-text.ts";
import type { RowOf } from "../../src/tables/schema/table.ts";
import type { ShownPlace } from "../state/shown-place.ts";
import type { StateStore } from "../state/state-store.ts";
import { BatchStatements } from "./batch-statements.ts";
import { addCopies, clearStatements, isCleared, progressText } from "./copy-tables.ts";
import { openReadModel } from "./open-read-model.ts";
import { Publication, type SentBatch } from "./publication.ts";
import type { ReadModelSink, SinkRows, SinkStatement } from "./read-model-sink.ts";

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

export interface PublisherFacts {
  readonly store: StateStore;
  readonly readModel: ReadModelSink;
  /** See `genesisText`. */
  readonly genesis: string;
  /** What no other start of any node has drawn. */
  readonly drawn: string;
  readonly state: () => PublishedState;
  readonly nowMs: () => number;
  /** Is told, once, why nothing is published until the next start. */
  readonly onRefused: (refusal: SchemaRefused) => void;
  /** Length of the texts that may wait in the outbox. With more of them it is shorter to write the tables anew. */
  readonly maxWaitingLength?: number;
  /** Is told, in sentences, why the read model is written anew and how far it has come. */
  readonly onCopy: (sentence: string) => void;
}

/** Outbox entries read at a time: one has 1 MB at most. */
const READ_ENTRIES = 8;
/** By default. */
const MAX_WAITING_LENGTH = 200_000_000;

/** The batch that was written last lets the next one pass, and no other. */
const guardSql =
  "SELECT json(iif((SELECT batch FROM chain WHERE id = 1) IS ?, 'true', 'the read model has another batch'))";
const lookSql = "SELECT identity, batch FROM chain WHERE id = 1";

interface Batch {
  readonly statements: readonly SinkStatement[];
  readonly sent: SentBatch;
}

export class Publisher {
  readonly #facts: PublisherFacts;
  readonly #publication: Publication;
  #running: Promise<void> | undefined;
  /** Whether the read model is known to have this release's tables, and in them what this node left there. */
  #opened: "not yet" | "yes" | "refused" = "not yet";
  /** Length of the outbox up to an entry, counted while the read model does not answer. */
  #waiting = { sequence: 0, length: 0 };

  constructor(facts: PublisherFacts) {
    this.#facts = facts;
    const { store, genesis, drawn, state } = facts;
    this.#publication = new Publication(store, { genesis, drawn, tip: placeOf(state()) });
  }

  /** Whether the read model shows the tables' present state. */
  get isUpToDate(): boolean {
    return this.#opened === "yes" && this.#publication.copied === undefined && this.#newest() === undefined;
  }

  /** Whether there is something that `drain` would publish. */
  get hasWork(): boolean {
    return this.#opened !== "refused" && !this.isUpToDate;
  }

  /** Lets `drain` look whether the read model is still as it was left, even where nothing is to be published. */
  lookAgain(): void {
    if (this.#opened === "yes") this.#opened = "not yet";
  }

  /**
   * Publishes until the outbox is empty; nothing once the read model was refused. Calls at the same time share one run.
   * @throws the database's error; what was not published stays in the outbox
   */
  async drain(): Promise<void> {
    while (this.hasWork) {
      this.#running ??= this.#run().finally(() => {
        this.#running = undefined;
      });
      await this.#running;
    }
  }

  async #run(): Promise<void> {
    try {
      await (this.#opened === "yes" ? this.#step() : this.#open());
      this.#waiting = { sequence: 0, length: 0 };
    } catch (error) {
      // The batch may have landed all the same, and the database may be another one when it answers again.
      this.lookAgain();
      this.#boundOutbox();
      throw error;
    }
  }

  async #open(): Promise<void> {
    try {
      await openReadModel(this.#facts.readModel);
    } catch (error) {
      if (!(error instanceof SchemaRefused)) throw error;
      this.#opened = "refused";
      this.#facts.onRefused(error);
      return;
    }
    const [[row] = []] = await this.#facts.readModel.batch([{ sql: lookSql, bindings: [] }]);
    const batch = row && String(row["batch"]);
    if (!this.#publication.meet(batch)) {
      this.#facts.onCopy(`${this.#difference(row)}: it is written anew`);
      this.#publication.startAnew(batch);
    }
    this.#opened = "yes";
  }

  /** @param row of the table chain */
  #difference(row: SinkRows[number] | undefined): string {
    if (row === undefined) return "the read model is empty";
    if (row["batch"] === "") return "the read model is of an earlier release";
    const genesis = genesisOf(String(row["identity"]));
    if (genesis !== "" && genesis !== this.#facts.genesis)
      return `the read model shows another chain, with genesis ${genesis}`;
    return "the read model is not as this node left it";
  }

  async #step(): Promise<void> {
    const { store, readModel, state } = this.#facts;
    const publication = this.#publication;
    const isClearing = publication.copied?.step === "clear";
    // Nothing is awaited until the batch is sent: the tables stand at exactly the state that it names.
    const { statements, sent } = isClearing ? this.#clearBatch() : this.#rowsBatch();
    publication.sending(sent, placeOf(state()));
    const answers = await readModel.batch(statements);
    publication.landed(sent.batch);
    if (isClearing && isCleared(answers.at(-1))) publication.startCopying();
    if (sent.copied?.step === "copy")
      this.#facts.onCopy(`the read model is written anew: ${progressText(store.tables, sent.copied)}`);
  }

  #clearBatch(): Batch {
    const { tables } = this.#facts.store;
    const { sequence } = this.#publication;
    const sent: SentBatch = { ...this.#nextBatch(sequence), isWhole: false, copied: { step: "clear" } };
    return { statements: [...this.#head(sent), ...clearStatements(tables)], sent };
  }

  /** The oldest entries, and behind the newest one rows of tables that are written anew. */
  #rowsBatch(): Batch {
    const { store } = this.#facts;
    const batch = new BatchStatements(store.tables);
    const sequence = this.#addEntries(batch);
    const hasAll = sequence === (this.#newest() ?? sequence);
    const { copied } = this.#publication;
    const left = copied?.step === "copy" && hasAll ? addCopies(batch, store, copied) : copied;
    const isWhole = hasAll && left === undefined;
    const sent: SentBatch = { ...this.#nextBatch(sequence), isWhole, ...(left && { copied: left }) };
    return { statements: [...this.#head(sent), ...batch.statements()], sent };
  }

  #nextBatch(sequence: number): Pick<SentBatch, "batch" | "sequence"> {
    return { batch: this.#publication.newName(), sequence };
  }

  /** The guard, and the row that says what the tables show once the batch has landed. */
  #head({ batch, sequence, isWhole, copied }: SentBatch): SinkStatement[] {
    const { store, state, nowMs } = this.#facts;
    const { identity, batch: before } = this.#publication;
    const { transactions: _, ...shown } = state();
    const progress = copied === undefined ? "what has changed is written" : progressText(store.tables, copied);
    const row = {
      ...{ id: 1, ...shown, publishedAt: nowMs() },
      ...{ identity, sequence, batch, isWhole, progress: isWhole ? undefined : progress },
    };
    return [
      { sql: guardSql, bindings: [before ?? null] },
      { sql: chainTable.writeSql, bindings: [`[${rowText(chainTable, row)}]`] },
    ];
  }

  /** @returns number of the last entry that was added, or of the last one that the read model has */
  #addEntries(batch: BatchStatements): number {
    let { sequence } = this.#publication;
    while (!batch.isFull) {
      const entries = this.#entriesAfter(sequence);
      for (const { tableNumber, removes, rows } of entries) batch.add(tableNumber, removes, rows);
      sequence = entries.at(-1)?.seq ?? sequence;
      if (entries.length < READ_ENTRIES) break;
    }
    return sequence;
  }

  #entriesAfter(sequence: number): RowOf<typeof outboxTable>[] {
    return this.#facts.store.query(outboxTable, "WHERE seq > ? ORDER BY seq LIMIT ?", sequence, READ_ENTRIES);
  }

  /** Number of the newest entry, undefined when none waits. */
  #newest(): number | undefined {
    const newest = this.#facts.store.scalar("SELECT MAX(seq) FROM outbox");
    return newest === null || newest === undefined ? undefined : Number(newest);
  }

  /** What cannot be published takes its place in the database, but not any place. */
  #boundOutbox(): void {
    const { store, onCopy, maxWaitingLength = MAX_WAITING_LENGTH } = this.#facts;
    const counted = this.#waiting;
    const [[newest, length] = []] = store.rows(
      "SELECT MAX(seq), SUM(LENGTH(rows)) FROM outbox WHERE seq > ?",
      counted.sequence,
    );
    this.#waiting = {
      sequence: Number(newest ?? counted.sequence),
      length: counted.length + Number(length ?? 0),
    };
    if (this.#waiting.length <= maxWaitingLength) return;
    onCopy("more waits for the read model than is kept: it is written anew once it answers");
    this.#publication.startAnew(this.#publication.batch);
    this.#waiting = { sequence: 0, length: 0 };
  }
}

function placeOf({ height, transactions }: PublishedState): ShownPlace {
  return { height, transactions };
}
