/** Pending rows, written but not yet in the tables. */
import { parameters, rowText } from "../../../src/tables/schema/row-text.ts";
import type { Row, Table } from "../../../src/tables/schema/table.ts";

/** One call to SQLite that writes or removes rows of one table. */
export interface RowStatement {
  readonly table: Table;
  readonly removes: boolean;
  /** JSON array of `rowText`, or of `keyText` for removals. */
  readonly parameter: string;
}

/** The last content of each row, null for a removed one, by table and `keyText`. */
export class RowBuffer {
  readonly #tables = new Map<Table, Map<string, Row | null>>();
  /** Number of rows in the buffer. */
  size = 0;

  put(table: Table, key: string, row: Row | null): void {
    let rows = this.#tables.get(table);
    if (rows === undefined) {
      rows = new Map();
      this.#tables.set(table, rows);
    }
    const sizeBefore = rows.size;
    rows.set(key, row);
    this.size += rows.size - sizeBefore;
  }

  /** The row; null for a removed one; undefined if the buffer has none and the table decides. */
  find(table: Table, key: string): Row | null | undefined {
    return this.#tables.get(table)?.get(key);
  }

  /** Statements with removals first: a new row may take the unique index entry of a removed one. */
  statements(): RowStatement[] {
    const removals: RowStatement[] = [];
    const writes: RowStatement[] = [];
    for (const [table, rows] of this.#tables) {
      const removed: string[] = [];
      const written: string[] = [];
      for (const [key, row] of rows) {
        if (row === null) removed.push(key);
        else written.push(rowText(table, row));
      }
      for (const parameter of parameters(removed)) removals.push({ table, removes: true, parameter });
      for (const parameter of parameters(written)) writes.push({ table, removes: false, parameter });
    }
    return [...removals, ...writes];
  }

  clear(): void {
    for (const rows of this.#tables.values()) rows.clear();
    this.size = 0;
  }
}
