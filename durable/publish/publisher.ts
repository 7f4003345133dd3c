/**
 * Copies what changed in ChainState to the read model in D1. The outbox holds the rows as they were written to the tables,
 * in order; the publisher writes them once more, and only then takes them out. So a crash at any point repeats a step,
 * and a rollback is published like any other change.
 */

import { stateTables } from "../../src/tables/all-tables.ts";
import type { StateStore } from "../state/state-store.ts";

/** Which state the read model shows after a step. */
export interface PublishedState {
  /** Tip's block id (base58) and number of its micro-blocks. */
  readonly version: string;
  readonly epoch: number;
  readonly height: number;
}

export interface PublisherFacts {
  readonly store: StateStore;
  readonly database: D1Database;
  readonly state: () => PublishedState;
  readonly nowMs: () => number;
}

/** Length of the texts in one D1 batch, about: each exists a few times while it is on its way. */
const BATCH_LENGTH = 6_000_000;
/** Outbox entries read at a time: one has 1 MB at most. */
const READ_ENTRIES = 8;

interface OutboxEntry {
  readonly seq: number;
  /** Number of the table. */
  readonly number: number;
  readonly removes: boolean;
  /** JSON array of `rowText`, or of `keyText` where rows are removed. */
  readonly rows: string;
}

export class Publisher {
  readonly #facts: PublisherFacts;
  #running: Promise<void> | undefined;

  constructor(facts: PublisherFacts) {
    this.#facts = facts;
  }

  /** Whether the read model shows the tables' present state. */
  get isUpToDate(): boolean {
    return this.#facts.store.scalar("SELECT 1 FROM outbox LIMIT 1") === undefined;
  }

  /**
   * Publishes until the outbox is empty. Calls at the same time share one run.
   * @throws the database's error; what was not published stays in the outbox
   */
  async drain(): Promise<void> {
    while (!this.isUpToDate) {
      this.#running ??= this.#step().finally(() => {
        this.#running = undefined;
      });
      await this.#running;
    }
  }

  /** Publishes the oldest entries; with the newest one the read model shows the state that the chain row names. */
  async #step(): Promise<void> {
    const { store, database, state, nowMs } = this.#facts;
    const { entries, isAll } = this.#oldestEntries();
    const batch = entries.map(({ number, removes, rows }) => {
      const table = stateTables[number];
      if (table === undefined) throw new Error(`the outbox names table ${number}, which does not exist`);
      return database.prepare(removes ? table.removeSql : table.publishSql).bind(rows);
    });
    if (isAll) {
      // Nothing was awaited since the entries were read: the tables stand at exactly this state.
      const { version, epoch, height } = state();
      const sql = "INSERT OR REPLACE INTO chain VALUES (1, ?, ?, ?, ?)";
      batch.push(database.prepare(sql).bind(version, epoch, height, nowMs()));
    }
    await database.batch(batch);
    store.rows("DELETE FROM outbox WHERE seq <= ?", entries.at(-1)?.seq ?? 0);
  }

  #oldestEntries(): { entries: OutboxEntry[]; isAll: boolean } {
    const entries: OutboxEntry[] = [];
    for (let length = 0; length < BATCH_LENGTH; ) {
      const read = this.#facts.store.rows(
        "SELECT seq, table_number, removes, rows FROM outbox WHERE seq > ? ORDER BY seq LIMIT ?",
        entries.at(-1)?.seq ?? 0,
        READ_ENTRIES,
      );
      for (const [seq, number, removes, rows] of read as [number, number, number, string][]) {
        entries.push({ seq, number, removes: removes === 1, rows });
        length += rows.length;
      }
      if (read.length < READ_ENTRIES) return { entries, isAll: true };
    }
    return { entries, isAll: false };
  }
}
