/** What a height has changed so far, its earlier steps included: what rows were before it, and what they are now. */

import type { RowChange } from "../../../src/tables/schema/row-change.ts";
import { keyText } from "../../../src/tables/schema/row-text.ts";
import type { Row, Table } from "../../../src/tables/schema/table.ts";
import type { CommitPosition, StateStore } from "./state-store.ts";

/** A row that was written at the height, whether or not it is another one now. */
export interface ChangedRow {
  readonly table: Table;
  /** At least its key columns. */
  readonly key: Row;
  /** Before the first step of the height. */
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

/**
 * The rows of the given tables that the height changes.
 * @param step the step at hand, and the rows that it is about to write
 * @param tables those that matter
 * Cost: reads the undo records of the height, so that it is bounded by what one block changes.
 */
export function* heightChanges(
  store: StateStore,
  { height, step }: CommitPosition,
  changes: readonly RowChange[],
  tables: ReadonlySet<Table>,
): Iterable<ChangedRow> {
  if (step === 0) {
    // PERF: one step writes each row once, and a key block may write 100,000 rows: none of these is held here.
    for (const { table, row, removed, isNew } of changes) {
      if (!tables.has(table)) continue;
      yield { table, key: row, before: isNew ? undefined : store.find(table, row), after: removed ? undefined : row };
    }
    return;
  }
  const changed = new Map<string, ChangedRow>();
  // Within a height the oldest record of a row says what it was before.
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

/** What tells the row from every other one of any table. */
function rowName(table: Table, row: Row): string {
  return `${table.name}${keyText(table, row)}`;
}
