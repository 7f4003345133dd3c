/** Named copies of the state, in the order in which they were taken. */
import { int, nullable, text, unique } from "../../../src/tables/schema/column.ts";
import { createSql } from "../../../src/tables/schema/schema-text.ts";
import { type RowOf, table } from "../../../src/tables/schema/table.ts";
import { insertRow, putRow, queryRows } from "../../sql/plain-rows.ts";
import type { StateStore } from "../state/state-store.ts";
import { LAST_TRANSIENT } from "./non-state-tables.ts";
import type { StateCopies } from "./state-copies.ts";

/** Maximum of snapshots; each is a copy of the whole state. */
export const MAX_SNAPSHOTS = 100;
/** Maximum of copies for dumps and loads. An abandoned one stays until new ones need the room. */
const MAX_TRANSIENT = 4;
const MAX_NAME_CHARACTERS = 200;

/** State before the first transaction of a user: no other snapshot has its name, and none is older. */
export const START = "start";
const START_NUMBER = 0;

const snapshotTable = table({
  name: "dev_snapshot",
  comment: "Copies of the state in the order in which they were taken; without a name: for a dump or load.",
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

  /** Creates missing tables. Snapshots of another release are deleted, since they have its tables. */
  open(): void {
    const { sql } = this.#store;
    const exists = this.#store.scalar("SELECT 1 FROM sqlite_master WHERE name = ?", snapshotTable.name) !== undefined;
    if (!this.#copies.open() && exists) return;
    sql.exec(`DROP TABLE IF EXISTS ${snapshotTable.name}`);
    for (const statement of createSql(snapshotTable, "object")) sql.exec(statement);
  }

  /** Takes the snapshot that a reset restores, and deletes all others. */
  takeStart(height: number): void {
    this.#store.sql.transaction(() => {
      for (const { number } of this.#rows("")) this.#drop(number);
      this.#take({ number: START_NUMBER, name: START, height });
    });
  }

  /** Snapshots by request, oldest first. */
  list(): readonly Snapshot[] {
    return this.#rows("WHERE number > 0 ORDER BY number") as Snapshot[];
  }

  find(name: string): Snapshot | undefined {
    const [found] = this.#rows("WHERE name = ?", name);
    return found as Snapshot | undefined;
  }

  /**
   * Copies the present state. An older snapshot with the name is deleted.
   * @param name by default the next number
   * @returns a message if refused
   */
  take(name: string | undefined, height: number): Snapshot | string {
    if (name === START) return `the name "${START}" is reserved for the state that a reset restores`;
    if (name === "" || (name?.length ?? 0) > MAX_NAME_CHARACTERS)
      return `the name of a snapshot has 1 to ${MAX_NAME_CHARACTERS} characters`;
    if (name?.isWellFormed() === false) return "the name of a snapshot is Unicode text, without halves of characters";
    const replaced = name === undefined ? undefined : this.find(name);
    if (replaced === undefined && this.list().length >= MAX_SNAPSHOTS)
      return `there are ${MAX_SNAPSHOTS} snapshots, the maximum: a revert deletes the later ones, a reset all`;
    return this.#store.sql.transaction(() => {
      if (replaced !== undefined) this.#drop(replaced.number);
      let number = this.#newNumber();
      while (name === undefined && this.find(String(number)) !== undefined) number = this.#newNumber();
      const taken = { number, name: name ?? String(number), height };
      this.#take(taken);
      return taken;
    });
  }

  /** Deletes all later snapshots. */
  dropAfter({ number }: Snapshot): void {
    for (const later of this.#rows("WHERE number > ?", number)) this.#drop(later.number);
  }

  /**
   * Creates a copy without a name for a dump or load.
   * @param isTaken whether it contains the present state, or nothing
   */
  createTransient(isTaken: boolean): number {
    return this.#store.sql.transaction(() => {
      const newestFirst = this.#rows("WHERE number < 0 ORDER BY number");
      for (const oldest of newestFirst.slice(MAX_TRANSIENT - 1)) this.#drop(oldest.number);
      const number = Number(this.#store.findMeta(LAST_TRANSIENT) ?? 0) - 1;
      this.#store.putMeta(LAST_TRANSIENT, String(number));
      putRow(this.#store.sql, snapshotTable, { number, name: undefined, height: 0 });
      if (isTaken) this.#copies.create(number);
      return number;
    });
  }

  /** Whether the copy without a name still exists. */
  isTransient(number: number): boolean {
    return number < 0 && this.#rows("WHERE number = ?", number).length > 0;
  }

  /** Deletes the copy of a finished dump or load. */
  dropTransient(number: number): void {
    this.#store.sql.transaction(() => this.#drop(number));
  }

  #take(snapshot: Snapshot): void {
    putRow(this.#store.sql, snapshotTable, snapshot);
    this.#copies.create(snapshot.number);
  }

  #drop(number: number): void {
    this.#copies.drop(number);
    this.#store.rows("DELETE FROM dev_snapshot WHERE number = ?", number);
  }

  /** Number that no snapshot has had. */
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
