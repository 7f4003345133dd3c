/** D1 is a copy that may be lost, restored, exchanged, late or doubled: it heals by itself, and shows nothing wrong meanwhile. */
import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, test } from "vitest";
import type { Publisher } from "../../../durable/publish/publisher.ts";
import type { StateStore } from "../../../durable/state/state-store.ts";
import { readModelDifferences } from "../../../scripts/tools/sqlite/compare-read-model.ts";
import type { TestDatabase } from "../../../scripts/tools/sqlite/test-database.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import { accountTable, balanceHistoryTable } from "../../../src/tables/accounts.ts";
import { aliasTable } from "../../../src/tables/aliases.ts";
import { dataEntryTable } from "../../../src/tables/data-entries.ts";
import { removed, written } from "../../../src/tables/schema/row-change.ts";
import { testStore } from "../test-store.ts";
import { testPublisher } from "./test-publisher.ts";
import { copyOf, UnreliableReadModel } from "./unreliable-read-model.ts";

const addressOf = (number: number) =>
  Uint8Array.from({ length: 26 }, (_, index) => (number >>> (8 * (25 - index))) & 255) as Address;
const account = (number: number, balance: number) =>
  written(accountTable, { address: addressOf(number), balance: BigInt(balance), leaseIn: 0n, leaseOut: 0n });
const alias = (name: string, owner: number) =>
  written(aliasTable, { name, address: addressOf(owner), takenOver: false });

let store: StateStore;
let database: TestDatabase;
let readModel: UnreliableReadModel;
let publisher: Publisher;
let sentences: string[];
let height: number;

function start(drawn?: string): void {
  publisher = testPublisher({
    store,
    readModel,
    state: () => ({ version: `block:${height}`, height }),
    onCopy: (sentence) => sentences.push(sentence),
    ...(drawn !== undefined && { drawn }),
  });
}

function step(...changes: Parameters<StateStore["commit"]>[1][number][]): void {
  height += 1;
  store.commit({ height, step: 0 }, changes);
}

const outboxSize = () => Number(store.scalar("SELECT COUNT(*) FROM outbox"));
const differences = () => readModelDifferences(database.database, readModel.sqlite);

/** Drains as often as it takes. */
async function publish(tries = 5): Promise<void> {
  for (let count = 0; count < tries; count++) {
    const hasFailed = await publisher.drain().then(
      () => false,
      () => true,
    );
    if (!hasFailed) return;
  }
  throw new Error("not published");
}

function expectHealed(): void {
  expect(differences()).toEqual([]);
  expect(readModel.chain?.is_whole).toBe(1);
  expect(publisher.isUpToDate).toBe(true);
}

beforeEach(async () => {
  ({ store, database } = testStore());
  readModel = new UnreliableReadModel();
  sentences = [];
  height = 0;
  start();
  step(account(1, 10), account(2, 20), alias("one", 1));
  await publish();
  step(account(1, 11));
  await publish();
  expectHealed();
});

describe("a read model that was lost", () => {
  test.each([
    ["with its tables", () => new DatabaseSync(":memory:")],
    ["but for its empty tables", () => new UnreliableReadModel().sqlite],
  ])("%s is written anew", async (_, empty) => {
    const { identity } = readModel.chain ?? {};
    readModel.sqlite = empty();
    step(account(3, 30));
    await publish();
    expectHealed();
    expect(sentences[0]).toBe("the read model is empty: it is written anew");
    expect(readModel.chain?.identity).toMatch(/^genesis\/./);
    expect(readModel.chain?.identity).not.toBe(identity);
  });

  test("is found out where nothing is to be published", async () => {
    readModel.sqlite = new DatabaseSync(":memory:");
    expect(publisher.hasWork).toBe(false);
    publisher.lookAgain();
    await publish();
    expectHealed();
  });
});

