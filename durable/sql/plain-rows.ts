/** Rows that are no chain state: written at once, neither journaled nor published. */
import type { StoredValue } from "../../src/tables/schema/cell.ts";
import { rowText } from "../../src/tables/schema/row-text.ts";
import { bindKey, bindRow, readRow } from "../../src/tables/schema/stored-row.ts";
import type { Row, Table } from "../../src/tables/schema/table.ts";
import type { SqlDatabase } from "./sql-database.ts";

/** Adds a row. A column that SQLite numbers is left out of it. @throws Error when there is one with its key */
export function insertRow<R extends Row>(sql: SqlDatabase, table: Table<R>, row: NoInfer<Partial<R>>): void {
  sql.exec(table.insertSql, ...bindRow(table, row as Row));
}

/** Writes a row, whether or not there was one with its key. */
export function putRow<R extends Row>(sql: SqlDatabase, table: Table<R>, row: NoInfer<R>): void {
  sql.exec(table.writeSql, `[${rowText(table, row)}]`);
}

/** The row with the key, or undefined. */
export function findRow<R extends Row>(sql: SqlDatabase, table: Table<R>, key: NoInfer<Partial<R>>): R | undefined {
  return read(sql, table, table.selectSql, bindKey(table, key as Row))[0];
}

/** Rows of the table. @param tail what stands behind `FROM table` */
export function queryRows<R extends Row>(
  sql: SqlDatabase,
  table: Table<R>,
  tail: string,
  ...bindings: StoredValue[]
): R[] {
  return read(sql, table, `${table.fromSql} ${tail}`, bindings);
}

function read<R extends Row>(sql: SqlDatabase, table: Table<R>, query: string, bindings: StoredValue[]): R[] {
  // Read to the end, or the database could not use the prepared statement again.
  const rows = sql
    .exec(query, ...bindings)
    .raw()
    .toArray();
  return rows.map((values) => readRow(table, values));
}
