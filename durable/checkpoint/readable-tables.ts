/** Whether this release can read the rows of a checkpoint. */
import { SCHEMA_VERSION } from "../../src/tables/migrations/all-migrations.ts";
import { sqlNameOf } from "../../src/tables/schema/column.ts";
import type { Table } from "../../src/tables/schema/table.ts";
import { carriedTables } from "./carried-tables.ts";
import { CheckpointRefused, type Manifest, type TableEntry } from "./manifest.ts";

/** The first release that wrote checkpoints had tables of this version: what came later was added behind what there was. */
const OLDEST_SCHEMA = 7;

/**
 * The carried tables by their names.
 * @throws CheckpointRefused another release's tables are others than this one's
 */
export function readableTables({ schema, tables }: Manifest): ReadonlyMap<string, Table> {
  if (schema > SCHEMA_VERSION)
    throw new CheckpointRefused(
      `a later release wrote the checkpoint: its tables have version ${schema}, those of this one ${SCHEMA_VERSION}`,
    );
  if (schema < OLDEST_SCHEMA)
    throw new CheckpointRefused(`no release wrote checkpoints of tables of version ${schema}`);
  const found = new Map<string, Table>();
  for (const entry of tables) {
    const table = carriedTables.find(({ name }) => name === entry.name);
    if (table === undefined || found.has(entry.name))
      throw new CheckpointRefused(`the checkpoint has a table ${entry.name} that is none of this release`);
    checkColumns(table, entry);
    found.set(entry.name, table);
  }
  const missing = carriedTables.find(({ name }) => !found.has(name));
  // A table that came later is empty where there was none.
  if (missing !== undefined && schema === SCHEMA_VERSION)
    throw new CheckpointRefused(`the checkpoint has no table ${missing.name}`);
  return found;
}

function checkColumns({ name, columns }: Table, entry: TableEntry): void {
  const own = [...columns].map(([field, column]) => ({ name: sqlNameOf(field, column), older: column.older }));
  const isSame = entry.columns.every((column, index) => own[index]?.name === column);
  const isFilled = own.slice(entry.columns.length).every(({ older }) => older !== undefined && !older.onlyInReadModel);
  if (!isSame || !isFilled) throw new CheckpointRefused(`the checkpoint has other columns in its table ${name}`);
}
