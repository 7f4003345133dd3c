import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { openReadModel } from "../../../../durable/chain-state/publish/open-read-model.ts";
import {
  d1Sink,
  type ReadModelSink,
  type SinkStatement,
} from "../../../../durable/chain-state/publish/read-model-sink.ts";
import { accountTable } from "../../../../src/tables/accounts.ts";
import { migrations, SCHEMA_VERSION } from "../../../../src/tables/migrations/all-migrations.ts";
import { RELEASE } from "../../../../src/tables/migrations/release.ts";
import { SchemaRefused } from "../../../../src/tables/migrations/upgrade.ts";
import { written } from "../../../../src/tables/schema/row-change.ts";
import { d1Double } from "../../../../verification/sqlite/d1-double.ts";
import { testPublisher } from "../../../support/builders/test-publisher.ts";
import { testStore } from "../../../support/builders/test-store.ts";
import { DatabaseCopies } from "../../../support/fixtures/stored-databases.ts";

const copies = new DatabaseCopies();
afterAll(() => copies.remove());

function sinkOf(sqlite: DatabaseSync): ReadModelSink {
  return d1Sink(d1Double(sqlite).d1);
}

const metaOf = (sqlite: DatabaseSync) =>
  Object.fromEntries(
    sqlite
      .prepare("SELECT name, value FROM meta")
      .all()
      .map(({ name, value }) => [name, value]),
  );
const schemaOf = (sqlite: DatabaseSync) => sqlite.prepare("SELECT name, sql FROM sqlite_master ORDER BY name").all();

const newest = { schema: String(SCHEMA_VERSION), release: RELEASE };
const newerMessage =
  `the read model has schema version ${SCHEMA_VERSION + 1}, written by release 9.0.0; this release reads versions up to ` +
  `${SCHEMA_VERSION}: start that release or a later one.`;

test("an empty database gets its tables in one batch, and is left alone afterwards", async () => {
  const sqlite = new DatabaseSync(":memory:");
  const sizes: number[] = [];
  const writing: (readonly SinkStatement[])[] = [];
  const sink: ReadModelSink = {
    batch: (statements) => {
      sizes.push(statements.length);
      if (!statements.every(({ sql }) => sql.startsWith("SELECT"))) writing.push(statements);
      return sinkOf(sqlite).batch(statements);
    },
  };
  await openReadModel(sink);
  expect(metaOf(sqlite)).toEqual(newest);
  expect(sizes.filter((size) => size > 1)).toHaveLength(1);
  const before = schemaOf(sqlite);
  await openReadModel(sink);
  expect(schemaOf(sqlite)).toEqual(before);
  expect(sizes.filter((size) => size > 1)).toHaveLength(1);
  expect(writing).toHaveLength(1);
});

test("a database of the same tables records which release wrote to it last", async () => {
  const { sqlite } = d1Double();
  sqlite.exec("UPDATE meta SET value = '0.0.1' WHERE name = 'release'");
  await openReadModel(sinkOf(sqlite));
  expect(metaOf(sqlite)).toEqual(newest);
});

test.each(["my_sqlite_table", "d1_migrations_of_others", "accounts"])(
  "a database with a table %s is not empty",
  async (name) => {
    const sqlite = new DatabaseSync(":memory:");
    sqlite.exec(`CREATE TABLE ${name} (id INTEGER)`);
    await expect(openReadModel(sinkOf(sqlite))).rejects.toThrow(SchemaRefused);
  },
);

test("a database without a version is refused with a message", async () => {
  const { sqlite } = d1Double();
  sqlite.exec("DELETE FROM meta WHERE name = 'schema'");
  await expect(openReadModel(sinkOf(sqlite))).rejects.toThrow(
    new SchemaRefused("the read model says that it has schema version none, which is none."),
  );
});

test.each([
  ["another file", "UPDATE d1_migrations SET name = '0007_other.sql' WHERE name = '0006_data_owners.sql'"],
  ["one more file", "INSERT INTO d1_migrations (name) VALUES ('0007_other.sql')"],
])("a database that wrangler made of %s is refused with a message", async (_, change) => {
  const sqlite = new DatabaseSync(copies.copy(1, "read-model"));
  sqlite.exec(change);
  await expect(openReadModel(sinkOf(sqlite))).rejects.toThrow(
    "tables that no release of this node created: give the node an empty database",
  );
});

