import { afterAll, describe, expect, test } from "vitest";
import { ValidatedParts } from "../../../../durable/chain-state/chain/judged-parts.ts";
import { StepResults } from "../../../../durable/chain-state/chain/step-results.ts";
import { CandidateDatabase } from "../../../../durable/chain-state/state/candidate-database.ts";
import { openInBatches, openTables } from "../../../../durable/chain-state/state/open-tables.ts";
import { StateStore } from "../../../../durable/chain-state/state/state-store.ts";
import { tablesOf } from "../../../../src/tables/all-tables.ts";
import { migrations, SCHEMA_VERSION } from "../../../../src/tables/migrations/all-migrations.ts";
import { RELEASE } from "../../../../src/tables/migrations/release.ts";
import { SchemaRefused } from "../../../../src/tables/migrations/upgrade.ts";
import { type NodeDatabase, nodeDatabase } from "../../../../verification/sqlite/node-database.ts";
import { testDatabase } from "../../../../verification/sqlite/test-database.ts";
import { DatabaseCopies, storedNetwork } from "../../../support/fixtures/stored-databases.ts";

const copies = new DatabaseCopies();
afterAll(() => copies.remove());

/** Schema, records and metadata of a database, without its rows. */
function contentOf({ database }: NodeDatabase): unknown {
  return [
    database.prepare("SELECT name, sql FROM sqlite_master ORDER BY name").all(),
    database.prepare("SELECT name, value FROM meta ORDER BY name").all(),
  ];
}

test("a new database gets its tables, and records its version, its release and its chain", () => {
  const database = nodeDatabase();
  openTables(new StateStore(database), "genesis");
  const store = new StateStore(database);
  expect(store.findMeta("schema")).toBe(String(SCHEMA_VERSION));
  expect(store.findMeta("release")).toBe(RELEASE);
  expect(store.findMeta("genesis")).toBe("genesis");
  const before = contentOf(database);
  openTables(store, "genesis");
  expect(contentOf(database)).toEqual(before);
});

test("a database of version 1 records its version afterwards, and its layout no more", () => {
  const database = nodeDatabase(copies.copy(1, "chain-state"));
  const store = new StateStore(database);
  openTables(store, storedNetwork(1).genesisText);
  expect(store.findMeta("schema")).toBe(String(SCHEMA_VERSION));
  expect(store.findMeta("layout")).toBeUndefined();
});

test("the last writing release is recorded", () => {
  const database = nodeDatabase();
  const store = new StateStore(database);
  openTables(store, "genesis");
  store.putMeta("release", "0.0.1");
  openTables(store, "genesis");
  expect(store.findMeta("release")).toBe(RELEASE);
});

test("blocks that another release has partly validated are validated again", () => {
  const database = nodeDatabase();
  const store = new StateStore(database);
  openTables(store, "genesis");
  const id = new Uint8Array(32);
  const found = () => [...new ValidatedParts(database).find(id), new StepResults(database).find(id)];
  const candidate = new CandidateDatabase(database);
  candidate.create();
  new ValidatedParts(database).add(id, [{ subject: "", found: "something" }]);
  new StepResults(database).add([{ step: id, result: id }]);
  openTables(store, "genesis");
  expect([candidate.isThere, ...found()]).toEqual([true, "something", id]);
  store.putMeta("release", "0.0.1");
  openTables(store, "genesis");
  expect([candidate.isThere, ...found()]).toEqual([false, undefined]);
});

test("a database of a newer release is refused with a message, and stays as it is", () => {
  const database = nodeDatabase();
  const store = new StateStore(database);
  openTables(store, "genesis");
  store.putMeta("schema", String(SCHEMA_VERSION + 1));
  store.putMeta("release", "9.0.0");
  const before = contentOf(database);
  expect(() => openTables(store, "genesis")).toThrow(
    new SchemaRefused(
      `the state has schema version ${SCHEMA_VERSION + 1}, written by release 9.0.0; this release reads versions up to ` +
        `${SCHEMA_VERSION}: start that release or a later one.`,
    ),
  );
  expect(contentOf(database)).toEqual(before);
});

test("a database of a release before version 1 is refused, and one without a version", () => {
  const store = new StateStore(nodeDatabase());
  openTables(store, "genesis");
  store.putMeta("schema", "new");
  expect(() => openTables(store, "genesis")).toThrow("says that it has schema version new, which is none");
  store.sql.exec("DELETE FROM meta WHERE name = 'schema'");
  store.putMeta("layout", "0123456789abcdef");
  expect(() => openTables(store, "genesis")).toThrow(
    "has the table layout 0123456789abcdef of a release that no later",
  );
});

test("a database of another chain is refused, and not upgraded", () => {
  const database = nodeDatabase(copies.copy(1, "chain-state"));
  const before = contentOf(database);
  expect(() => openTables(new StateStore(database), "another")).toThrow("not to this network's another");
  expect(contentOf(database)).toEqual(before);
});

test("a migration that fails leaves the database as the one before left it", () => {
  const database = nodeDatabase(copies.copy(1, "chain-state"));
  const { genesisText } = storedNetwork(1);
  openTables(new StateStore(database), genesisText);
  const before = contentOf(database);
  const failing = {
    version: SCHEMA_VERSION + 1,
    title: "fails half-way",
    object: ["CREATE TABLE made_up (id INTEGER)", "DELETE FROM account", "ALTER TABLE no_such_table ADD COLUMN a TEXT"],
    readModel: [],
  };
  expect(() => openTables(new StateStore(database), genesisText, [...migrations, failing])).toThrow("no_such_table");
  expect(contentOf(database)).toEqual(before);
  expect(database.database.prepare("SELECT COUNT(*) > 0 AS isFull FROM account").get()).toEqual({ isFull: 1 });
  openTables(new StateStore(database), genesisText);
});

describe("an interrupted upgrade", () => {
  const wholeDump = (database: NodeDatabase) => testDatabase(database).dump(tablesOf.object.map(({ name }) => name));

  test.each([1, 2, 3])("from version %i, after any slice, is continued by the next start", (version) => {
    const { genesisText } = storedNetwork(version);
    const straight = nodeDatabase(copies.copy(version, "chain-state"));
    let portions = 0;
    for (const _ of openInBatches(new StateStore(straight), genesisText)) portions += 1;
    expect(portions).toBeGreaterThan(20);
    const expected = [contentOf(straight), wholeDump(straight)];

    const database = nodeDatabase(copies.copy(version, "chain-state"));
    for (let starts = 1; ; starts++) {
      const opening = openInBatches(new StateStore(database), genesisText);
      // Each start gets a little further.
      if (opening.next().done || opening.next().done) break;
      expect(starts).toBeLessThan(portions);
    }
    expect([contentOf(database), wholeDump(database)]).toEqual(expected);
  });

  test("is refused by the release that wrote the database", () => {
    const database = nodeDatabase(copies.copy(3, "chain-state"));
    const { genesisText } = storedNetwork(3);
    const [first] = openInBatches(new StateStore(database), genesisText);
    expect(first).toBeUndefined();
    const older = migrations.slice(0, 2);
    expect(() => openTables(new StateStore(database), genesisText, older)).toThrow("reads versions up to 3");
    openTables(new StateStore(database), genesisText);
  });
});
