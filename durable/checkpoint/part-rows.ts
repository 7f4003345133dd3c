/** The rows of a part, before they go into their table. */
import { stateTables } from "../../src/tables/all-tables.ts";
import { undoTable } from "../../src/tables/journal.ts";
import type { JsonCell } from "../../src/tables/schema/cell.ts";
import { rowOfCells } from "../../src/tables/schema/row-text.ts";
import type { Row, Table } from "../../src/tables/schema/table.ts";
import { NumberedTables } from "../state/numbered-tables.ts";
import { overwrittenRows } from "../state/undo-journal.ts";

/** What the rows of a part must be. */
export interface ExpectedRows {
  readonly table: Table;
  /** How many cells a row has. */
  readonly columns: number;
  readonly rows: number;
  /** Of the blocks that the checkpoint carries. */
  readonly firstHeight: number;
  readonly height: number;
}

const journaled = new NumberedTables(stateTables);

/** @param text as the part has it @returns what is wrong with them, as the end of a sentence; undefined: nothing */
export function rowsFault(text: string, expected: ExpectedRows): string | undefined {
  let rows: readonly JsonCell[][];
  try {
    rows = JSON.parse(text) as JsonCell[][];
  } catch {
    return "has no rows";
  }
  if (!Array.isArray(rows) || rows.length !== expected.rows) return `has not the ${expected.rows} rows that it should`;
  for (const cells of rows) {
    const fault = rowFault(cells, expected);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function rowFault(
  cells: readonly JsonCell[],
  { table, columns, firstHeight, height }: ExpectedRows,
): string | undefined {
  if (!Array.isArray(cells) || cells.length !== columns) return "has rows of another length";
  let row: Row;
  try {
    row = rowOfCells(table, cells);
    if (table === undoTable) overwrittenRows(journaled, row["entries"] as string);
  } catch (error) {
    return `has a row that is none: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (table.inCheckpoint !== "ofItsBlocks" && table.inCheckpoint !== "ofForkableBlocks") return undefined;
  const rowHeight = row["height"] as number;
  return rowHeight >= firstHeight && rowHeight <= height
    ? undefined
    : `has a row of block ${rowHeight}, which is not among those of the checkpoint`;
}