test("a database in which wrangler or the platform left something of their own counts as empty", async () => {
  const sqlite = new DatabaseSync(":memory:");
  sqlite.exec(
    "CREATE TABLE _cf_KV (key TEXT); CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT)",
  );
  await openReadModel(sinkOf(sqlite));
  expect(metaOf(sqlite)).toEqual(newest);
});

test("a database that wrangler made of all six files is version 1, one of fewer is refused", async () => {
  const first = new DatabaseSync(copies.copy(1, "read-model"));
  await openReadModel(sinkOf(first));
  expect(metaOf(first)).toEqual(newest);

  const earlier = new DatabaseSync(copies.copy(1, "read-model"));
  earlier.exec("DELETE FROM d1_migrations WHERE name = '0006_data_owners.sql'");
  const before = schemaOf(earlier);
  await expect(openReadModel(sinkOf(earlier))).rejects.toThrow(SchemaRefused);
  expect(schemaOf(earlier)).toEqual(before);
});

test("a migration that fails leaves the database as it was", async () => {
  const sqlite = new DatabaseSync(copies.copy(1, "read-model"));
  const before = schemaOf(sqlite);
  const failing = {
    version: SCHEMA_VERSION + 1,
    title: "fails half-way",
    object: [],
    readModel: ["CREATE TABLE made_up (id INTEGER)", "ALTER TABLE no_such_table ADD COLUMN a TEXT"],
  };
  await expect(openReadModel(sinkOf(sqlite), [...migrations, failing])).rejects.toThrow("no_such_table");
  expect(schemaOf(sqlite)).toEqual(before);
  await openReadModel(sinkOf(sqlite));
});

test("a database of a newer release is refused, once, and nothing is published any more", async () => {
  const { d1, sqlite } = d1Double();
  sqlite.exec(`UPDATE meta SET value = '${SCHEMA_VERSION + 1}' WHERE name = 'schema'`);
  sqlite.exec("UPDATE meta SET value = '9.0.0' WHERE name = 'release'");
  const { store } = testStore();
  const row = { address: new Uint8Array(26) as never, balance: 1n, leaseIn: 0n, leaseOut: 0n };
  store.commit({ height: 1, step: 0 }, [written(accountTable, row)]);
  const refusals: string[] = [];
  const publisher = testPublisher({
    store,
    readModel: d1Sink(d1),
    onRefused: ({ message }) => refusals.push(message),
  });
  expect(publisher.hasWork).toBe(true);
  await publisher.drain();
  await publisher.drain();
  expect(refusals).toEqual([newerMessage]);
  expect([publisher.hasWork, publisher.isUpToDate]).toEqual([false, false]);
  expect(sqlite.prepare("SELECT COUNT(*) AS count FROM account").get()).toEqual({ count: 0 });
});

test("the outbox of a refused read model is bounded", async () => {
  const { d1, sqlite } = d1Double();
  sqlite.exec(`UPDATE meta SET value = '${SCHEMA_VERSION + 1}' WHERE name = 'schema'`);
  const { store } = testStore();
  let refusals = 0;
  const onRefused = () => {
    refusals += 1;
  };
  const publisher = testPublisher({ store, readModel: d1Sink(d1), onRefused, maxWaitingLength: 1_000 });
  await publisher.drain();
  const row = { address: new Uint8Array(26) as never, balance: 1n, leaseIn: 0n, leaseOut: 0n };
  for (let height = 1; height <= 20; height++) {
    store.commit({ height, step: 0 }, [written(accountTable, row)]);
    publisher.lookAgain();
    await publisher.drain();
  }
  expect(store.scalar("SELECT SUM(LENGTH(rows)) FROM outbox")).toBeLessThanOrEqual(1_000);
  // Only an accepted read model is checked again.
  expect(refusals).toBe(1);
});

test("the tables are upgraded even if nothing waits to be published", async () => {
  const sqlite = new DatabaseSync(copies.copy(1, "read-model"));
  const publisher = testPublisher({ store: testStore().store, readModel: sinkOf(sqlite) });
  expect(publisher.hasWork).toBe(true);
  await publisher.drain();
  expect(metaOf(sqlite)).toEqual(newest);
  expect(publisher.isUpToDate).toBe(true);
});
