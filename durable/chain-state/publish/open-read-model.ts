/** Opening of the read model at a start: its tables are created, or migrated to this release's version. */
import { schemaSql } from "../../../src/tables/all-tables.ts";
import { metaTable } from "../../../src/tables/meta.ts";
import { firstReadModelFiles } from "../../../src/tables/migrations/0001-before-versions.ts";
import { migrations, versionAfter } from "../../../src/tables/migrations/all-migrations.ts";
import type { Migration } from "../../../src/tables/migrations/migration.ts";
import { RELEASE } from "../../../src/tables/migrations/release.ts";
import { type FoundSchema, migrationsAfter, SchemaRefused, versionOf } from "../../../src/tables/migrations/upgrade.ts";
import { rowText } from "../../../src/tables/schema/row-text.ts";
import type { ReadModelSink, SinkRows, SinkStatement } from "./read-model-sink.ts";

/** Tables of the platform and its tools. */
const foreignTables = /^(sqlite_|_cf_|d1_migrations$)/;

/**
 * Creates the tables of an empty database, or migrates those of an older one, all or nothing.
 * @param known every migration; others in tests
 * @throws SchemaRefused written by a newer release, or by none
 * @throws the database's error
 */
export async function openReadModel(sink: ReadModelSink, known: readonly Migration[] = migrations): Promise<void> {
  const found = await foundSchema(sink);
  const upgrade = found && migrationsAfter("readModel", found, known).flatMap(({ readModel }) => readModel);
  const statements = (upgrade ?? schemaSql("readModel")).map((sql): SinkStatement => ({ sql, bindings: [] }));
  const newest = versionAfter(known);
  if (found?.version === newest && found.release === RELEASE) return;
  const rows = [
    { name: "schema", value: String(newest) },
    { name: "release", value: RELEASE },
  ].map((row) => rowText(metaTable, row));
  await sink.batch([...statements, { sql: metaTable.writeSql, bindings: [`[${rows.join(",")}]`] }]);
}

/** @returns undefined for an empty database @throws SchemaRefused */
async function foundSchema(sink: ReadModelSink): Promise<FoundSchema | undefined> {
  const tables = names(await rowsOf(sink, "SELECT name FROM sqlite_master WHERE type = 'table'"));
  if (tables.has(metaTable.name)) {
    const rows = await rowsOf(sink, "SELECT name, value FROM meta");
    const meta = new Map(rows.map(({ name, value }) => [name, String(value)]));
    return { version: versionOf(meta.get("schema") ?? "none", "readModel"), release: meta.get("release") };
  }
  if ([...tables].every((name) => foreignTables.test(name))) return undefined;
  const files = tables.has("d1_migrations") ? names(await rowsOf(sink, "SELECT name FROM d1_migrations")) : new Set();
  if (files.size === firstReadModelFiles.length && firstReadModelFiles.every((file) => files.has(file)))
    return { version: 1, release: undefined };
  throw new SchemaRefused(
    "the read model has tables that no release of this node created: give the node an empty database.",
  );
}

async function rowsOf(sink: ReadModelSink, sql: string): Promise<SinkRows> {
  const [rows = []] = await sink.batch([{ sql, bindings: [] }]);
  return rows;
}

function names(rows: SinkRows): ReadonlySet<string> {
  return new Set(rows.map(({ name }) => String(name)));
}
