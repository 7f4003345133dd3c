/** Check whether this release can read the rows of a checkpoint. */
import { SCHEMA_VERSION } from "../../../src/tables/migrations/all-migrations.ts";
import { sqlNameOf } from "../../../src/tables/schema/column.ts";
import type { Table } from "../../../src/tables/schema/table.ts";
import { carriedTables } from "./carried-tables.ts";
import { CheckpointRefused, type Manifest, type TableEntry } from "./manifest.ts";

/** Version of the tables in the first release with checkpoints: later columns were added at the end. */
const OLDEST_SCHEMA = 7;

/**
 * Included tables by name.
 * @throws CheckpointRefused another release's tables differ from this one's
 */
export function readableTables({ schema, tables }: Manifest): ReadonlyMap<string, Table> {
  if (schema > SCHEMA_VERSION)
    throw new CheckpointRefused(
      `a later release wrote the checkpoint: its tables have version ${schema}, this release's ${SCHEMA_VERSION}`,
    );
  if (schema < OLDEST_SCHEMA)
    throw new CheckpointRefused(`no release wrote checkpoints of tables of version ${schema}`);
  const found = new Map<string, Table>();
  for (const entry of tables) {
    const table = carriedTables.find(({ name }) => name === entry.name);
    if (table === undefined || found.has(entry.name))
      throw new CheckpointRefused(`the checkpoint has an unknown or repeated table ${entry.name}`);
    checkColumns(table, entry);
    found.set(entry.name, table);
  }
  const missing = carriedTables.find(({ name }) => !found.has(name));
  // A table of a later version is empty if the checkpoint lacks it.
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
