import type { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";
import type { Publisher } from "../../../../durable/chain-state/publish/publisher.ts";
import { d1Sink, type ReadModelSink } from "../../../../durable/chain-state/publish/read-model-sink.ts";
import type { StateStore } from "../../../../durable/chain-state/state/state-store.ts";
import { accountTable } from "../../../../src/tables/accounts.ts";
import { aliasTable } from "../../../../src/tables/aliases.ts";
import { dataEntryTable } from "../../../../src/tables/data-entries.ts";
import { readModelDifferences } from "../../../../verification/sqlite/compare-read-model.ts";
import { d1Double } from "../../../../verification/sqlite/d1-double.ts";
import { testPublisher } from "../../../support/builders/test-publisher.ts";
import { testStore } from "../../../support/builders/test-store.ts";

const addressOf = (number: number) => Uint8Array.from({ length: 26 }, (_, index) => (number >>> (8 * index)) & 255);
const accountRow = (number: number, balance: bigint) => ({
  address: addressOf(number),
  balance,
  leaseIn: 0n,
  leaseOut: 0n,
});

function publisherOf(store: StateStore, readModel: ReadModelSink, height: () => number): Publisher {
  return testPublisher({ store, readModel, state: () => ({ version: `block:${height()}`, height: height() }) });
}

test("the read model has the rows of all commits, changed, removed and rolled back, once the outbox is empty", async () => {
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
  expect(readModelDifferences(database.database, sqlite)).toEqual([]);
  expect(sqlite.prepare("SELECT version, height FROM chain").get()).toEqual({ version: "block:2", height: 2 });
});

test("a long outbox is published in several batches, and readers get a wait status until the last one", async () => {
  const { store, database } = testStore();
  const { d1, sqlite } = d1Double();
  const published: unknown[] = [];
  const watching: ReadModelSink = {
    batch: async (statements) => {
      const results = await d1Sink(d1).batch(statements);
      published.push(sqlite.prepare("SELECT height, is_whole FROM chain").get());
      return results;
    },
  };
  const publisher = publisherOf(store, watching, () => 60);
  await publisher.drain();
  published.length = 0;
  for (let height = 1; height <= 60; height++)
    store.commit(
      { height, step: 0 },
      ["first", "second", "third"].map((key) => {
        const value = { type: "binary", value: new Uint8Array(30_000).fill(height) };
        return { table: dataEntryTable, row: { address: addressOf(height), key, value }, isNew: true };
      }),
    );
  await publisher.drain();
  expect(published.length).toBeGreaterThan(1);
  expect(published).toEqual(published.map((_, at) => ({ height: 60, is_whole: at === published.length - 1 ? 1 : 0 })));
  expect(readModelDifferences(database.database, sqlite)).toEqual([]);
});

/** Heights in the read model after each batch; undefined without a whole state. */
function watched(): {
  readonly readModel: ReadModelSink;
  readonly published: (number | undefined)[];
  readonly sqlite: DatabaseSync;
} {
  const { d1, sqlite } = d1Double();
  const published: (number | undefined)[] = [];
  const batch: ReadModelSink["batch"] = async (statements) => {
    const results = await d1Sink(d1).batch(statements);
    const row = sqlite.prepare("SELECT height, is_whole FROM chain").get();
    const entries = sqlite.prepare("SELECT MAX(address) AS last, COUNT(*) AS count FROM data_entry").get();
    published.push(row?.["is_whole"] ? Number(row["height"]) : undefined);
    // All entries of each published height are there, and none of the next one.
    if (row?.["is_whole"] && entries?.["count"])
      expect(entries).toMatchObject({ last: addressOf(Number(row["height"])) });
    return results;
  };
  return { readModel: { batch }, published, sqlite };
}

/** Change of the chain whose rows have about `length` thousand characters in the outbox, in two entries. */
function change(store: StateStore, height: number, length: number): void {
  const value = { type: "string", value: "x".repeat(500 * length - 100) };
  const names = { name: "x".repeat(1_000 * length - 200) };
  store.commit({ height, step: 0 }, [
    { table: dataEntryTable, row: { address: addressOf(height), key: "", value }, isNew: true },
    { table: aliasTable, row: { ...names, address: addressOf(height), takenOver: false } },
  ]);
  store.mark(() => ({ version: `block:${height}`, epoch: 0, height, transactions: 0, finalizedHeight: 1 }));
}

/** Published height after each batch of a catch-up. @param lengths of the changes from height 1; a batch has 60 */
async function catchUp(lengths: readonly number[]): Promise<readonly (number | undefined)[]> {
  const { store, database } = testStore();
  const { readModel, published, sqlite } = watched();
  const publisher = testPublisher({ store, readModel, maxBatchLength: 60_000, state: { height: lengths.length } });
  await publisher.drain();
  published.length = 0;
  for (const [index, length] of lengths.entries()) change(store, index + 1, length / 2);
  await publisher.drain();
  expect(readModelDifferences(database.database, sqlite)).toEqual([]);
  return published;
}

test("a catch-up of several batches is readable after each: they end where a change of the chain ends", async () => {
  expect(await catchUp([10, 20, 25, 20, 38, 20])).toEqual([3, 5, 6]);
});

test("a change without room in a batch is not readable before its end, and the next one is", async () => {
  expect(await catchUp([3, 130, 50, 50, 3])).toEqual([1, undefined, undefined, 3, 5]);
});

test("a batch that a database refused stays in the outbox and is published by the next try", async () => {
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
  expect(readModelDifferences(database.database, sqlite)).toEqual([]);
});

test("a database that does not respond in time has failed", async () => {
  const hanging = { prepare: () => ({ bind: () => ({}) }), batch: () => new Promise<never>(() => {}) };
  const sink = d1Sink(hanging as unknown as D1Database, 10);
  await expect(sink.batch([{ sql: "SELECT 1", bindings: [] }])).rejects.toThrow("did not respond within 10 ms");
});

test("the timeout ends when a database responds", async () => {
  vi.useFakeTimers();
  try {
    const answering = { prepare: () => ({ bind: () => ({}) }), batch: async () => [{ results: [{ a: 1 }] }] };
    const sink = d1Sink(answering as unknown as D1Database);
    expect(await sink.batch([{ sql: "SELECT 1 AS a", bindings: [] }])).toEqual([[{ a: 1 }]]);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
