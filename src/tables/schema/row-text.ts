/** Rows as JSON text: their form in writes to a table, in the undo journal and on the way to the read model. */
import { platformLimits } from "../../platform/limits.ts";
import { assertKind, type JsonCell, StoredValueError, valueOfJson, valueText } from "./cell.ts";
import { type Column, sqlNameOf } from "./column.ts";
import { latestColumn, type Row, type Table } from "./table.ts";

/**
 * Maximum length of one parameter. A character takes at most three bytes: those outside the basic plane count as two.
 */
export const MAX_PARAMETER_CHARACTERS = Math.floor(platformLimits.valueBytes / 3) - 2;

/** Cell of the column `latestBy`, for `knownSql`. */
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

/** Cells of the row's key, unique in the table. */
export function keyText({ columns, key }: Table, row: Row): string {
  let text = "[";
  for (const field of key) {
    if (text.length > 1) text += ",";
    text += valueText(row[field], columns.get(field) as Column);
  }
  return `${text}]`;
}

/** Decodes the cells of `rowText`. Text older than a column lacks its cell. @throws StoredValueError */
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

/** Decodes the key columns from the cells of `keyText`. @throws StoredValueError */
export function keyOfCells(table: Table, cells: readonly JsonCell[]): Row {
  return Object.fromEntries(table.key.map((field, index) => [field, fieldOf(table, field, cells[index] as JsonCell)]));
}

function fieldOf({ name, columns }: Table, field: string, json: JsonCell | undefined): unknown {
  const column = columns.get(field) as Column;
  try {
    // Rows may come from files of other nodes.
    assertKind(json ?? null, column);
    return valueOfJson(json ?? null, column);
  } catch (cause) {
    throw new StoredValueError(name, sqlNameOf(field, column), json, cause);
  }
}

/** Combines texts to JSON arrays that each fit into one parameter of a statement. */
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
