/** Validation of a part's rows before they go into their table. */
import { stateTables } from "../../../src/tables/all-tables.ts";
import { undoTable } from "../../../src/tables/journal.ts";
import type { JsonCell } from "../../../src/tables/schema/cell.ts";
import { rowOfCells } from "../../../src/tables/schema/row-text.ts";
import type { Row, Table } from "../../../src/tables/schema/table.ts";
import { NumberedTables } from "../state/numbered-tables.ts";
import { overwrittenRows } from "../state/undo-journal.ts";

/** Expected properties of the rows of a part. */
export interface ExpectedRows {
  readonly table: Table;
  /** Number of cells in a row. */
  readonly columns: number;
  readonly rows: number;
  /** First and last block in the checkpoint. */
  readonly firstHeight: number;
  readonly height: number;
}

const journaled = new NumberedTables(stateTables);

/** @param text of the part @returns error as the end of a sentence; undefined: none */
export function findRowsError(text: string, expected: ExpectedRows): string | undefined {
  let rows: readonly JsonCell[][];
  try {
    rows = JSON.parse(text) as JsonCell[][];
  } catch {
    return "has no rows";
  }
  if (!Array.isArray(rows) || rows.length !== expected.rows) return `does not have ${expected.rows} rows`;
  for (const cells of rows) {
    const error = findRowError(cells, expected);
    if (error !== undefined) return error;
  }
  return undefined;
}

function findRowError(
  cells: readonly JsonCell[],
  { table, columns, firstHeight, height }: ExpectedRows,
): string | undefined {
  if (!Array.isArray(cells) || cells.length !== columns) return "has rows of another length";
  let row: Row;
  try {
    row = rowOfCells(table, cells);
    if (table === undoTable) overwrittenRows(journaled, row["entries"] as string);
  } catch (error) {
    return `has an invalid row: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (table.inCheckpoint !== "ofItsBlocks" && table.inCheckpoint !== "ofForkableBlocks") return undefined;
  const rowHeight = row["height"] as number;
  return rowHeight >= firstHeight && rowHeight <= height
    ? undefined
    : `has a row of block ${rowHeight}, which is outside the checkpoint`;
}
