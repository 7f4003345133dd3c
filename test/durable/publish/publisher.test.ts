import type { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { Publisher } from "../../../durable/publish/publisher.ts";
import { d1Sink, type ReadModelSink } from "../../../durable/publish/read-model-sink.ts";
import type { StateStore } from "../../../durable/state/state-store.ts";
import { accountTable } from "../../../src/tables/accounts.ts";
import { aliasTable, dataEntryTable } from "../../../src/tables/names-and-data.ts";
import { d1Double } from "../../read-model/d1-double.ts";
import { testStore } from "../test-store.ts";

const addressOf = (number: number) => Uint8Array.from({ length: 26 }, (_, index) => (number >>> (8 * index)) & 255);
const accountRow = (number: number, balance: bigint) => ({
  address: addressOf(number),
  balance,
  leaseIn: 0n,
  leaseOut: 0n,
});

const onRefused = (refusal: Error) => {
  throw refusal;
};

function publisherOf(store: StateStore, readModel: ReadModelSink, height: () => number): Publisher {
  const state = () => ({ version: `block:${height()}`, epoch: 0, height: height(), finalizedHeight: 1 });
  return new Publisher({ store, readModel, state, nowMs: () => 0, onRefused });
}

/** The tables as they stand in a database, a text for each row. */
function rowsOf(sqlite: DatabaseSync): string[] {
  return ["account", "alias", "data_entry"].flatMap((table) => {
    const statement = sqlite.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`);
    statement.setReadBigInts(true);
    const cellText = (cell: unknown) => (cell instanceof Uint8Array ? Buffer.from(cell).toString("hex") : String(cell));
    return statement.all().map((row) => [table, ...Object.values(row).map(cellText)].join("|"));
  });
}

test("the read model shows the rows of all steps, changed, removed and taken back, once the outbox is empty", async () => {
  const { store, database } = testStore();
  const { d1, sqlite } = d1Double();
  const account = accountTable;
  const alias = aliasTable;
  store.commit({ height: 1, step: 0 }, [
    { table: account, row: accountRow(1, 9_223_372_036_854_775_807n) },
    { table: account, row: accountRow(2, 5n) },
    { table: alias, row: { name: "o'\"\\name", address: addressOf(1), takenOver: false } },
  ]);
  store.commit({ height: 2, step: 0 }, [
    { table: account, row: accountRow(2, 6n) },
    { table: alias, row: { name: "o'\"\\name" }, removed: true },
  ]);
  store.commit({ height: 3, step: 0 }, [{ table: account, row: accountRow(3, 1n) }]);
  store.rollbackTo({ height: 2, step: 0 });
  const publisher = publisherOf(store, d1Sink(d1), () => 2);
  expect(publisher.isUpToDate).toBe(false);
  await publisher.drain();
  expect(publisher.isUpToDate).toBe(true);
  expect(rowsOf(sqlite)).toEqual(rowsOf(database.database));
  expect(sqlite.prepare("SELECT version, height FROM chain").get()).toEqual({ version: "block:2", height: 2 });
});

test("a long outbox is published in several batches, and the chain row comes with the last one", async () => {
  const { store, database } = testStore();
  const { d1, sqlite } = d1Double();
  const heights: unknown[] = [];
  const watching: ReadModelSink = {
    batch: (statements) => {
      heights.push(sqlite.prepare("SELECT height FROM chain").get());
      return d1Sink(d1).batch(statements);
    },
  };
  for (let height = 1; height <= 60; height++)
    store.commit(
      { height, step: 0 },
      ["first", "second", "third"].map((key) => {
        const value = { type: "binary", value: new Uint8Array(30_000).fill(height) };
        return { table: dataEntryTable, row: { address: addressOf(height), key, value }, isNew: true };
      }),
    );
  await publisherOf(store, watching, () => 60).drain();
  expect(heights.length).toBeGreaterThan(2);
  expect(heights.every((row) => row === undefined)).toBe(true);
  expect(sqlite.prepare("SELECT height FROM chain").get()).toEqual({ height: 60 });
  expect(rowsOf(sqlite)).toEqual(rowsOf(database.database));
});

test("what a database refused stays in the outbox and is published by the next try", async () => {
  const { store, database } = testStore();
  const { d1, sqlite } = d1Double();
  let isDown = true;
  const failing: ReadModelSink = {
    batch: async (statements) => {
      if (isDown) throw new Error("the database does not answer");
      return d1Sink(d1).batch(statements);
    },
  };
  store.commit({ height: 1, step: 0 }, [{ table: accountTable, row: accountRow(1, 1n) }]);
  const publisher = publisherOf(store, failing, () => 1);
  await expect(publisher.drain()).rejects.toThrow("does not answer");
  expect(publisher.isUpToDate).toBe(false);
  isDown = false;
  await publisher.drain();
  expect(rowsOf(sqlite)).toEqual(rowsOf(database.database));
});
