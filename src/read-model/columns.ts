/**
 * Columns of declared tables in statements: the SQL that selects them, and the functions that read them from a row.
 *
 * D1 returns blobs as lists of numbers and rounds integers past 2^53. So blobs are selected as hexadecimal (long ones
 * are text in the table) and 64-bit integers as decimal text.
 */
import { type JsonCell, StoredValueError, valueOfJson } from "../tables/schema/cell.ts";
import { type Column, type ColumnOf, sqlNameOf } from "../tables/schema/column.ts";
import { readSql } from "../tables/schema/column-sql.ts";
import type { Row, Table } from "../tables/schema/table.ts";

/** A row as D1 returns it, by result column names. */
export type ResultRow = Readonly<Record<string, unknown>>;

/** One or several columns of a statement, and their decoder. */
export interface Selection<Value> {
  /** SQL after SELECT. */
  readonly sql: string;
  /** @throws StoredValueError if the stored value does not fit the column */
  readonly read: (row: ResultRow) => Value;
}

/** Columns of one table. */
export interface TableColumns<R extends Row> extends Selection<R> {
  /** Undefined if an outer join found no row of the table. */
  readonly find: (row: ResultRow) => R | undefined;
  /** The same columns, read only in rows for which the condition holds: in others `find` returns undefined. */
  when(condition: string): TableColumns<R>;
}

/**
 * Selects columns of a declared table.
 * @param as alias of the table in the statement
 */
export function columnsOf<R extends Row, Field extends keyof R & string>(
  table: Table<R>,
  fields: readonly Field[],
  as = table.name,
): TableColumns<Pick<R, Field>> {
  return selected(
    table,
    fields.map((field) => {
      const column = table.columns.get(field) as Column;
      const name = sqlNameOf(field, column);
      // Result names include the table, so that columns of joined tables do not collide.
      return { field, column, sql: `${as}.${name}`, result: `${as}.${name}` };
    }),
  );
}

/**
 * Selects a computed column.
 * @param name result name in the statement
 * @param sql expression
 */
export function computed<Value>(name: string, column: ColumnOf<Value>, sql: string): Selection<Value> {
  return {
    sql: `${exactSql(sql, column)} AS "${name}"`,
    read: (row) => readResult("of a statement", column, name, row) as Value,
  };
}

interface SelectedColumn {
  readonly field: string;
  readonly column: Column;
  readonly sql: string;
  /** Result name in the statement. */
  readonly result: string;
}

function selected<R extends Row>(
  table: Pick<Table, "name">,
  columns: readonly SelectedColumn[],
  condition?: string,
): TableColumns<R> {
  const certain = columns.find(({ column }) => !column.isNullable)?.result;
  const read = (row: ResultRow): R => {
    const found: Record<string, unknown> = {};
    for (const { field, column, result } of columns) found[field] = readResult(table.name, column, result, row);
    // Each field has the type of its column.
    return found as R;
  };
  return {
    sql: columns.map((column) => `${selectSql(column, condition)} AS "${column.result}"`).join(", "),
    read,
    find: (row) => {
      if (certain === undefined) throw new Error(`table ${table.name}: no column tells whether there is a row`);
      return row[certain] === null ? undefined : read(row);
    },
    when: (condition) => selected(table, columns, condition),
  };
}

function selectSql({ column, sql }: SelectedColumn, condition: string | undefined): string {
  const exact = exactSql(sql, column);
  return condition === undefined ? exact : `iif(${condition}, ${exact}, NULL)`;
}

/** SQL expression whose value survives the transport from D1 unchanged. */
function exactSql(sql: string, column: Column): string {
  if (column.kind !== "blob") return readSql(sql, column);
  const isAsItIs = column.isLong ? `${sql} IS NULL OR typeof(${sql}) = 'text'` : `${sql} IS NULL`;
  return `iif(${isAsItIs}, ${column.isLong ? sql : "NULL"}, hex(${sql}))`;
}

function readResult(table: string, column: Column, result: string, row: ResultRow): unknown {
  const cell = row[result];
  if (cell === undefined) throw new Error(`the statement does not select ${result}`);
  try {
    return valueOfJson(cell as JsonCell, column);
  } catch (cause) {
    throw new StoredValueError(table, result, cell, cause);
  }
}
