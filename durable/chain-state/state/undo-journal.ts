/**
 * Undo journal: the values that every change of a row overwrote, in order, one record for each commit (a key block with
 * its height, or one of its micro-blocks). Replayed backwards it rolls back commits of any kind.
 */
import type { JsonCell } from "../../../src/tables/schema/cell.ts";
import type { RowChange } from "../../../src/tables/schema/row-change.ts";
import { keyOfCells, rowOfCells, rowText } from "../../../src/tables/schema/row-text.ts";
import type { Row, Table } from "../../../src/tables/schema/table.ts";
import type { NumberedTables } from "./numbered-tables.ts";

/** [table, key cells, earlier row or null if there was none]. */
type UndoEntry = readonly [table: number, key: JsonCell[], earlier: JsonCell[] | null];

/** Row that a commit wrote. */
export interface OverwrittenRow {
  readonly table: Table;
  /** Key columns of the row alone. */
  readonly key: Row;
  readonly earlier: Row | undefined;
}

/** Record of one changed row, as JSON. @param key `keyText` of the row */
export function undoEntryText(tables: NumberedTables, table: Table, key: string, earlier: Row | undefined): string {
  return `[${tables.numberOf(table)},${key},${earlier === undefined ? "null" : rowText(table, earlier)}]`;
}

/**
 * Rows of an undo record, in the order of their writing.
 * @param entries JSON array of `undoEntryText`
 * @param wanted tables of the requested rows; by default all of them
 */
export function overwrittenRows(
  tables: NumberedTables,
  entries: string,
  wanted?: ReadonlySet<Table>,
): OverwrittenRow[] {
  return (JSON.parse(entries) as UndoEntry[]).flatMap(([number, key, earlier]) => {
    const table = tables.at(number);
    if (wanted?.has(table) === false) return [];
    return { table, key: keyOfCells(table, key), earlier: earlier === null ? undefined : rowOfCells(table, earlier) };
  });
}

/** Change that restores the overwritten row. */
export function invertChange({ table, key, earlier }: OverwrittenRow): RowChange {
  return earlier === undefined ? { table, row: key, removed: true } : { table, row: earlier };
}
