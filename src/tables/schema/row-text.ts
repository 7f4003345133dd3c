/**
 * Rows as JSON text: the one form in which they are written to a table, kept in the undo journal and sent to the read
 * model.
 */
import { platformLimits } from "../../platform/limits.ts";
import { expectKind, type JsonCell, StoredValueError, valueOfJson, valueText } from "./cell.ts";
import { type Column, sqlNameOf } from "./column.ts";
import { latestColumn, type Row, type Table } from "./table.ts";

/** Of one parameter. A character takes three bytes at most: those outside the basic plane count as two. */
export const MAX_PARAMETER_CHARACTERS = Math.floor(platformLimits.valueBytes / 3) - 2;

/** The cell of its column `latestBy`, for `knownSql`. */
export function latestText(of: Table, row: Row): string {
  const { field, column } = latestColumn(of);
  return valueText(row[field], column);
}

/** All cells of the row, in the order of the table's columns: bytes as hex, 64-bit integers as decimal text. */
export function rowText({ columns }: Table, row: Row): string {
  let text = "[";
  for (const [field, column] of columns) {
    if (text.length > 1) text += ",";
    text += valueText(row[field], column);
  }
  return `${text}]`;
}

/** The cells of its key. No two rows of a table have the same text. */
export function keyText({ columns, key }: Table, row: Row): string {
  let text = "[";
  for (const field of key) {
    if (text.length > 1) text += ",";
    text += valueText(row[field], columns.get(field) as Column);
  }
  return `${text}]`;
}

/** The row of the cells of `rowText`. Text of before a column was added has its cells up to there. @throws StoredValueError */
export function rowOfCells(table: Table, cells: readonly JsonCell[]): Row {
  const row: Record<string, unknown> = {};
  let index = 0;
  for (const [field, column] of table.columns) {
    const { older } = column;
    row[field] =
      index >= cells.length && older !== undefined ? older.value : fieldOf(table, field, cells[index] as JsonCell);
    index += 1;
  }
  return row;
}

/** The key columns out of the cells of `keyText`. @throws StoredValueError */
export function keyOfCells(table: Table, cells: readonly JsonCell[]): Row {
  return Object.fromEntries(table.key.map((field, index) => [field, fieldOf(table, field, cells[index] as JsonCell)]));
}

function fieldOf({ name, columns }: Table, field: string, json: JsonCell | undefined): unknown {
  const column = columns.get(field) as Column;
  try {
    // Rows come from files of others, too.
    expectKind(json ?? null, column);
    return valueOfJson(json ?? null, column);
  } catch (cause) {
    throw new StoredValueError(name, sqlNameOf(field, column), json, cause);
  }
}

/** JSON arrays of the texts, each short enough for one parameter of a statement. */
export function parameters(texts: Iterable<string>): string[] {
  const arrays: string[] = [];
  let array = "";
  for (const text of texts) {
    if (array.length + text.length > MAX_PARAMETER_CHARACTERS && array !== "") {
      arrays.push(`[${array}]`);
      array = "";
    }
    array += array === "" ? text : `,${text}`;
  }
  if (array !== "") arrays.push(`[${array}]`);
  return arrays;
}
