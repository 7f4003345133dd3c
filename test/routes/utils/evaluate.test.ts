/** Evaluations: their queries of D1, and caching of their responses. */
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { servicesOf } from "../../../src/services/node-services.ts";
import { type TestNode, testNode } from "../../support/builders/test-node.ts";
import { fixtureText } from "../../support/fixtures/recorded-lines.ts";
import { recordedReadModel } from "../../support/fixtures/rest/recorded-chain.ts";

const path = "/utils/script/evaluate/3M2hyhPfHRonEzoaAKxESfA5DFoq718UFA7";
const call = { function: "ev8", args: [] };
const strings = "application/json;large-significand-format=string";

let readModel: D1Database;
let batches = 0;
let node: TestNode;
beforeAll(async () => {
  readModel = await recordedReadModel();
});
beforeEach(() => {
  const database = {
    prepare: (sql: string) => readModel.prepare(sql),
    batch: (statements: D1PreparedStatement[]) => {
      batches++;
      return readModel.batch(statements);
    },
  } as unknown as D1Database;
  const variables = { WAITS_FOR_RUNNER: "yes" };
  node = testNode({ database, network: fixtureText("private-a/network.json"), variables });
  vi.useFakeTimers({ toFake: ["Date"] });
  return () => vi.useRealTimers();
});

async function evaluate(
  body: object,
  { query = "", headers = {}, at = path }: { query?: string; headers?: Record<string, string>; at?: string } = {},
) {
  batches = 0;
  const sent = { "Content-Type": "application/json", ...headers };
  const response = await node.fetch(`${at}${query}`, { method: "POST", headers: sent, body: JSON.stringify(body) });
  return {
    batches,
    status: response.status,
    text: await response.text(),
    tag: response.headers.get("ETag"),
    type: response.headers.get("Content-Type"),
  };
}

const savedFiles = () => {
  const { responseCache } = servicesOf(node.env);
  return vi.spyOn(responseCache, "store");
};

test("a warm question asks D1 nothing, whatever its arguments", async () => {
  const first = await evaluate({ call });
  expect(first.batches).toBeGreaterThan(0);
  const other = await evaluate({ call, fee: 900_000 });
  expect(other.batches).toBe(0);
  const withoutEcho = (text: string) => ({ ...JSON.parse(text), fee: undefined });
  expect(withoutEcho(other.text)).toEqual(withoutEcho(first.text));
});

test("a literal beyond 64 bits is an error by itself, with status 400", async () => {
  const { status, text } = await evaluate({ expr: "9223372036854775808" });
  expect([status, JSON.parse(text)]).toEqual([400, { error: 199, message: 'For input string: "9223372036854775808"' }]);
});

test("the same question about the same state is answered once", async () => {
  const keep = savedFiles();
  const first = await evaluate({ call });
  expect(keep).toHaveBeenCalledTimes(1);
  expect(await evaluate({ call })).toEqual({ ...first, batches: 0 });
  expect(keep).toHaveBeenCalledTimes(1);
});

test("questions that differ in body, form, trace or type have their own answers", async () => {
  const first = await evaluate({ call });
  expect(JSON.parse((await evaluate({ call: { function: "noSuchFunction", args: [] } })).text)).toMatchObject({
    error: 199,
  });
  expect(first.type).toBe("application/json");
  const inStrings = await evaluate({ call }, { headers: { Accept: strings } });
  expect(inStrings.type).toContain("string");
  expect(JSON.parse(first.text).vars).toBeUndefined();
  expect(JSON.parse((await evaluate({ call }, { query: "?trace=true" })).text).vars).toBeDefined();
  expect((await evaluate({ call }, { headers: { "Content-Type": "text/plain" } })).status).toBe(404);
  expect((await evaluate({ call })).text).toBe(first.text);
});

test("integers are texts where any range of the Accept header asks for that, and nothing else is", async () => {
  const plain = JSON.parse((await evaluate({ expr: "(5, [6])" })).text);
  const inAnyRange = await evaluate({ expr: "(5, [6])" }, { headers: { Accept: `${strings};q=0, application/json` } });
  expect(inAnyRange.type).toBe("application/json");
  const { result, ...rest } = JSON.parse(inAnyRange.text);
  expect(JSON.stringify(result)).toBe(JSON.stringify(plain.result).replaceAll(/:([56])/g, ':"$1"'));
  expect({ ...rest, result: plain.result }).toEqual(plain);
});

test.each([{ expr: 'let z = 1\nthrow("x")' }, { call: { function: "noSuchFunction" } }, { expr: "foo(" }])(
  "an error has no variables beside it, as in the reference: %j",
  async (body) => {
    const traced = JSON.parse((await evaluate(body, { query: "?trace=true" })).text);
    expect(traced.error).toBeGreaterThan(0);
    expect(traced).toEqual(JSON.parse((await evaluate(body)).text));
  },
);

test("an answer with an error of the question is given again, too", async () => {
  const wrong = { call: { function: "noSuchFunction", args: [] } };
  const first = await evaluate(wrong);
  expect(first.status).toBe(200);
  const keep = savedFiles();
  expect((await evaluate(wrong)).text).toBe(first.text);
  expect(keep).not.toHaveBeenCalled();
});