test("a read model that was restored from yesterday is written anew, whatever is in it", async () => {
  const yesterday = copyOf(readModel.sqlite);
  step(account(1, 12), removed(aliasTable, { name: "one" }), alias("two", 2));
  step(account(4, 40));
  await publish();
  readModel.sqlite = yesterday;
  expect(differences()).not.toEqual([]);
  step(account(5, 50));
  await publish();
  expectHealed();
  expect(sentences[0]).toBe("the read model is not as this node left it: it is written anew");
});

describe("a read model of another chain", () => {
  async function otherChain(rows: number): Promise<DatabaseSync> {
    const other = testStore();
    const theirs = new UnreliableReadModel();
    const accounts = Array.from({ length: rows }, (_, index) => account(1_000 + index, 7));
    other.store.commit({ height: 1, step: 0 }, [...accounts, alias("theirs", 1_000)]);
    await testPublisher({ store: other.store, readModel: theirs, genesis: "other genesis" }).drain();
    return theirs.sqlite;
  }

  test("is written anew, and its rows are gone", async () => {
    readModel.sqlite = await otherChain(10);
    step(account(3, 30));
    await publish();
    expectHealed();
    expect(sentences[0]).toContain("shows another chain, with genesis other genesis");
  });

  test("shows no whole state from the first batch on, and loses its rows in portions", async () => {
    readModel.sqlite = await otherChain(12_001);
    const shown: (number | undefined)[] = [];
    const left: number[] = [];
    readModel.afterEach = () => {
      shown.push(readModel.chain?.is_whole);
      left.push(Number(readModel.sqlite.prepare("SELECT COUNT(*) AS count FROM account").get()?.["count"]));
    };
    step(account(3, 30));
    await publish();
    expect(left.slice(0, 3)).toEqual([7_001, 2_001, 0]);
    expect(shown).toEqual(shown.map((_, at) => (at === shown.length - 1 ? 1 : 0)));
    expectHealed();
  });
});

test("a chain that was begun anew with the same genesis takes no read model of its predecessor's for its own", async () => {
  ({ store, database } = testStore());
  height = 0;
  start();
  step(account(9, 90));
  await publish();
  expectHealed();
  expect(sentences[0]).toBe("the read model is not as this node left it: it is written anew");
});

test("a ChainState that was restored from yesterday writes a read model that is ahead of it anew", async () => {
  const yesterday = database.database.prepare("SELECT * FROM publication").get() as Record<string, string>;
  step(account(1, 99), account(6, 60));
  await publish();
  store.rollbackTo({ height: 2, step: 0 });
  database.database.exec("DELETE FROM outbox");
  database.database
    .prepare("UPDATE publication SET sequence = ?, batch = ?")
    .run(yesterday["sequence"] as string, yesterday["batch"] as string);
  start();
  await publish();
  expectHealed();
});

test("a batch that comes late does not overwrite what came after it", async () => {
  readModel.fates = ["is late"];
  step(account(1, 12));
  await expect(publisher.drain()).rejects.toThrow();
  step(account(1, 13), alias("late", 1));
  await publish();
  expectHealed();
  await expect(readModel.deliver()).rejects.toThrow("malformed JSON");
  expectHealed();
  step(account(1, 14));
  await publish();
  expectHealed();
  expect(sentences).toEqual([]);
});

test("of batches that come late only one lands, and is known for what it is", async () => {
  readModel.fates = ["is late", "is late"];
  step(account(1, 12));
  await expect(publisher.drain()).rejects.toThrow();
  step(account(1, 13));
  await expect(publisher.drain()).rejects.toThrow();
  await expect(readModel.deliver()).rejects.toThrow("malformed JSON");
  expect(differences()).toHaveLength(1);
  await publish();
  expectHealed();
  expect(sentences).toEqual([]);
});

test("a batch that comes twice lands once", async () => {
  step(account(1, 12));
  await publish();
  const twice = readModel.landed.at(-1) ?? [];
  await expect(readModel.land(twice)).rejects.toThrow("malformed JSON");
  step(account(1, 13));
  await publish();
  await expect(readModel.land(twice)).rejects.toThrow("malformed JSON");
  expectHealed();
});

