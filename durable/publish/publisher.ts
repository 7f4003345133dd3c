/**
 * Copies what changed in ChainState to the read model in D1. The outbox holds the rows as they were written to the tables,
 * in order; the publisher writes them once more, and only then takes them out. So a crash at any point repeats a step,
 * and a rollback is published like any other change.
 */
import type { StateStore } from "../state/state-store.ts";
import { stateTables } from "../state/tables/all-tables.ts";

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

/** Text of the parameters that one D1 batch carries at most. */
const MAX_BATCH_LENGTH = 8_000_000;

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

  async #step(): Promise<void> {
    const { store, database, state, nowMs } = this.#facts;
    const entries = store.rows("SELECT seq, table_number, removes, rows FROM outbox ORDER BY seq");
    // The entries were read in one go: the tables stand at exactly this state.
    const { version, epoch, height } = state();
    let batch: D1PreparedStatement[] = [];
    let length = 0;
    for (const [, number, removes, rows] of entries as [number, number, number, string][]) {
      const table = stateTables[number];
      if (table === undefined) throw new Error(`the outbox names table ${number}, which does not exist`);
      if (length + rows.length > MAX_BATCH_LENGTH && batch.length > 0) {
        await database.batch(batch);
        batch = [];
        length = 0;
      }
      batch.push(database.prepare(removes ? table.removeSql : table.publishSql).bind(rows));
      length += rows.length;
    }
    const chainRow = database
      .prepare("INSERT OR REPLACE INTO chain VALUES (1, ?, ?, ?, ?)")
      .bind(version, epoch, height, nowMs());
    await database.batch([...batch, chainRow]);
    store.rows("DELETE FROM outbox WHERE seq <= ?", entries.at(-1)?.[0] as number);
  }
}
