/** What a step does to one row. */
import type { Row, Table } from "./table.ts";

/** Its new content, or its removal. `isNew`: there was no such row before, so nobody needs to look. */
export type RowChange =
  | { readonly table: Table; readonly row: Row; readonly removed?: false; readonly isNew?: boolean }
  | { readonly table: Table; readonly row: Row; readonly removed: true; readonly isNew?: false };

/** A row of the table is written, whether or not there was one with its key. */
export function written<R extends Row>(table: Table<R>, row: NoInfer<R>): RowChange {
  return { table, row };
}

/** A row is written that the table has not. */
export function added<R extends Row>(table: Table<R>, row: NoInfer<R>): RowChange {
  return { table, row, isNew: true };
}

/** A row goes. @param key at least its key columns */
export function removed<R extends Row>(table: Table<R>, key: NoInfer<Partial<R>>): RowChange {
  return { table, row: key as Row, removed: true };
}