describe("a batch that lands, but whose sender hears nothing of it", () => {
  test("is not sent again", async () => {
    readModel.fates = ["lands unheard"];
    step(account(1, 12));
    await expect(publisher.drain()).rejects.toThrow();
    const batches = readModel.landed.length;
    await publish();
    expectHealed();
    expect([readModel.landed.length, outboxSize()]).toEqual([batches, 0]);
    expect(sentences).toEqual([]);
  });

  test("is known at the next start, too", async () => {
    readModel.fates = ["lands unheard"];
    step(account(1, 12));
    await expect(publisher.drain()).rejects.toThrow();
    const { identity } = readModel.chain ?? {};
    start();
    step(account(1, 13));
    await publish();
    expectHealed();
    expect(readModel.chain?.identity).toBe(identity);
  });

  test("while the tables are written anew", async () => {
    readModel.sqlite = new DatabaseSync(":memory:");
    // What makes the tables, what clears them, what copies them.
    readModel.fates = ["lands unheard", "lands unheard", "lands", "lands unheard"];
    step(account(1, 12));
    await publish(10);
    expectHealed();
    expect(sentences).toHaveLength(1);
  });
});

test.each([7, 8, 9, 16])(
  "of an outbox of %i entries, read eight at a time, the last batch shows the whole state",
  async (count) => {
    for (let entry = 0; entry < count; entry++) step(account(entry % 3, 100 + entry));
    expect(outboxSize()).toBe(count);
    await publish();
    expectHealed();
    expect(readModel.sqlite.prepare("SELECT height FROM chain").get()).toEqual({ height });
  },
);

test("batches have a bounded number of statements", async () => {
  for (let count = 0; count < 300; count++)
    step(account(count, 1), ...(count % 2 === 0 ? [removed(aliasTable, { name: "one" })] : [alias("one", count)]));
  readModel.landed = [];
  await publish();
  expectHealed();
  expect(readModel.landed.length).toBeGreaterThan(1);
  for (const statements of readModel.landed) expect(statements.length).toBeLessThanOrEqual(120);
});

test("no parameter is longer than D1 takes, whether rows are published or copied", async () => {
  const value = { type: "binary", value: new Uint8Array(32_000) } as const;
  for (let count = 0; count < 60; count++)
    step(...[0, 1].map((key) => written(dataEntryTable, { address: addressOf(count), key: `${key}`, value })));
  await publish();
  readModel.sqlite = new DatabaseSync(":memory:");
  publisher.lookAgain();
  await publish();
  expectHealed();
  for (const { bindings } of readModel.landed.flat())
    for (const binding of bindings) expect(String(binding).length).toBeLessThanOrEqual(1_000_100);
});

