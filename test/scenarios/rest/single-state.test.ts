/** A response with several reads shows one state of the chain, or is refused visibly. */
import type { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import { MAX_BUFFERED_CHARACTERS } from "../../../src/http/respond.ts";
import { MAX_AGE_MS } from "../../../src/read-model/latest-state.ts";
import { d1Double } from "../../../verification/sqlite/d1-double.ts";
import { putChain } from "../../support/builders/put-chain.ts";
import { genesisOfFile, type TestNode, testNode } from "../../support/builders/test-node.ts";
import { fixtureText } from "../../support/fixtures/recorded-lines.ts";
import { recordedReadModel } from "../../support/fixtures/rest/recorded-chain.ts";

// So small that no batch of a list has more than a block.
vi.mock("../../../src/routes/read-limit.ts", () => ({ readLimitBytes: 1, sharedLimitBytes: 1 }));

const network = fixtureText("private-a/network.json");
const genesis = genesisOfFile(network);
const [asset, otherAsset] = [new Uint8Array(32).fill(7), new Uint8Array(32).fill(8)];
/** Read in three batches, and buffered before it is sent. */
const bufferedPath = `/assets/${encodeBase58(asset)}/distribution`;
const holderCount = 12_000;
/** Longer than the buffer. */
const long = `/assets/${encodeBase58(otherAsset)}/distribution`;
const longCount = 30_000;
const refused = { status: 503, text: expect.stringContaining('"error":5031') as string };
const textOf = async (response: Response) => ({ status: response.status, text: await response.text() });

function holder(number: number): Address {
  const bytes = new Uint8Array(26).fill(1);
  new DataView(bytes.buffer).setUint32(20, number);
  return bytes as Address;
}

/** A database that calls back after each reading. */
function watched(d1: D1Database, onRead: () => void): D1Database {
  const methods = {
    prepare: (sql: string) => d1.prepare(sql),
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await d1.batch(statements);
      onRead();
      return results;
    },
  };
  return { ...methods, withSession: () => ({ ...methods, getBookmark: () => "bookmark" }) } as unknown as D1Database;
}

let sqlite: DatabaseSync;
let node: TestNode;
let readings: number;
/** Whether the chain changes after a reading. */
let advancesAfter: (reading: number) => boolean;
let state: number;

/** In each state all accounts have the same balance. */
function show(next: number): void {
  state = next;
  sqlite.exec(`UPDATE asset_balance SET balance = ${state}`);
  putChain(sqlite, { genesis, height: 5, version: `tip:${state}`, sequence: state });
}

