/**
 * Copies what changed in ChainState to the read model in D1. The outbox holds the rows as they were written to the tables,
 * in order; the publisher writes them once more, and only then takes them out. So a crash at any point repeats a step,
 * and a rollback is published like any other change.
 */

import { chainTable } from "../../src/tables/chain.ts";
import { outboxTable } from "../../src/tables/journal.ts";
import { SchemaRefused } from "../../src/tables/migrations/upgrade.ts";
import { rowText } from "../../src/tables/schema/row-text.ts";
import type { RowOf } from "../../src/tables/schema/table.ts";
import type { StateStore } from "../state/state-store.ts";
import { openReadModel } from "./open-read-model.ts";
import type { ReadModelSink, SinkStatement } from "./read-model-sink.ts";

/** Which state the read model shows after a step. */
export interface PublishedState {
  /** Tip's block id (base58) and number of its micro-blocks. */
  readonly version: string;
  readonly epoch: number;
  readonly height: number;
  /** Height of the last final block. */
  readonly finalizedHeight: number;
}

export interface PublisherFacts {
  readonly store: StateStore;
  readonly readModel: ReadModelSink;
  readonly state: () => PublishedState;
  readonly nowMs: () => number;
  /** Is told, once, why nothing is published until the next start. */
  readonly onRefused: (refusal: SchemaRefused) => void;
}

/** Length of the texts in one D1 batch, about: each exists a few times while it is on its way. */
const BATCH_LENGTH = 6_000_000;
/** Outbox entries read at a time: one has 1 MB at most. */
const READ_ENTRIES = 8;

export class Publisher {
  readonly #facts: PublisherFacts;
  #running: Promise<void> | undefined;
  /** Whether the read model's tables are those of this release: looked at before the first step. */
  #opened: "not yet" | "yes" | "refused" = "not yet";

  constructor(facts: PublisherFacts) {
    this.#facts = facts;
  }

  /** Whether the read model shows the tables' present state. */
  get isUpToDate(): boolean {
    return this.#opened === "yes" && this.#facts.store.scalar("SELECT 1 FROM outbox LIMIT 1") === undefined;
  }

  /** Whether there is something that `drain` would publish. */
  get hasWork(): boolean {
    return this.#opened !== "refused" && !this.isUpToDate;
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

  #run(): Promise<void> {
    return this.#opened === "yes" ? this.#step() : this.#open();
  }

  async #open(): Promise<void> {
    try {
      await openReadModel(this.#facts.readModel);
      this.#opened = "yes";
    } catch (error) {
      if (!(error instanceof SchemaRefused)) throw error;
      this.#opened = "refused";
      this.#facts.onRefused(error);
    }
  }

  /** Publishes the oldest entries; with the newest one the read model shows the state that the chain row names. */
  async #step(): Promise<void> {
    const { store, readModel, state, nowMs } = this.#facts;
    const { entries, isAll } = this.#oldestEntries();
    const batch = entries.map(({ tableNumber, removes, rows }): SinkStatement => {
      const table = store.tables.at(tableNumber);
      return { sql: removes ? table.removeSql : table.publishSql, bindings: [rows] };
    });
    if (isAll) {
      // Nothing was awaited since the entries were read: the tables stand at exactly this state.
      const row = { id: 1, ...state(), publishedAt: nowMs() };
      batch.push({ sql: chainTable.writeSql, bindings: [`[${rowText(chainTable, row)}]`] });
    }
    await readModel.batch(batch);
    store.rows("DELETE FROM outbox WHERE seq <= ?", entries.at(-1)?.seq ?? 0);
  }

  #oldestEntries(): { entries: RowOf<typeof outboxTable>[]; isAll: boolean } {
    const entries: RowOf<typeof outboxTable>[] = [];
    for (let length = 0; length < BATCH_LENGTH; ) {
      const read = this.#facts.store.query(
        outboxTable,
        "WHERE seq > ? ORDER BY seq LIMIT ?",
        entries.at(-1)?.seq ?? 0,
        READ_ENTRIES,
      );
      for (const entry of read) {
        entries.push(entry);
        length += entry.rows.length;
      }
      if (read.length < READ_ENTRIES) return { entries, isAll: true };
    }
    return { entries, isAll: false };
  }
}
