/** Opening of ChainState's SQLite database: creation for a new object, migration to this release for an older one. */
import { schemaSql } from "../../../src/tables/all-tables.ts";
import { validatedPartTable } from "../../../src/tables/judged-parts.ts";
import { metaTable } from "../../../src/tables/meta.ts";
import { FIRST_LAYOUT } from "../../../src/tables/migrations/0001-before-versions.ts";
import { migrations, versionAfter } from "../../../src/tables/migrations/all-migrations.ts";
import type { BatchedChange, Migration } from "../../../src/tables/migrations/migration.ts";
import { RELEASE } from "../../../src/tables/migrations/release.ts";
import { type FoundSchema, migrationsAfter, SchemaRefused, versionOf } from "../../../src/tables/migrations/upgrade.ts";
import { keyText } from "../../../src/tables/schema/row-text.ts";
import { stepResultTable } from "../../../src/tables/step-results.ts";
import type { SqlDatabase } from "../../sql/sql-database.ts";
import { dropCandidate } from "./candidate-database.ts";
import type { StateStore } from "./state-store.ts";

/** Name of the number of finished migration steps, in `meta` during a migration. */
const STEPS_DONE = "migrationSteps";
/** Names of the tables of unfinished validation. `finished_block` is from earlier releases. */
const UNFINISHED = [validatedPartTable.name, stepResultTable.name, "finished_block"];

/**
 * Runs `openInBatches` to its end.
 * @throws SchemaRefused, Error
 */
export function openTables(store: StateStore, genesis: string, known: readonly Migration[] = migrations): void {
  for (const _ of openInBatches(store, genesis, known));
}

/**
 * Creates the tables of a new object, or migrates those of an older one to the version of this release. If it is
 * abandoned, finished batches stay done, and the next start continues after them.
 * @param genesis as `genesisText`
 * @param known all migrations; other ones in tests
 * @returns generator that yields after each batch, which is a transaction
 * @throws SchemaRefused if a newer release, or one before the first version, wrote the tables
 * @throws Error if the tables belong to another chain
 */
export function* openInBatches(
  store: StateStore,
  genesis: string,
  known: readonly Migration[] = migrations,
): Generator<void, void> {
  if (store.scalar("SELECT 1 FROM sqlite_master WHERE name = 'meta'") === undefined) {
    makeTables(store, genesis, versionAfter(known));
    return;
  }
  const found = foundSchema(store);
  const later = migrationsAfter("object", found, known);
  checkGenesis(store, genesis);
  const done = store.findMeta(STEPS_DONE);
  const unfinished = done === undefined ? undefined : known.find(({ version }) => version === found.version);
  if (unfinished !== undefined) yield* carryOut(store, unfinished, Number(done));
  for (const migration of later) yield* carryOut(store, migration, 0);
  // Unfinished validation may follow the rules of another release, in tables from before the migrations.
  if (found.release !== RELEASE || done !== undefined || later.length > 0) {
    dropCandidate(store.sql);
    for (const name of UNFINISHED) store.sql.exec(`DROP TABLE IF EXISTS ${name}`);
  }
  if (found.release !== RELEASE) store.putMeta("release", RELEASE);
}

function makeTables(store: StateStore, genesis: string, version: number): void {
  store.sql.transaction(() => {
    for (const statement of schemaSql("object")) store.sql.exec(statement);
    store.putMeta("genesis", genesis);
    storeVersion(store, version);
    store.putMeta("release", RELEASE);
  });
}

/** Runs the remaining steps: successive statements in one transaction, each batch of larger work in one of its own. */
function* carryOut(store: StateStore, { version, object: steps }: Migration, done: number): Generator<void, void> {
  let next = done;
  do {
    next = store.sql.transaction(() => {
      const reached = runMigrationStep(store.sql, steps, next);
      // A release that does not know the version must not open half-migrated tables.
      storeVersion(store, version);
      if (reached < steps.length) store.putMeta(STEPS_DONE, String(reached));
      else store.sql.exec(metaTable.removeSql, `[${keyText(metaTable, { name: STEPS_DONE })}]`);
      return reached;
    });
    yield;
  } while (next < steps.length);
}

/** @returns number of steps that are done afterwards */
function runMigrationStep(sql: SqlDatabase, steps: Migration["object"], at: number): number {
  const portions = steps[at];
  if (typeof portions === "object") return runMigrationBatch(sql, portions) ? at : at + 1;
  const rest = steps.slice(at);
  const count = rest.findIndex((step) => typeof step === "object");
  const statements = rest.slice(0, count < 0 ? rest.length : count);
  for (const statement of statements) sql.exec(statement as string);
  return at + statements.length;
}

/** @returns false if no work was left */
function runMigrationBatch(sql: SqlDatabase, { next, statementsFor }: BatchedChange): boolean {
  const rows = sql.exec(next).raw().toArray();
  for (const statement of rows.length === 0 ? [] : statementsFor(rows)) sql.exec(statement.sql, ...statement.bindings);
  return rows.length > 0;
}

function storeVersion(store: StateStore, version: number): void {
  store.putMeta("schema", String(version));
}

/** @throws SchemaRefused */
function foundSchema(store: StateStore): FoundSchema {
  const version = store.findMeta("schema");
  if (version !== undefined) return { version: versionOf(version, "object"), release: store.findMeta("release") };
  const layout = store.findMeta("layout");
  if (layout === FIRST_LAYOUT) return { version: 1, release: undefined };
  throw new SchemaRefused(
    `the state has the table layout ${layout} of a release that no later one can follow: start with a new state.`,
  );
}

function checkGenesis(store: StateStore, genesis: string): void {
  const found = store.findMeta("genesis");
  if (found !== genesis)
    throw new Error(`the state belongs to the chain with genesis ${found}, not to this network's ${genesis}`);
}