beforeEach(() => {
  // The state of a reading stays known, however slow the machine is.
  vi.useFakeTimers({ toFake: ["Date"] });
  const double = d1Double();
  sqlite = double.sqlite;
  sqlite.exec("BEGIN");
  const balance = sqlite.prepare("INSERT INTO asset_balance (address, asset, balance) VALUES (?, ?, 1)");
  for (let number = 1; number <= holderCount; number++) balance.run(holder(number), asset);
  for (let number = 1; number <= longCount; number++) balance.run(holder(number), otherAsset);
  sqlite.exec("COMMIT");
  show(1);
  readings = 0;
  advancesAfter = () => false;
  const database = watched(double.d1, () => {
    readings += 1;
    if (advancesAfter(readings)) show(state + 1);
  });
  node = testNode({ database, network });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Number of holders by balance. */
function counts(text: string): Readonly<Record<string, number>> {
  const byBalance = Object.groupBy(Object.values(JSON.parse(text) as Record<string, number>), String);
  return Object.fromEntries(Object.entries(byBalance).map(([balance, list = []]) => [balance, list.length]));
}

describe("a list that is read in parts", () => {
  test("is made again when the chain goes on between them", async () => {
    advancesAfter = (reading) => reading === 2;
    const response = await node.fetch(bufferedPath);
    expect(response.headers.get("ETag")).toBe('"0.tip:2"');
    expect(counts(await response.text())).toEqual({ 2: holderCount });
    expect(readings).toBe(3 + 3);
  });

  test("is kept like any other answer, and sent again without a reading", async () => {
    const first = await (await node.fetch(bufferedPath)).text();
    expect(readings).toBe(3);
    expect(await (await node.fetch(bufferedPath)).text()).toBe(first);
    expect(readings).toBe(3);
  });

  test("is refused when the chain always goes on between them", async () => {
    advancesAfter = () => true;
    expect(await textOf(await node.fetch(bufferedPath))).toEqual(refused);
    expect(readings).toBe(3 * 2);
  });

  test("that has not begun to be sent is made again, whatever its length", async () => {
    advancesAfter = (reading) => reading === 1;
    const text = await (await node.fetch(long)).text();
    expect(text.length).toBeGreaterThan(MAX_BUFFERED_CHARACTERS);
    expect(counts(text)).toEqual({ 2: longCount });
  });

  test("that has begun to be sent breaks off when the chain goes on", async () => {
    const response = await node.fetch(long);
    expect(response.status).toBe(200);
    show(2);
    await expect(response.text()).rejects.toThrow(
      "the response has begun with state 0.tip:1, and now there is 0.tip:2",
    );
  });
});

describe("a repeated query", () => {
  test("shows the state of the last question: a transaction that was not on the chain is looked for once more", async () => {
    advancesAfter = (reading) => reading === 1;
    const response = await node.fetch(`/transactions/status/${encodeBase58(asset)}`);
    expect(response.status).toBe(200);
    expect(readings).toBe(2);
    const info = await node.fetch(`/transactions/info/${encodeBase58(asset)}`);
    expect(info.status).toBe(404);
  });
});

describe("a script's answer", () => {
  const ask = () =>
    node.fetch(`/utils/script/evaluate/${scripted}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ expr: "height" }),
    });
  const scripted = "3M5kUssr7m8pDD9ivSpcaPg3RSB8bYVyZRR";

  beforeEach(async () => {
    const readModel = await recordedReadModel();
    node = testNode({
      database: watched(readModel, () => {
        readings += 1;
        // Each request then queries the state.
        vi.setSystemTime(Date.now() + 2 * MAX_AGE_MS);
        if (advancesAfter(readings)) advance(readModel);
      }),
      network,
    });
  });

  test("is about the state that its account was read in", async () => {
    advancesAfter = (reading) => reading === 1;
    const response = await ask();
    expect(await textOf(response)).toMatchObject({ status: 200, text: expect.stringContaining('"value":105') });
    // The account, then the query of the state: a different one. Then both again.
    expect(readings).toBeGreaterThanOrEqual(4);
  });
});

let advanced = 0;
/** Makes a read model show another state of the same chain. */
function advance(readModel: D1Database, change = "epoch = epoch"): void {
  advanced += 1;
  readModel.prepare(`UPDATE chain SET version = 'next:${advanced}', sequence = sequence + 1, ${change}`).run();
}

describe("blocks of a range", () => {
  let readModel: D1Database;
  let change: string;
  beforeEach(async () => {
    readModel = await recordedReadModel();
    change = "epoch = epoch";
    node = testNode({ database: watched(readModel, () => advance(readModel, change)), network });
  });

  test("that are all final may be of any state", async () => {
    const response = await node.fetch("/blocks/seq/1/5");
    expect(response.headers.get("Cache-Control")).toContain("immutable");
    const blocks = (await response.json()) as { height: number }[];
    expect(blocks.map(({ height }) => height)).toEqual([1, 2, 3, 4, 5]);
  });

  test("one of which is not are of one state", async () => {
    expect(await textOf(await node.fetch("/blocks/seq/2/6"))).toEqual(refused);
    expect(await textOf(await node.fetch("/blocks/seq/0/0"))).toMatchObject({ status: 200 });
  });

  test("that were final and were taken away are refused", async () => {
    change = "epoch = epoch + 1";
    expect(await textOf(await node.fetch("/blocks/seq/1/5"))).toEqual(refused);
  });
});

test("what takes one reading needs no second try", async () => {
  advancesAfter = () => true;
  expect((await node.fetch("/blocks/height")).status).toBe(200);
  expect(readings).toBe(1);
});
