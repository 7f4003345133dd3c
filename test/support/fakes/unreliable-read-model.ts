/** Read model that is lost, exchanged, unreachable, or responds too late. */
import type { DatabaseSync } from "node:sqlite";
import {
  d1Sink,
  type ReadModelSink,
  type SinkStatement,
} from "../../../durable/chain-state/publish/read-model-sink.ts";
import { d1Double } from "../../../verification/sqlite/d1-double.ts";

/** Result of a batch that writes: by default it is applied, and its sender gets a response. */
export type BatchFate =
  | "lands"
  /** It is not delivered. */
  | "is lost"
  /** It is applied, but its sender gets no response. */
  | "lands unheard"
  /** Like "is lost", until the test delivers it. */
  | "is late"
  /** Its sender never gets a response. */
  | "hangs";

export class UnreliableReadModel implements ReadModelSink {
  sqlite: DatabaseSync;
  /** Results of the next batches, in order. */
  fates: BatchFate[] = [];
  /** Whether it responds to nothing. */
  isDown = false;
  /** Applied batches that write. */
  landed: (readonly SinkStatement[])[] = [];
  /** Runs after each applied batch. */
  afterEach: () => void = () => {};
  /** Number of batches that were sent, reading ones too. */
  count = 0;
  readonly #late: (readonly SinkStatement[])[] = [];

  /** @param sqlite by default one with empty tables */
  constructor(sqlite = d1Double().sqlite) {
    this.sqlite = sqlite;
  }

  async batch(statements: readonly SinkStatement[]) {
    this.count += 1;
    if (this.isDown) throw new Error("the database does not answer");
    const isReading = statements.every(({ sql }) => sql.startsWith("SELECT"));
    const fate = isReading ? "lands" : (this.fates.shift() ?? "lands");
    if (fate === "hangs") return new Promise<never>(() => {});
    if (fate === "is late") this.#late.push(statements);
    if (fate === "is late" || fate === "is lost") throw new Error("no answer in time");
    const results = await this.land(statements);
    if (isReading) return results;
    this.landed.push(statements);
    this.afterEach();
    if (fate === "lands unheard") throw new Error("no answer in time");
    return results;
  }

  land(statements: readonly SinkStatement[]) {
    return d1Sink(d1Double(this.sqlite).d1).batch(statements);
  }

  /** Delivers late batches. @throws the database's error */
  async deliver(): Promise<void> {
    for (const statements of this.#late.splice(0)) await this.land(statements);
  }

  get chain() {
    return this.sqlite.prepare("SELECT identity, sequence, batch, is_whole FROM chain").get() as
      | { readonly identity: string; readonly sequence: number; readonly batch: string; readonly is_whole: number }
      | undefined;
  }
}

/** Copy of the database's current state, to be restored later. */
export function copyOf(sqlite: DatabaseSync): DatabaseSync {
  const copy = d1Double().sqlite;
  for (const { name } of sqlite.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()) {
    copy.exec(`DELETE FROM ${name}`);
    for (const row of reading(sqlite, String(name))) {
      const placeholders = Object.keys(row).map(() => "?");
      copy.prepare(`INSERT INTO ${name} VALUES (${placeholders.join(", ")})`).run(...Object.values(row));
    }
  }
  return copy;
}

function reading(sqlite: DatabaseSync, table: string) {
  const statement = sqlite.prepare(`SELECT * FROM ${table}`);
  statement.setReadBigInts(true);
  return statement.all();
}
