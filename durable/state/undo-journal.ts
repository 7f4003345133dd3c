/**
 * Undo journal: what every change of a row overwrote, in order, one record for each step (a key block with its height,
 * or one of its micro-blocks). Replayed backwards it takes back steps of any kind.
 */

import { stateTables, tableNumbers } from "../../src/tables/all-tables.ts";
import type { RowChange } from "../../src/tables/schema/row-change.ts";
import { keyText, rowText } from "../../src/tables/schema/row-text.ts";
import { type Cell, cellFromJson, type JsonCell, type Row, type Table } from "../../src/tables/schema/table.ts";

/** [table, key cells, earlier row or null where there was none]. */
export type UndoEntry = readonly [table: number, key: JsonCell[], earlier: JsonCell[] | null];

/** A row that a step wrote. */
export interface OverwrittenRow {
  readonly table: Table;
  /** Its key columns alone. */
  readonly key: Row;
  readonly earlier: Row | undefined;
}

/** Record of one changed row: an `UndoEntry` as JSON. @param key `keyText` of the row */
export function undoEntryText(table: Table, key: string, earlier: Row | undefined): string {
  return `[${tableNumber(table)},${key},${earlier === undefined ? "null" : rowText(table, earlier)}]`;
}

/** What tells the row from every other one of any table. */
export function rowName(table: Table, row: Row): string {
  return `${tableNumber(table)}${keyText(table, row)}`;
}

/** What the entry says: the row's key, and its earlier content. */
export function overwrittenRow([number, key, earlier]: UndoEntry): OverwrittenRow {
  const table = stateTables[number];
  if (table === undefined) throw new Error(`the journal names table ${number}, which does not exist`);
  return {
    table,
    key: rowOfKey(table, key),
    earlier: earlier === null ? undefined : rowOfCells(table, [...table.columns.keys()], earlier),
  };
}

export function tableNumber(table: Table): number {
  const number = tableNumbers.get(table);
  if (number === undefined) throw new Error(`table ${table.name} is not a state table`);
  return number;
}

/** The change that puts back what the entry's change overwrote. */
export function invertEntry(entry: UndoEntry): RowChange {
  const { table, key, earlier } = overwrittenRow(entry);
  return earlier === undefined ? { table, row: key, removed: true } : { table, row: earlier };
}

function rowOfKey(table: Table, key: readonly JsonCell[]): Row {
  return rowOfCells(table, table.key, key);
}

function rowOfCells(table: Table, names: readonly string[], cells: readonly JsonCell[]): Row {
  const row: Record<string, Cell> = {};
  names.forEach((name, index) => {
    const column = table.columns.get(name);
    if (column !== undefined) row[name] = cellFromJson(cells[index] as JsonCell, column.kind);
  });
  return row;
}
