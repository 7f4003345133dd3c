/** Change of one row in a commit. */
import type { Row, Table } from "./table.ts";

/** New content of a row, or its removal. `isNew`: there was no such row before, so no lookup is needed. */
export type RowChange =
  | { readonly table: Table; readonly row: Row; readonly removed?: false; readonly isNew?: boolean }
  | { readonly table: Table; readonly row: Row; readonly removed: true; readonly isNew?: false };

/** Writes a row of the table, whether or not there was one with its key. */
export function written<R extends Row>(table: Table<R>, row: NoInfer<R>): RowChange {
  return { table, row };
}

/** Adds a row that the table does not have. */
export function added<R extends Row>(table: Table<R>, row: NoInfer<R>): RowChange {
  return { table, row, isNew: true };
}

/** Removes a row. @param key at least its key columns */
export function removed<R extends Row>(table: Table<R>, key: NoInfer<Partial<R>>): RowChange {
  return { table, row: key as Row, removed: true };
}