describe("while the tables are written anew", () => {
  const rows = 400;
  const value = (byte: number) => ({ type: "binary", value: new Uint8Array(9_000).fill(byte) }) as const;
  const entry = (number: number, byte = 1) =>
    written(dataEntryTable, { address: addressOf(number), key: "key", value: value(byte) });

  beforeEach(async () => {
    step(...Array.from({ length: rows }, (_, index) => entry(index)));
    await publish();
    readModel.sqlite = new DatabaseSync(":memory:");
    readModel.landed = [];
    sentences = [];
    publisher.lookAgain();
  });

  test("no reader sees a part of them, and the log says how far they are", async () => {
    const shown: unknown[] = [];
    readModel.afterEach = () => shown.push(readModel.sqlite.prepare("SELECT is_whole, progress FROM chain").get());
    await publish();
    expectHealed();
    expect(shown.length).toBeGreaterThan(4);
    expect(shown.slice(1, -1)).toEqual(
      shown.slice(1, -1).map(() => ({ is_whole: 0, progress: expect.stringMatching(/^\d+ of \d+ tables$/) })),
    );
    expect(shown.at(-1)).toEqual({ is_whole: 1, progress: null });
    expect(sentences.slice(1)).toEqual(
      sentences.slice(1).map(() => expect.stringMatching(/^the read model is written anew: \d+ of \d+ tables$/)),
    );
    expect(new Set(sentences).size).toBe(sentences.length);
    expect(sentences.length).toBeGreaterThan(1);
  });

  test("the chain goes on: rows change, go and come before and behind the place that is reached", async () => {
    let batch = 0;
    readModel.afterEach = () => {
      batch += 1;
      if (batch > 5) return;
      step(
        entry(batch, 2),
        entry(rows - batch, 3),
        removed(dataEntryTable, { address: addressOf(200 + batch), key: "key" }),
        entry(rows + batch),
        account(batch, 1_000 + batch),
        ...(batch % 2 === 0 ? [removed(aliasTable, { name: "one" })] : [alias("one", batch)]),
      );
    };
    await publish();
    expectHealed();
  });

  test("a start in the middle goes on where the last one stopped", async () => {
    readModel.fates = ["lands", "lands", "lands", "lands", "is lost"];
    await expect(publisher.drain()).rejects.toThrow();
    const { identity } = readModel.chain ?? {};
    const written = () => readModel.landed.flat().filter(({ sql }) => sql.includes("INTO data_entry")).length;
    const before = written();
    expect(before).toBeGreaterThan(0);
    start();
    step(account(7, 70), entry(0, 9));
    await publish();
    expectHealed();
    expect(readModel.chain?.identity).toBe(identity);
    // Each portion once, and what has changed since.
    expect(readModel.landed.flat().filter(({ sql }) => sql.startsWith("DELETE FROM data_entry"))).toHaveLength(1);
    const length = readModel.landed
      .flat()
      .filter(({ sql }) => sql.includes("INTO data_entry"))
      .reduce((sum, { bindings }) => sum + String(bindings[0]).length, 0);
    expect(length).toBeLessThan((rows + 2) * 18_200);
  });

  test("being lost once more begins it once more", async () => {
    readModel.fates = ["lands", "lands", "lands", "lands"];
    readModel.afterEach = () => {
      if (readModel.landed.length === 4) readModel.sqlite = new DatabaseSync(":memory:");
    };
    await publish();
    expectHealed();
  });
});

describe("a read model that does not answer for long", () => {
  test("makes the outbox no longer than it may be: the tables are written anew instead", async () => {
    publisher = testPublisher({
      store,
      readModel,
      maxWaitingLength: 50_000,
      onCopy: (sentence) => sentences.push(sentence),
    });
    readModel.isDown = true;
    let longest = 0;
    for (let count = 0; count < 300; count++) {
      step(...Array.from({ length: 10 }, (_, index) => account(count * 10 + index, count)));
      await expect(publisher.drain()).rejects.toThrow();
      longest = Math.max(longest, Number(store.scalar("SELECT SUM(LENGTH(rows)) FROM outbox")));
    }
    expect(longest).toBeLessThan(55_000);
    expect(sentences.length).toBeGreaterThan(0);
    readModel.isDown = false;
    await publish();
    expectHealed();
  });

  test("gets what has waited, in order, when it answers again", async () => {
    readModel.isDown = true;
    for (let count = 0; count < 50; count++) {
      step(account(count % 5, count), written(balanceHistoryTable, historyRow(count)));
      await expect(publisher.drain()).rejects.toThrow();
      if (count % 20 === 19) start();
    }
    readModel.isDown = false;
    await publish();
    expectHealed();
    expect(sentences).toEqual([]);
  });

  const historyRow = (count: number) => ({
    ...{ address: addressOf(count % 5), height: count + 1, balance: BigInt(count) },
    ...{ leaseIn: 0n, leaseOut: 0n },
  });
});
