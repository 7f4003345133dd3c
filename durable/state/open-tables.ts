/** ChainState's SQLite as a start finds it: made for a new object, brought to this release's tables for an older one. */
import { FIRST_LAYOUT } from "../../src/tables/migrations/0001-before-versions.ts";
import { migrations, versionAfter } from "../../src/tables/migrations/all-migrations.ts";
import type { Migration } from "../../src/tables/migrations/migration.ts";
import { RELEASE } from "../../src/tables/migrations/release.ts";
import { type FoundSchema, SchemaRefused, upgradeSql, versionOf } from "../../src/tables/migrations/upgrade.ts";
import type { StateStore } from "./state-store.ts";

/**
 * Makes the tables of a new object; brings those of an older one to the version of this release, all or nothing.
 * @param genesis base58 of the genesis block's signature
 * @param known every migration; other ones in tests
 * @throws SchemaRefused when a newer release, or one before the first version, wrote the tables
 * @throws Error when they belong to another chain
 */
export function openTables(store: StateStore, genesis: string, known: readonly Migration[] = migrations): void {
  const { sql } = store;
  const isNew = store.scalar("SELECT 1 FROM sqlite_master WHERE name = 'meta'") === undefined;
  const found = isNew ? undefined : foundSchema(store);
  const statements = upgradeSql("object", found, known);
  if (!isNew) checkGenesis(store, genesis);
  const newest = versionAfter(known);
  if (found?.version === newest && found.release === RELEASE) return;
  sql.transaction(() => {
    for (const statement of statements) sql.exec(statement);
    store.putMeta("genesis", genesis);
    store.putMeta("schema", String(newest));
    store.putMeta("release", RELEASE);
  });
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
