/** Batches of point queries: which queries join, and what happens if a batch fails or never ends. */
import type { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Address } from "../../src/crypto/identities.ts";
import { privateNetwork } from "../../src/network/networks/private.ts";
import { accountQuery } from "../../src/read-model/account.ts";
import { aliasOwnerQuery } from "../../src/read-model/alias.ts";
import { parseBookmark } from "../../src/read-model/bookmark.ts";
import { dataEntryQuery } from "../../src/read-model/data-entry.ts";
import { LatestState } from "../../src/read-model/latest-state.ts";
import { point, type Query } from "../../src/read-model/query.ts";
import { QueryBatcher } from "../../src/read-model/query-batcher.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { ReadModelUnavailable } from "../../src/read-model/read-model-unavailable.ts";
import { accountTable } from "../../src/tables/accounts.ts";
import { genesisText } from "../../src/tables/chain.ts";
import { dataEntryTable } from "../../src/tables/data-entries.ts";
import { d1Double, putRows } from "../../verification/sqlite/d1-double.ts";
import { putChain } from "../support/builders/put-chain.ts";

const settings = privateNetwork.blockchain;
const genesis = genesisText(settings);

const address = (number: number) => new Uint8Array(26).fill(number) as Uint8Array as Address;
const balanceOf = (number: number) => accountQuery(address(number));
/** Results of `balanceOf`; account 0 does not exist. */
const foundOf = (number: number) => ({ balance: BigInt(number), leaseIn: 0n, leaseOut: 0n });

interface Batch {
  /** Number of statements. */
  readonly statements: number;
  /** Start of its session. */
  readonly from: string | undefined;
  land(): Promise<void>;
  fail(error: Error): Promise<void>;
}

let sqlite: DatabaseSync;
let batches: Batch[];
let database: D1Database;
/** Whether the database responds without a command. */
let isFree: boolean;
let bookmark: string;
let beforeBatch: (from: string | undefined) => void;

const settled = () => vi.advanceTimersByTimeAsync(0);
const show = (sequence: number, facts: Partial<Parameters<typeof putChain>[1]> = {}) =>
  putChain(sqlite, { genesis, height: 5, version: `tip:${sequence}`, sequence, ...facts });

beforeEach(() => {
  vi.useFakeTimers({ now: 1_700_000_000_000 });
  const double = d1Double();
  sqlite = double.sqlite;
  batches = [];
  isFree = false;
  bookmark = "0000-0001";
  beforeBatch = () => {};
  const methods = (from: string | undefined) => ({
    prepare: (sql: string) => double.d1.prepare(sql),
    getBookmark: () => bookmark,
    batch: (statements: D1PreparedStatement[]) => {
      beforeBatch(from);
      const end = Promise.withResolvers<unknown>();
      const land = async () => {
        double.d1.batch(statements).then(end.resolve, end.reject);
        await settled();
      };
      const fail = async (error: Error) => {
        end.reject(error);
        await settled();
      };
      batches.push({ statements: statements.length, from, land, fail });
      if (isFree) void land();
      return end.promise;
    },
  });
  const withSession = (from: string) => methods(from);
  const { getBookmark: _, ...plain } = methods(undefined);
  database = { ...plain, withSession } as unknown as D1Database;
  const accounts = Array.from({ length: 200 }, (_, number) => ({
    address: address(number + 1),
    ...foundOf(number + 1),
  }));
  putRows(sqlite, accountTable, accounts);
  show(1);
});
afterEach(() => {
  vi.useRealTimers();
});

function arrange({ hasCopies = false, flights = 1 } = {}) {
  const latest = new LatestState(Date.now);
  const works: Promise<unknown>[] = [];
  const waitUntil = (work: Promise<unknown>) => void works.push(work);
  const points = new QueryBatcher({ hasCopies, maxInFlight: flights, settings, latest, nowMs: Date.now });
  const ask = <Value>(query: Query<Value>) => points.query(query, { database, waitUntil });
  const model = (seen?: string) =>
    new ReadModel({
      ...{
        database,
        hasCopies,
        settings,
        latest,
        bookmark: parseBookmark(seen ?? null),
        readInBatch: ask,
        publish: async () => {},
      },
    });
  return { latest, works, ask, model };
}
const land = (number: number) => (batches[number] as Batch).land();
const sizes = () => batches.map(({ statements }) => statements);

