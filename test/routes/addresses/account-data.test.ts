/** Data entries: long lists in batches, and refusals. */
import type { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { addressOfPublicKey, addressText } from "../../../src/crypto/address.ts";
import type { PublicKey } from "../../../src/crypto/identities.ts";
import type { DataEntry, DataValue } from "../../../src/protocol/transactions/transaction.ts";
import { dataEntryTable } from "../../../src/tables/data-entries.ts";
import { d1Double, putRows } from "../../../verification/sqlite/d1-double.ts";
import { putChain } from "../../support/builders/put-chain.ts";
import { genesisOfFile, type TestNode, testNode } from "../../support/builders/test-node.ts";
import { fixtureText } from "../../support/fixtures/recorded-lines.ts";

// Two entries of 30 kB exceed a batch.
vi.mock("../../../src/routes/read-limit.ts", () => ({ readLimitBytes: 50_000, sharedLimitBytes: 50_000 }));

const chainId = "R".charCodeAt(0);
const ownerOf = (number: number) => addressOfPublicKey(new Uint8Array(32).fill(number) as PublicKey, chainId);
const [few, large, many] = [ownerOf(1), ownerOf(2), ownerOf(3)];
const pathOf = (account: Uint8Array, rest = "") => `/addresses/data/${addressText(account as typeof few)}${rest}`;

const fewEntries: readonly (DataEntry & { value: object })[] = [
  { key: "", value: { type: "boolean", value: false } },
  { key: "a/b", value: { type: "string", value: "ü\u0000\ufeff" } },
  { key: "b", value: { type: "binary", value: new Uint8Array(0) } },
  { key: "z", value: { type: "integer", value: -(2n ** 63n) } },
  { key: "ключ 1", value: { type: "boolean", value: true } },
  { key: "\u{fb01}", value: { type: "binary", value: Uint8Array.of(255) } },
  { key: "\u{1f600}", value: { type: "integer", value: 2n ** 63n - 1n } },
];
const largeKeys = Array.from({ length: 6 }, (_, index) => `large_${index}`);
const manyCount = 100_000;

const network = fixtureText("private-a/network.json");
let node: TestNode;
/** Number of queries, one for each batch. */
let queryCount = 0;

function fill(sqlite: DatabaseSync): void {
  putChain(sqlite, { height: 100, genesis: genesisOfFile(network) });
  const bytes = { type: "binary", value: new Uint8Array(30_000) } as const;
  const one = { type: "integer", value: 1n } as const;
  const manyKeys = Array.from({ length: manyCount }, (_, index) => `key_${String(index).padStart(6, "0")}`);
  putRows(sqlite, dataEntryTable, [
    ...fewEntries.map(({ key, value }) => ({ address: few, key, value: value as NonNullable<DataValue> })),
    ...largeKeys.map((key) => ({ address: large, key, value: bytes })),
    ...manyKeys.map((key) => ({ address: many, key, value: one })),
  ]);
}

beforeAll(() => {
  const { d1, sqlite } = d1Double();
  fill(sqlite);
  const { prepare, batch, getBookmark } = d1 as unknown as Record<string, (...values: never[]) => unknown>;
  const counting = (...values: never[]) => {
    queryCount += 1;
    return (batch as (...values: never[]) => unknown)(...values);
  };
  const database = { withSession: () => ({ prepare, batch: counting, getBookmark }) } as unknown as D1Database;
  node = testNode({ database, network });
});

interface PrintedEntry {
  readonly key: string;
  readonly type: string;
  readonly value: unknown;
}
const entriesOf = async (path: string, init?: RequestInit) =>
  (await (await node.fetch(path, init)).json()) as readonly PrintedEntry[];
const keysOf = async (path: string, init?: RequestInit) => (await entriesOf(path, init)).map(({ key }) => key);
const jsonBody = (value: unknown): RequestInit => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(value),
});
const formBody = (value: string): RequestInit => ({
  method: "POST",
  headers: { "Content-Type": "application/x-www-form-urlencoded" },
  body: value,
});

describe("all entries of an account", () => {
  test("come in the order of their keys' bytes, with values of every kind as they were stored", async () => {
    expect(await (await node.fetch(pathOf(few))).text()).toBe(
      '[{"key":"","type":"boolean","value":false},{"key":"a/b","type":"string","value":"ü\\u0000\ufeff"},' +
        '{"key":"b","type":"binary","value":"base64:"},{"key":"z","type":"integer","value":-9223372036854775808},' +
        '{"key":"ключ 1","type":"boolean","value":true},{"key":"\u{fb01}","type":"binary","value":"base64:/w=="},' +
        '{"key":"\u{1f600}","type":"integer","value":9223372036854775807}]',
    );
  });

  test("a slash may follow; an account without entries has none", async () => {
    expect(await keysOf(pathOf(few, "/"))).toHaveLength(fewEntries.length);
    expect(await entriesOf(pathOf(ownerOf(9)))).toEqual([]);
  });

  test("integers are strings for clients that ask for it", async () => {
    const headers = { Accept: "application/json;large-significand-format=string" };
    const answer = await entriesOf(pathOf(few), { headers });
    expect(answer.find(({ key }) => key === "z")?.value).toBe("-9223372036854775808");
  });

  test("large values are read a few at a time", async () => {
    queryCount = 0;
    expect(await keysOf(pathOf(large))).toEqual(largeKeys);
    expect(queryCount).toBe(largeKeys.length);
  });

  test("a hundred thousand entries are sent as they are read", async () => {
    queryCount = 0;
    const { body } = await node.fetch(pathOf(many));
    expect(queryCount).toBeLessThan(manyCount / 1000 / 2);
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    const decoder = new TextDecoder();
    let text = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += decoder.decode(part.value, { stream: true });
    }
    const keys = (JSON.parse(text) as PrintedEntry[]).map(({ key }) => key);
    expect(keys).toHaveLength(manyCount);
    expect(keys).toEqual([...new Set(keys)].sort());
    expect(queryCount).toBeGreaterThan(100);
  });

  test("who turns away leaves the rest unread", async () => {
    queryCount = 0;
    const reader = ((await node.fetch(pathOf(many))).body as ReadableStream<Uint8Array>).getReader();
    const asked = queryCount;
    await reader.read();
    await reader.cancel();
    expect(queryCount).toBeLessThan(asked + 2);
  });
});

