/** Source of rows for a view of the state: the object's own tables, or copies of them. */
import type { StoredValue } from "../schema/cell.ts";
import type { Row, Table } from "../schema/table.ts";

export interface RowSource {
  find<R extends Row>(table: Table<R>, key: NoInfer<Partial<R>>): R | undefined;
  /** Finds the last row, by key, with the value of `key` in the table's column `latestBy`. */
  findLatest<R extends Row>(table: Table<R>, key: NoInfer<Partial<R>>): R | undefined;
  /** Rows of a table. @param tail SQL after `FROM table` */
  query<R extends Row>(table: Table<R>, tail: string, ...bindings: StoredValue[]): R[];
  /** First column of the first row, or undefined. */
  scalar(query: string, ...bindings: StoredValue[]): StoredValue | undefined;
}
