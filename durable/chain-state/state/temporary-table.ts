/**
 * Table that exists only while it has rows. It is not part of the chain state, and its rows survive a reset of the
 * object.
 */
import type { StoredValue } from "../../../src/tables/schema/cell.ts";
import { createSql } from "../../../src/tables/schema/schema-text.ts";
import type { Row, Table } from "../../../src/tables/schema/table.ts";
import { insertRow } from "../../sql/plain-rows.ts";
import type { SqlDatabase } from "../../sql/sql-database.ts";

/** @typeParam R row, with a `number` that grows in the order of insertion */
export class TemporaryTable<R extends Row & { readonly number: number }> {
  readonly #sql: SqlDatabase;
  readonly #table: Table<R>;
  /** Number of the last row; undefined: the table does not exist. */
  #last: number | undefined;

  /** Continues with the rows that an earlier instance left. */
  constructor(sql: SqlDatabase, table: Table<R>) {
    this.#sql = sql;
    this.#table = table;
    const [found] = this.query("SELECT 1 FROM sqlite_master WHERE name = ?", table.name);
    if (found !== undefined) this.#last = Number(this.query(`SELECT MAX(number) FROM ${table.name}`)[0]?.[0] ?? 0);
  }

  get isThere(): boolean {
    return this.#last !== undefined;
  }

  /** Number of the last row, 0 if there is none. */
  get last(): number {
    return this.#last ?? 0;
  }

  /** Runs all or nothing. */
  transaction(run: () => void): void {
    const before = this.#last;
    try {
      this.#sql.transaction(run);
    } catch (error) {
      this.#last = before;
      throw error;
    }
  }

  /** Inserts a row, and creates the table if needed. To be called inside `transaction`. */
  add(row: NoInfer<Partial<R>> & { readonly number: number }): void {
    if (!this.isThere) for (const statement of createSql(this.#table, "object")) this.#sql.exec(statement);
    insertRow(this.#sql, this.#table, row);
    this.#last = row.number;
  }

  drop(): void {
    if (!this.isThere) return;
    this.#sql.exec(`DROP TABLE ${this.#table.name}`);
    this.#last = undefined;
  }

  /** Result rows of a statement about the table. */
  query(statement: string, ...bindings: StoredValue[]): (readonly StoredValue[])[] {
    return this.#sql
      .exec(statement, ...bindings)
      .raw()
      .toArray();
  }
}
