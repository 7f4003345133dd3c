/**
 * Databases of killed nodes of every schema version, with a liquid block, a pool, an undo journal and an outbox: this
 * release opens them, reads every row, publishes the outbox, and goes on.
 */
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Publisher } from "../../../durable/chain-state/publish/publisher.ts";
import { d1Sink } from "../../../durable/chain-state/publish/read-model-sink.ts";
import { StateStore } from "../../../durable/chain-state/state/state-store.ts";
import { columnsOf, type ResultRow } from "../../../src/read-model/columns.ts";
import { encodeCallRecord, isOmittedCallRecord, parseCallRecord } from "../../../src/ride/results/call-record.ts";
import { schemaSql, stateTables, tablesOf } from "../../../src/tables/all-tables.ts";
import { liquidDataTable } from "../../../src/tables/liquid-data.ts";
import { rememberedSpellings } from "../../../src/tables/migrations/0013-remembered-spellings.ts";
import { SCHEMA_VERSION } from "../../../src/tables/migrations/all-migrations.ts";
import { type Column, sqlNameOf } from "../../../src/tables/schema/column.ts";
import type { Database } from "../../../src/tables/schema/schema-text.ts";
import { readRow } from "../../../src/tables/schema/stored-row.ts";
import type { Table } from "../../../src/tables/schema/table.ts";
import { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { readModelDifferences } from "../../../verification/sqlite/compare-read-model.ts";
import { d1Double } from "../../../verification/sqlite/d1-double.ts";
import { nodeDatabase } from "../../../verification/sqlite/node-database.ts";
import { type TestDatabase, testDatabase } from "../../../verification/sqlite/test-database.ts";
import { testPublisher } from "../../support/builders/test-publisher.ts";
import { schemaOf } from "../../support/fixtures/schema-of.ts";
import { DatabaseCopies, storedNetwork, storedVersions } from "../../support/fixtures/stored-databases.ts";

const copies = new DatabaseCopies();
afterAll(() => copies.remove());

/** State that depends neither on the time of arrival of blocks, nor on the progress of publishing. */
const comparedTables = stateTables.filter(({ name }) => name !== "micro_block");
/** Blocks up to here were imported whole, from a file; those above were forged. */
const IMPORTED = 18;

function newSchema(kind: Database): ReturnType<typeof schemaOf> {
  const database = new DatabaseSync(":memory:");
  for (const statement of schemaSql(kind)) database.exec(statement);
  return schemaOf(database);
}

interface RowTextOptions {
  readonly counts: (column: Column) => boolean;
  readonly chainId: number;
}

/** Rows with the columns that count, a text each. */
function rowTexts(database: DatabaseSync, { name, columns }: Table, { counts, chainId }: RowTextOptions): string[] {
  const names = [...columns].flatMap(([field, column]) => (counts(column) ? [sqlNameOf(field, column)] : []));
  const statement = database.prepare(`SELECT ${names.join(", ")} FROM ${name}`);
  statement.setReadBigInts(true);
  const text = ([column, cell]: readonly [string, unknown]) => {
    if (!(cell instanceof Uint8Array)) return String(cell);
    return Buffer.from(column === "call_record" ? asWrittenToday(cell, chainId) : cell).toString("hex");
  };
  return statement
    .all()
    .map((row) => Object.entries(row).map(text).join("|"))
    .sort();
}

/** Record of a call in its current form: older ones have whole addresses of recipients. */
function asWrittenToday(record: Uint8Array, chainId: number): Uint8Array {
  return isOmittedCallRecord(record) ? record : encodeCallRecord(parseCallRecord(record, chainId));
}

describe.each(storedVersions)("databases of version %i", (version) => {
  const network = storedNetwork(version);
  let database: TestDatabase;
  let node: SimulatedNode;
  let readModel: DatabaseSync;

  beforeAll(() => {
    database = testDatabase(nodeDatabase(copies.copy(version, "chain-state")));
    const tip = database.database.prepare("SELECT timestamp FROM block ORDER BY height DESC LIMIT 1").get();
    node = new SimulatedNode({ ...network, startMs: Number(tip?.["timestamp"]) + 1, database });
    readModel = new DatabaseSync(copies.copy(version, "read-model"));
  });

  function publisher(): Publisher {
    const state = () => ({ height: node.height });
    return testPublisher({
      store: new StateStore(database),
      readModel: d1Sink(d1Double(readModel).d1),
      chainId: network.blockchain.chainId,
      state,
    });
  }

  function expectPublished(): void {
    expect(readModelDifferences(database.database, readModel)).toEqual([]);
    const { height } = node;
    expect(readModel.prepare("SELECT height FROM chain").get()).toEqual({ height });
  }

  /**
   * Columns that the version did not have are left out, and so are rows of blocks below the tip that it did not store:
   * a block that is applied again has more of them than before.
   */
  function stateTexts(): readonly (readonly [string, readonly string[]])[] {
    const wasThere = ({ older }: Column) =>
      version === SCHEMA_VERSION || older === undefined || older.onlyInReadModel === true;
    const options = { counts: wasThere, chainId: network.blockchain.chainId };
    return comparedTables
      .filter((table) => table !== liquidDataTable || version >= rememberedSpellings.version)
      .map((table) => [table.name, rowTexts(database.database, table, options)]);
  }

  test("have the tables of a new database", () => {
    expect(schemaOf(database.database)).toEqual(newSchema("object"));
  });

  test.each(tablesOf.object.map((table) => [table.name, table] as const))(
    "have rows of %s that its columns can hold",
    (name, table) => {
      const rows = [...database.exec(table.fromSql).raw()].map((values) => readRow(table, values));
      expect([[rows.length]]).toEqual([...database.exec(`SELECT COUNT(*) FROM ${name}`).raw()]);
    },
  );

  test("were left with blocks, micro-blocks, a pool, undo records and an outbox", () => {
    const stored = new DatabaseSync(copies.copy(version, "chain-state"));
    const count = (sql: string) => stored.prepare(`SELECT COUNT(*) AS count FROM ${sql}`).get()?.["count"];
    expect(node.height).toBeGreaterThan(IMPORTED);
    expect(node.chain.stored.microBlockCount()).toBeGreaterThan(0);
    for (const rows of [
      "pool",
      "undo",
      "outbox",
      "lease WHERE status = 1",
      "tx WHERE status = 1",
      "asset WHERE nft = 1",
    ])
      expect(count(rows), rows).toBeGreaterThan(0);
  });

  test("publish the content of ChainState, whatever the old outbox had", async () => {
    await publisher().drain();
    expect(schemaOf(readModel)).toEqual(newSchema("readModel"));
    expectPublished();
    for (const table of tablesOf.readModel) {
      const fields = [...table.columns].flatMap(([field, { unpublished }]) =>
        unpublished === undefined ? [field] : [],
      );
      const { sql, read } = columnsOf(table, fields);
      const rows = readModel.prepare(`SELECT ${sql} FROM ${table.name}`).all() as ResultRow[];
      for (const row of rows) read(row);
    }
  });

  test("go on: pooled transactions get into forged blocks", async () => {
    const { height } = node;
    const waiting = [...node.pool.all()].map(({ id }) => id);
    expect(waiting.length).toBeGreaterThan(0);
    node.mineTo(height + 3);
    for (const id of waiting)
      if (node.chain.view.findTransaction(id) === undefined) expect(node.pool.has(id)).toBe(true);
    expect(waiting.some((id) => (node.chain.view.findTransaction(id)?.height ?? 0) >= height)).toBe(true);
    await publisher().drain();
    expectPublished();
  });

  test("roll back blocks by the old journal, and have the same state after the same blocks again", async () => {
    const { forks, stored } = node.chain;
    forks.revertTo(IMPORTED);
    const state = stateTexts();
    const blocks = Array.from({ length: 8 }, (_, index) => stored.findBlock(IMPORTED - 7 + index));
    forks.revertTo(IMPORTED - 8);
    expect(stateTexts()).not.toEqual(state);
    for (const block of blocks)
      if (block !== undefined) forks.appendBlock(block, { nowMs: node.nowMs, verifySignatures: true });
    expect(node.height).toBe(IMPORTED);
    expect(stateTexts()).toEqual(state);
    await publisher().drain();
    expectPublished();
  });
});