test("a question that is long is answered, and not kept", async () => {
  const keep = savedFiles();
  const long = { call, more: "x".repeat(5_000) };
  const first = await evaluate(long);
  expect(first.status).toBe(200);
  expect((await evaluate(long)).text).toBe(first.text);
  expect(keep).not.toHaveBeenCalled();
});

test("another state is evaluated again: after its time, and at once after a write of this isolate", async () => {
  const { tag } = await evaluate({ call });
  const publish = (version: string) =>
    readModel.prepare("UPDATE chain SET version = ?, sequence = sequence + 1").bind(version).run();
  await publish("second");
  expect((await evaluate({ call })).tag).toBe(tag);
  vi.advanceTimersByTime(100);
  const second = await evaluate({ call });
  expect(second.tag).toBe('"0.second"');
  await publish("third");
  servicesOf(node.env).latest.outdate();
  const third = await evaluate({ call });
  expect(third.tag).toBe('"0.third"');
  // The row of `chain`, then all rows that the query has read in the state before.
  expect(third.batches).toBe(2);
});

describe("what is wrong with a question", () => {
  const own = "3M2hyhPfHRonEzoaAKxESfA5DFoq718UFA7";
  const zeros = "1".repeat(32);
  const complaintsOf = async (body: object) => {
    const { text } = await evaluate(body);
    const { message, validationErrors } = JSON.parse(text);
    expect(message).toBe("failed to parse json message");
    return Object.entries(validationErrors as Record<string, { msg: string[] }[]>)
      .map(([place, [first]]) => `${place}: ${first?.msg[0]}`)
      .toSorted();
  };

  test("of the accounts of a state everything is told, together with what is wrong beside them", async () => {
    const balances = { [zeros]: -1, zz: 1, yy: -1 };
    const state = { accounts: { bad: {}, worse: 1, [own]: { assetBalances: balances, regularBalance: "x" } } };
    expect(await complaintsOf({ call, fee: "x", state })).toEqual([
      "obj.fee: error.expected.jsnumber",
      `obj.state.accounts.${own}.assetBalances.${zeros}: error.expected.txnonnegativeamount`,
      `obj.state.accounts.${own}.assetBalances.yy: error.expected.txnonnegativeamount`,
      `obj.state.accounts.${own}.assetBalances.zz: Invalid validation. Size of asset id zz not equal 32 bytes`,
      `obj.state.accounts.${own}.regularBalance: error.expected.numberformatexception`,
      "obj.state.accounts.bad: Can't parse Address in accounts: InvalidAddress(Wrong addressBytes length: expected: 26, actual: 3)",
      "obj.state.accounts.worse: error.expected.jsobject",
    ]);
  });

  test.each([{ accounts: [] }, { accounts: "x" }, { accounts: { [own]: { assetBalances: [] } } }])(
    "accounts and balances are objects: $accounts",
    async (state) => {
      const [complaint] = await complaintsOf({ expr: "1", state });
      expect(complaint).toContain("error.expected.jsobject");
    },
  );

  test.each([
    [1.5, "error.invalid.long"],
    [true, "error.expected.jsnumberorjsstring"],
    ["1e3", "error.expected.numberformatexception"],
  ])("a balance of %s", async (regularBalance, message) => {
    const state = { accounts: { [own]: { regularBalance } } };
    expect(await complaintsOf({ expr: "1", state })).toEqual([`obj.state.accounts.${own}.regularBalance: ${message}`]);
  });

  test("it is told before what is wrong with the code, the key or the payments", async () => {
    const state = { accounts: { bad: {} } };
    await complaintsOf({ call, state, senderPublicKey: "zz" });
    await complaintsOf({ call, state, id: "0" });
    await complaintsOf({ call, state, payment: [{ amount: 0 }] });
    await complaintsOf({ expr: "((", state });
    await complaintsOf({ expr: "1", call, state });
  });

  test("a payment of nothing", async () => {
    const { text } = await evaluate({ call, payment: [{ amount: 0 }] });
    expect(JSON.parse(text)).toMatchObject({ error: 115, message: "non-positive amount: 0 of Waves" });
  });

  test("of an account whose script has no functions it is told first", async () => {
    const at = "/utils/script/evaluate/3M7UV8hpGjNSebhZD3gqXR2wX4kRr88aYCR";
    expect(await evaluate({ expr: "((" }, { at })).toMatchObject({ status: 200 });
    expect(await evaluate({ call, payment: [{}] }, { at })).toMatchObject({ status: 200 });
    const { status, text } = await evaluate({ expr: "1" }, { at });
    expect([status, JSON.parse(text).message]).toEqual([400, expect.stringContaining("is not dApp")]);
  });

  test("the trace is looked at last, and an empty one is none", async () => {
    const at = "/utils/script/evaluate/3MNyNA5QedugKn2G2RcBbMqq4HFNdg5mLwH";
    const query = "?trace=perhaps";
    expect((await evaluate({ expr: "1" }, { query })).status).toBe(404);
    expect(JSON.parse((await evaluate({ expr: "1" }, { query: "?trace=" })).text).vars).toBeUndefined();
    expect((await evaluate({ expr: "1" }, { query, at })).status).toBe(400);
  });
});
