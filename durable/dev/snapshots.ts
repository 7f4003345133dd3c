/** Copies of the state by their names, in the order in which they were taken. */
import { int, nullable, text, unique } from "../../src/tables/schema/column.ts";
import { createSql } from "../../src/tables/schema/schema-text.ts";
import { type RowOf, table } from "../../src/tables/schema/table.ts";
import { insertRow, putRow, queryRows } from "../state/plain-rows.ts";
import type { StateStore } from "../state/state-store.ts";
import { LAST_PASSING } from "./kept-tables.ts";
import type { StateCopies } from "./state-copies.ts";

/** Each is a copy of the whole state. */
export const MAX_SNAPSHOTS = 100;
/** Copies that are on their way out of the object or into it. One that is given up stays until others come. */
const MAX_PASSING = 4;
const MAX_NAME_CHARACTERS = 200;

/** The state before the first transaction of a user: no other snapshot has its name, and none is older. */
export const START = "start";
const START_NUMBER = 0;

const snapshotTable = table({
  name: "dev_snapshot",
  comment: "Copies of the state in the order in which they were taken; without a name: one that is dumped or loaded.",
  key: ["number"],
  columns: { number: int, name: nullable(unique(text)), height: int },
  published: false,
  inCheckpoint: "none",
  numbered: "once",
});

export type Snapshot = RowOf<typeof snapshotTable> & { readonly name: string };

export class Snapshots {
  readonly #store: StateStore;
  readonly #copies: StateCopies;

  constructor(store: StateStore, copies: StateCopies) {
    this.#store = store;
    this.#copies = copies;
  }

  /** Makes what is missing of the tables. Snapshots of another release are forgotten: they have its tables. */
  open(): void {
    const { sql } = this.#store;
    const isThere = this.#store.scalar("SELECT 1 FROM sqlite_master WHERE name = ?", snapshotTable.name) !== undefined;
    if (!this.#copies.open() && isThere) return;
    sql.exec(`DROP TABLE IF EXISTS ${snapshotTable.name}`);
    for (const statement of createSql(snapshotTable, "object")) sql.exec(statement);
  }

  /** Takes the snapshot that a reset goes back to, and forgets every other. */
  takeStart(height: number): void {
    this.#store.sql.transaction(() => {
      for (const { number } of this.#rows("")) this.#drop(number);
      this.#take({ number: START_NUMBER, name: START, height });
    });
  }

  /** Those that were asked for, the oldest first. */
  list(): readonly Snapshot[] {
    return this.#rows("WHERE number > 0 ORDER BY number") as Snapshot[];
  }

  find(name: string): Snapshot | undefined {
    const [found] = this.#rows("WHERE name = ?", name);
    return found as Snapshot | undefined;
  }

  /**
   * Copies the state as it is. An older snapshot of the name is forgotten.
   * @param name by default the next number
   * @returns a sentence where it is refused
   */
  take(name: string | undefined, height: number): Snapshot | string {
    if (name === START) return `the name "${START}" is that of the state to which a reset goes back`;
    if (name === "" || (name?.length ?? 0) > MAX_NAME_CHARACTERS)
      return `the name of a snapshot has 1 to ${MAX_NAME_CHARACTERS} characters`;
    if (name?.isWellFormed() === false) return "the name of a snapshot is Unicode text, without halves of characters";
    const replaced = name === undefined ? undefined : this.find(name);
    if (replaced === undefined && this.list().length >= MAX_SNAPSHOTS)
      return `there are ${MAX_SNAPSHOTS} snapshots, and no more are kept: a revert forgets those that were taken later, a reset all`;
    return this.#store.sql.transaction(() => {
      if (replaced !== undefined) this.#drop(replaced.number);
      let number = this.#newNumber();
      while (name === undefined && this.find(String(number)) !== undefined) number = this.#newNumber();
      const taken = { number, name: name ?? String(number), height };
      this.#take(taken);
      return taken;
    });
  }

  /** Forgets every snapshot that was taken later. */
  dropAfter({ number }: Snapshot): void {
    for (const later of this.#rows("WHERE number > ?", number)) this.#drop(later.number);
  }

  /** A copy without a name for what is under way. @param isTaken whether it holds the state as it is, or nothing */
  pass(isTaken: boolean): number {
    return this.#store.sql.transaction(() => {
      const newestFirst = this.#rows("WHERE number < 0 ORDER BY number");
      for (const oldest of newestFirst.slice(MAX_PASSING - 1)) this.#drop(oldest.number);
      const number = Number(this.#store.findMeta(LAST_PASSING) ?? 0) - 1;
      this.#store.putMeta(LAST_PASSING, String(number));
      putRow(this.#store.sql, snapshotTable, { number, name: undefined, height: 0 });
      if (isTaken) this.#copies.take(number);
      return number;
    });
  }

  /** Whether the copy without a name is still there. */
  isPassing(number: number): boolean {
    return number < 0 && this.#rows("WHERE number = ?", number).length > 0;
  }

  /** What was under way is over. */
  passed(number: number): void {
    this.#store.sql.transaction(() => this.#drop(number));
  }

  #take(snapshot: Snapshot): void {
    putRow(this.#store.sql, snapshotTable, snapshot);
    this.#copies.take(snapshot.number);
  }

  #drop(number: number): void {
    this.#copies.drop(number);
    this.#store.rows("DELETE FROM dev_snapshot WHERE number = ?", number);
  }

  /** No snapshot has had it. */
  #newNumber(): number {
    insertRow(this.#store.sql, snapshotTable, { name: undefined, height: 0 });
    const number = Number(this.#store.scalar("SELECT MAX(number) FROM dev_snapshot"));
    this.#store.rows("DELETE FROM dev_snapshot WHERE number = ?", number);
    return number;
  }

  #rows(tail: string, ...bindings: (string | number)[]): readonly RowOf<typeof snapshotTable>[] {
    return queryRows(this.#store.sql, snapshotTable, tail, ...bindings);
  }
}
