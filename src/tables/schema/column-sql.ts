/** SQL expressions of columns. */
import { encodeHex } from "../../crypto/hex.ts";
import { cellOf } from "./cell.ts";
import type { CellKind, Column } from "./column.ts";

/** Types in SQLite. */
export const sqlTypes = { blob: "BLOB", text: "TEXT", int: "INTEGER", i64: "INTEGER" } as const satisfies Record<
  CellKind,
  string
>;

/** Expression that reads a column without losing digits. @param sql the column, or an expression of its type */
export function readSql(sql: string, { kind }: Column): string {
  return kind === "i64" ? `CAST(${sql} AS TEXT)` : sql;
}

/** Expression of a cell in the JSON array `value`, or of the default for rows older than the column. */
export function jsonCellSql(column: Column, index: number): string {
  const { older } = column;
  const cell = cellSql(`value ->> ${index}`, column);
  if (older === undefined || older.onlyInReadModel) return cell;
  return `CASE WHEN json_array_length(value) > ${index} THEN ${cell} ELSE ${literalSql(older.value, column)} END`;
}

/** Expression of a cell in JSON. @param json result of `valueText`, in SQLite */
export function cellSql(json: string, { kind, isLong }: Column): string {
  // A text that is not hex is base64 and stays as it is: SQLite cannot decode it.
  if (isLong) return `coalesce(unhex(${json}), ${json})`;
  return { blob: `unhex(${json})`, i64: `CAST(${json} AS INTEGER)`, text: json, int: json }[kind];
}

/** The value as an SQL literal. */
export function literalSql(value: unknown, column: Column): string {
  const cell = cellOf(value, column);
  if (cell === undefined) return "NULL";
  if (cell instanceof Uint8Array) return `x'${encodeHex(cell)}'`;
  return typeof cell === "string" ? `'${cell.replaceAll("'", "''")}'` : String(cell);
}

/** Expression of an upper estimate of the cell's length as text: the value itself is not read. */
export function sizeSql(sql: string, { kind }: Column): string {
  // PERF: the length of a blob or a text is in the header of its row.
  return kind === "blob" || kind === "text" ? `COALESCE(2 * octet_length(${sql}), 0) + 4` : "24";
}
