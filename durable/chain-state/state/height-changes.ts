/** Changes of a height so far, including its earlier commits: rows as they were before it, and as they are now. */

import type { RowChange } from "../../../src/tables/schema/row-change.ts";
import { keyText } from "../../../src/tables/schema/row-text.ts";
import type { Row, Table } from "../../../src/tables/schema/table.ts";
import type { CommitPosition, StateStore } from "./state-store.ts";

/** Row that was written at the height, whether or not its values differ now. */
export interface ChangedRow {
  readonly table: Table;
  /** At least its key columns. */
  readonly key: Row;
  /** The row before the first commit of the height. */
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

/**
 * Rows of the given tables that the height changes. Reads the undo records of the height: the cost is bounded by the
 * changes of one block.
 * @param changes rows that the current commit is about to write
 * @param tables tables of interest
 */
export function* heightChanges(
  store: StateStore,
  { height, step }: CommitPosition,
  changes: readonly RowChange[],
  tables: ReadonlySet<Table>,
): Iterable<ChangedRow> {
  if (step === 0) {
    // PERF: one commit writes each row once, and a key block may write 100,000 rows: none of them is held here.
    for (const { table, row, removed, isNew } of changes) {
      if (!tables.has(table)) continue;
      yield { table, key: row, before: isNew ? undefined : store.find(table, row), after: removed ? undefined : row };
    }
    return;
  }
  const changed = new Map<string, ChangedRow>();
  // The oldest record of a row within a height has its values before the height.
  for (const { table, key, earlier } of store.overwrittenAt(height, tables)) {
    const name = rowName(table, key);
    if (!changed.has(name)) changed.set(name, { table, key, before: earlier, after: store.find(table, key) });
  }
  for (const { table, row, removed, isNew } of changes) {
    if (!tables.has(table)) continue;
    const name = rowName(table, row);
    const known = changed.get(name);
    const before = known === undefined ? (isNew ? undefined : store.find(table, row)) : known.before;
    changed.set(name, { table, key: row, before, after: removed ? undefined : row });
  }
  yield* changed.values();
}

/** Name of the row that is unique among the rows of all tables. */
function rowName(table: Table, row: Row): string {
  return `${table.name}${keyText(table, row)}`;
}