test("who is alone is asked for at once, by one statement; who comes meanwhile goes with the next batch", async () => {
  const { ask, works } = arrange();
  const asked = [1, 2, 0, 3].map((number) => ask(balanceOf(number)));
  expect(sizes()).toEqual([1]);
  await land(0);
  const later = ask(balanceOf(4));
  // The row of `chain`, and one statement for all queries of a kind.
  expect(sizes()).toEqual([1, 2]);
  await land(1);
  await land(2);
  expect(sizes()).toEqual([1, 2, 1]);
  const found = await Promise.all([...asked, later]);
  expect(found.map((each) => each?.value)).toEqual([1, 2, 0, 3, 4].map(foundOf));
  expect(found.every((each) => each?.chain.version === "tip:1")).toBe(true);
  // Batches continue after the response of the request that runs them, but not for longer.
  await Promise.all(works.slice(0, 1));
});

test("questions of several kinds go together, each as it would alone", async () => {
  const entries = ["key", "", "%", "'\"\\", "\u0000", "a\u0000b", "ключ", "🔑"].map((key) => ({ key }));
  putRows(
    sqlite,
    dataEntryTable,
    entries.flatMap(({ key }, number) => [
      { address: address(1), key, value: { type: "integer" as const, value: BigInt(number) } },
      { address: address(2), key, value: { type: "string" as const, value: key } },
    ]),
  );
  const questions: Query<unknown>[] = [
    ...entries.flatMap(({ key }) => [1, 2, 3].map((number) => dataEntryQuery(address(number), key))),
    balanceOf(7),
    aliasOwnerQuery("nobody"),
    balanceOf(0),
  ];
  isFree = true;
  const { model } = arrange();
  const alone: unknown[] = [];
  for (const query of questions) alone.push((await model().read(query)).values[0]);
  expect(batches).toHaveLength(questions.length);
  expect(alone.filter((value) => value === undefined)).toHaveLength(entries.length + 1);
  isFree = false;
  const { ask } = arrange();
  batches = [];
  void ask(balanceOf(1));
  const together = questions.map((query) => ask(query));
  await land(0);
  // The chain, entries, accounts, an alias.
  expect(sizes()).toEqual([1, 4]);
  await land(1);
  expect((await Promise.all(together)).map((each) => each?.value)).toEqual(alone);
});

test("a batch has 32 questions", async () => {
  const { ask } = arrange();
  isFree = true;
  const found = await Promise.all(Array.from({ length: 70 }, (_, number) => ask(aliasOwnerQuery(`name-${number}`))));
  expect(found).toHaveLength(70);
  expect(sizes()).toEqual([1, 33, 33, 6]);
});

test("rows and batches are counted once", async () => {
  const counted = { rows_read: 5 };
  const batch = async (statements: unknown[]) =>
    (await d1Double(sqlite).d1.batch(statements as never)).map((result) => ({ ...result, meta: counted }));
  database = { ...database, batch } as unknown as D1Database;
  const { ask } = arrange();
  const found = await Promise.all([ask(balanceOf(1)), ask(balanceOf(2)), ask(aliasOwnerQuery("a")), ask(balanceOf(3))]);
  const counts = found.map((each) => [each?.batches, each?.rowsRead]);
  expect(counts).toEqual([
    [1, 5],
    [1, 5 + 5],
    [0, 5],
    [0, 0],
  ]);
});

test("several batches may be under way where the way is long", async () => {
  const { ask } = arrange({ flights: 2 });
  const asked = [1, 2, 3, 4].map((number) => ask(balanceOf(number)));
  expect(sizes()).toEqual([1, 1]);
  await land(1);
  expect(sizes()).toEqual([1, 1, 2]);
  await land(2);
  await land(0);
  expect((await Promise.all(asked)).map((each) => each?.value)).toEqual([1, 2, 3, 4].map(foundOf));
});

