/** Columns in statements. */
import { encodeHex } from "../../crypto/hex.ts";
import { cellOf } from "./cell.ts";
import type { CellKind, Column } from "./column.ts";

/** Types of SQLite. */
export const sqlTypes = { blob: "BLOB", text: "TEXT", int: "INTEGER", i64: "INTEGER" } as const satisfies Record<
  CellKind,
  string
>;

/** Expression that reads a column without losing digits. @param sql the column, or any expression of its kind */
export function readSql(sql: string, { kind }: Column): string {
  return kind === "i64" ? `CAST(${sql} AS TEXT)` : sql;
}

/** Expression that takes a cell out of the JSON array `value`: what stands there, or what rows held before the column. */
export function jsonCellSql(column: Column, index: number): string {
  const { older } = column;
  const cell = cellSql(`value ->> ${index}`, column);
  if (older === undefined || older.onlyInReadModel) return cell;
  return `CASE WHEN json_array_length(value) > ${index} THEN ${cell} ELSE ${literalSql(older.value, column)} END`;
}

/** Expression of the cell that JSON keeps. @param json what `valueText` gives, as SQLite has it */
export function cellSql(json: string, { kind, isLong }: Column): string {
  // What is no hex is base64, which stays as it is: SQLite cannot read it.
  if (isLong) return `coalesce(unhex(${json}), ${json})`;
  return { blob: `unhex(${json})`, i64: `CAST(${json} AS INTEGER)`, text: json, int: json }[kind];
}

/** The value as a constant. */
export function literalSql(value: unknown, column: Column): string {
  const cell = cellOf(value, column);
  if (cell === undefined) return "NULL";
  if (cell instanceof Uint8Array) return `x'${encodeHex(cell)}'`;
  return typeof cell === "string" ? `'${cell.replaceAll("'", "''")}'` : String(cell);
}

/** Expression of how many characters the cell has as text, about and at most: the value itself is not read. */
export function sizeSql(sql: string, { kind }: Column): string {
  // PERF: the length of a blob or a text stands in the head of its row.
  return kind === "blob" || kind === "text" ? `COALESCE(2 * octet_length(${sql}), 0) + 4` : "24";
}
