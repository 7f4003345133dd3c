/** Changes of rows as JSON text, in the order of their writing. */
import type { JsonCell } from "../../src/tables/schema/cell.ts";
import { added, type RowChange, removed, written } from "../../src/tables/schema/row-change.ts";
import { keyOfCells, keyText, parameters, rowOfCells, rowText } from "../../src/tables/schema/row-text.ts";
import type { NumberedTables } from "./numbered-tables.ts";

/** Numbers never move: they are stored. */
const Kind = { written: 0, added: 1, removed: 2 } as const;

/** [table, kind, cells of the row; of a removed one those of its key]. */
type ChangeEntry = readonly [table: number, kind: number, cells: JsonCell[]];

/** @returns JSON arrays, each short enough for one value of a row */
export function changesTexts(tables: NumberedTables, changes: readonly RowChange[]): string[] {
  return parameters(
    changes.map((change) => {
      const { table, row, removed: isRemoved } = change;
      const kind = isRemoved ? Kind.removed : change.isNew ? Kind.added : Kind.written;
      return `[${tables.numberOf(table)},${kind},${isRemoved ? keyText(table, row) : rowText(table, row)}]`;
    }),
  );
}

/** @param text one of `changesTexts` @throws StoredValueError */
export function changesOfText(tables: NumberedTables, text: string): RowChange[] {
  return (JSON.parse(text) as ChangeEntry[]).map(([number, kind, cells]) => {
    const table = tables.at(number);
    if (kind === Kind.removed) return removed(table, keyOfCells(table, cells));
    const row = rowOfCells(table, cells);
    return kind === Kind.added ? added(table, row) : written(table, row);
  });
}