describe("a batch that fails", () => {
  test("fails only for a request that is alone: others query by themselves", async () => {
    const { ask } = arrange();
    const alone = ask(balanceOf(1));
    const together = [2, 3].map((number) => ask(balanceOf(number)));
    const refused = expect(alone).rejects.toThrow(ReadModelUnavailable);
    await batches[0]?.fail(new Error("away"));
    await refused;
    await batches[1]?.fail(new Error("away"));
    expect(await Promise.all(together)).toEqual([undefined, undefined]);
  });

  test("because of one question leaves the others their answers", async () => {
    const { model } = arrange();
    isFree = true;
    const wrong = point("SELECT nothing FROM nowhere", [], () => undefined);
    const read = [balanceOf(1), balanceOf(2), wrong, balanceOf(3)].map((query: Query<unknown>) => model().read(query));
    const [first, second, third, fourth] = await Promise.allSettled(read);
    const values = [first, second, fourth].map((each) => each?.status === "fulfilled" && each.value.values[0]);
    expect(values).toEqual([1, 2, 3].map(foundOf));
    expect(third).toMatchObject({ status: "rejected", reason: { name: "ReadModelUnavailable" } });
  });

  test("because of one row leaves the others their answers", async () => {
    sqlite.exec("UPDATE account SET balance = 'none' WHERE hex(address) LIKE '0303%'");
    const { model } = arrange();
    isFree = true;
    const read = await Promise.allSettled([1, 2, 3, 4].map((number) => model().read(balanceOf(number))));
    expect(read.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  });

  test("tables that show no state are everybody's error", async () => {
    show(2, { isWhole: false });
    const { ask } = arrange();
    isFree = true;
    const asked = await Promise.allSettled([1, 2, 3].map((number) => ask(balanceOf(number))));
    for (const each of asked) expect(each).toMatchObject({ reason: { name: "ReadModelUnavailable" } });
  });
});

describe("requests that go away", () => {
  test("a request makes batches for others for a second, and then leaves it to one of them", async () => {
    const { ask, works } = arrange();
    const asked = [1, 2].map((number) => ask(balanceOf(number)));
    await land(0);
    asked.push(ask(balanceOf(3)), ask(balanceOf(4)));
    const before = works.length;
    vi.setSystemTime(Date.now() + 1_000);
    await land(1);
    expect(works.length).toBeGreaterThan(before);
    await land(2);
    expect((await Promise.all(asked)).map((each) => each?.value)).toEqual([1, 2, 3, 4].map(foundOf));
  });

  test("and asks 500 questions at most", async () => {
    const { ask } = arrange();
    isFree = true;
    const many = Array.from({ length: 600 }, (_, number) => ask(balanceOf(number % 200)));
    expect((await Promise.all(many)).map((each) => each?.value)).toEqual(
      many.map((_, number) => foundOf(number % 200)),
    );
    // 1, 15 of 32 and 19 by the first; the rest by another one.
    expect(batches).toHaveLength(1 + 15 + 1 + 4);
  });

  test("a batch without a result for two seconds is run again by the next request", async () => {
    const { ask } = arrange();
    const asked = [ask(balanceOf(1)), ask(balanceOf(2))];
    await vi.advanceTimersByTimeAsync(1_999);
    asked.push(ask(balanceOf(3)));
    expect(sizes()).toEqual([1]);
    // Before the waiting requests have looked.
    vi.setSystemTime(Date.now() + 1);
    asked.push(ask(balanceOf(4)));
    // All four: first those of the lost batch, then those that waited.
    expect(sizes()).toEqual([1, 2]);
    await land(1);
    expect((await Promise.all(asked)).map((each) => each?.value)).toEqual([1, 2, 3, 4].map(foundOf));
    // The old batch ends after all, and starts nothing.
    const next = ask(balanceOf(5));
    await land(0);
    const last = ask(balanceOf(6));
    expect(sizes()).toEqual([1, 2, 1]);
    await land(2);
    await land(3);
    expect((await Promise.all([next, last])).map((each) => each?.value)).toEqual([5, 6].map(foundOf));
  });

  test("a batch that never ends is run again by the waiting requests, if no new one comes", async () => {
    const { ask } = arrange();
    const asked = [ask(balanceOf(1)), ask(balanceOf(2))];
    await vi.advanceTimersByTimeAsync(1_999);
    expect(sizes()).toEqual([1]);
    await vi.advanceTimersByTimeAsync(1);
    // Both.
    expect(sizes()).toEqual([1, 2]);
    await land(1);
    expect((await Promise.all(asked)).map((each) => each?.value)).toEqual([1, 2].map(foundOf));
    expect(vi.getTimerCount()).toBe(0);
  });

  test("a clock set back makes no request wait", async () => {
    const { ask } = arrange();
    const asked = [ask(balanceOf(1))];
    vi.setSystemTime(Date.now() - 3_600_000);
    asked.push(ask(balanceOf(2)));
    await land(1);
    expect((await Promise.all(asked)).map((each) => each?.value)).toEqual([1, 2].map(foundOf));
  });

  test("more than a thousand do not wait", async () => {
    const { ask } = arrange();
    const asked = Array.from({ length: 1_001 }, () => ask(balanceOf(1)));
    // The first is in progress.
    expect(await ask(balanceOf(2))).toBeUndefined();
    isFree = true;
    await land(0);
    expect((await Promise.all(asked)).every((each) => each?.value.balance === 1n)).toBe(true);
  });
});

describe("which state is shown", () => {
  test("all of a batch are of one state, and the isolate is told of it", async () => {
    const { ask, latest } = arrange();
    const asked = [1, 2, 3].map((number) => ask(balanceOf(number)));
    await land(0);
    show(2);
    await land(1);
    const versions = (await Promise.all(asked)).map((each) => each?.chain.version);
    expect(versions).toEqual(["tip:1", "tip:2", "tip:2"]);
    expect(latest.known()?.chain.version).toBe("tip:2");
  });

  test("what is read behind a write of this isolate was asked behind it", async () => {
    const { ask, latest } = arrange();
    const first = ask(balanceOf(1));
    latest.outdate();
    const second = ask(balanceOf(2));
    await land(0);
    await first;
    // The query preceded the write and does not show it.
    expect(latest.known()).toBeUndefined();
    expect(batches).toHaveLength(2);
    await land(1);
    await second;
    expect(latest.known()?.chain.version).toBe("tip:1");
  });

  test("copies are looked at as the isolate has last seen them; an answer passes on its bookmark", async () => {
    const { model } = arrange({ hasCopies: true });
    isFree = true;
    const first = model();
    await first.read(balanceOf(1));
    expect(first.bookmark).toBe("0000-0001");
    bookmark = "0000-0002";
    await model().read(balanceOf(2));
    expect(batches.map(({ from }) => from)).toEqual(["first-unconstrained", "0000-0001"]);
  });

  test("a client that has seen more than this isolate asks alone, from what it has seen", async () => {
    const { model } = arrange({ hasCopies: true });
    isFree = true;
    await model().read(balanceOf(1));
    isFree = false;
    const read = [undefined, "0000-0001", "0000-0009"].map((seen) => model(seen).read(balanceOf(2)));
    await settled();
    // The second one waits for the first.
    expect(batches.map(({ from }) => from)).toEqual(["first-unconstrained", "0000-0001", "0000-0009"]);
    isFree = true;
    await land(1);
    await land(2);
    await Promise.all(read);
    expect(batches.at(3)?.from).toBe("0000-0001");
  });

  test("a copy that is behind what the isolate has seen is passed over, for each who has asked it", async () => {
    const { model, latest } = arrange({ hasCopies: true });
    isFree = true;
    show(2);
    await model().read(balanceOf(1));
    beforeBatch = (from) => show(from === "first-primary" ? 2 : 1);
    const read = [2, 3, 4].map((number) => model().read(balanceOf(number)));
    for (const { chain } of await Promise.all(read)) expect(chain.version).toBe("tip:2");
    expect(latest.newest?.chain.version).toBe("tip:2");
    expect(batches.filter(({ from }) => from === "first-primary")).toHaveLength(3);
  });

  test("a bookmark that the database does not know makes each ask alone", async () => {
    const { model } = arrange({ hasCopies: true });
    isFree = true;
    await model().read(balanceOf(1));
    isFree = false;
    const read = model().read(balanceOf(2));
    isFree = true;
    await batches[1]?.fail(new Error("no such bookmark"));
    expect((await read).values).toEqual([foundOf(2)]);
  });
});