describe("entries whose keys match a pattern", () => {
  test.each([
    ["in the query", "?matches=%5Ba-z%5D(%2Fb)%3F", undefined],
    ["in a form", "", formBody("matches=%5Ba-z%5D(%2Fb)%3F")],
    ["in a form, which goes before the query", "?matches=x", formBody("matches=%5Ba-z%5D(%2Fb)%3F&key=x")],
    ["beside keys", "?matches=%5Ba-z%5D(%2Fb)%3F&key=%D0%BA", undefined],
    ["in the query of a request with JSON", "?matches=%5Ba-z%5D(%2Fb)%3F", jsonBody({ keys: ["x"] })],
  ])("%s", async (_, query, init) => {
    expect(await keysOf(pathOf(few, query), init)).toEqual(["a/b", "b", "z"]);
  });

  test("are found in a long list", async () => {
    expect(await keysOf(pathOf(many, "?matches=.*99999"))).toEqual(["key_099999"]);
    expect(await keysOf(pathOf(many, "?matches=nothing"))).toEqual([]);
  });

  test.each(["[", "(a)%5C1", "a%7B2%2C1%7D"])("%s is refused", async (pattern) => {
    const response = await node.fetch(pathOf(few, `?matches=${pattern}`));
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: 199, message: "Cannot compile regex" });
  });

  test("a pattern that takes too long on one account is refused", async () => {
    const pattern = encodeURIComponent(`${"(.*)*".repeat(150)}!`);
    const response = await node.fetch(pathOf(many, `?matches=${pattern}`));
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ error: 5031 });
  });
});

describe("entries of keys", () => {
  test("come in the order of the keys, repetitions too; those that do not exist are left out", async () => {
    const wanted = ["z", "nothing", "", "a/b", "z"];
    const expected = ["z", "", "a/b", "z"];
    expect(await keysOf(pathOf(few), jsonBody({ keys: wanted }))).toEqual(expected);
    const query = wanted.map((key) => `key=${encodeURIComponent(key)}`).join("&");
    expect(await keysOf(pathOf(few, `?${query}`))).toEqual(expected);
    expect(await keysOf(pathOf(few), formBody(query))).toEqual(expected);
  });

  test("that are large are read a few at a time", async () => {
    const wanted = [...largeKeys.toReversed(), "nothing", ...largeKeys];
    expect(await keysOf(pathOf(large), jsonBody({ keys: wanted }))).toEqual(wanted.filter((key) => key !== "nothing"));
  });

  test("a key stands in a path percent-encoded", async () => {
    expect(await entriesOf(pathOf(few, "/a%2Fb"))).toMatchObject({ key: "a/b" });
    expect(await entriesOf(pathOf(few, "/%D0%BA%D0%BB%D1%8E%D1%87%201"))).toMatchObject({ key: "ключ 1" });
    expect((await node.fetch(pathOf(few, "/%E0%A4%A"))).status).toBe(404);
  });

  test("a key that an account does not have is unknown", async () => {
    const response = await node.fetch(pathOf(few, "/nothing"));
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error: 304, message: "no data for this key" });
  });

  test.each([
    ["no keys", { method: "POST" }],
    ["an empty list", jsonBody({ keys: [] })],
    ["a form without keys", formBody("x=1")],
  ])("%s of a POST is refused", async (_, init) => {
    const response = await node.fetch(pathOf(few), init);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: 4008, message: "Key was not specified" });
  });

  test("more than a thousand are refused", async () => {
    const keys = Array.from({ length: 1001 }, (_, index) => `k${index}`);
    const message = "Too big sequence requested: max limit is 1000 entries";
    expect(await entriesOf(pathOf(few), jsonBody({ keys }))).toEqual({ error: 10, message });
    expect(await entriesOf(pathOf(few), jsonBody({ keys: keys.slice(1) }))).toEqual([]);
  });

  test.each([
    ["a list that is none", jsonBody({ keys: "x" }), 400],
    ["a key that is no text", jsonBody({ keys: [1] }), 400],
    ["no object", jsonBody(["x"]), 404],
    ["another type of body", { method: "POST", headers: { "Content-Type": "text/plain" }, body: "key=z" }, 404],
    ["another method", { method: "PUT", headers: { "Content-Type": "application/json" }, body: "{}" }, 404],
  ])("%s is not taken", async (_, init, status) => {
    expect((await node.fetch(pathOf(few), init)).status).toBe(status);
  });
});
