/** Evaluations: what D1 is asked for them, and which of their answers are given again. */
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { servicesOf } from "../../src/routes/node-services.ts";
import { fixtureText } from "../recorded-lines.ts";
import { recordedReadModel } from "./recorded-chain.ts";
import { type TestNode, testNode } from "./test-node.ts";

const path = "/utils/script/evaluate/3M2hyhPfHRonEzoaAKxESfA5DFoq718UFA7";
const call = { function: "ev8", args: [] };
const strings = "application/json;large-significand-format=string";

let readModel: D1Database;
let batches = 0;
let node: TestNode;
beforeAll(async () => {
  readModel = await recordedReadModel();
}, 60_000);
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

async function ask(
  body: object,
  { query = "", headers = {} }: { query?: string; headers?: Record<string, string> } = {},
) {
  batches = 0;
  const sent = { "Content-Type": "application/json", ...headers };
  const answer = await node.fetch(`${path}${query}`, { method: "POST", headers: sent, body: JSON.stringify(body) });
  return {
    batches,
    status: answer.status,
    text: await answer.text(),
    tag: answer.headers.get("ETag"),
    type: answer.headers.get("Content-Type"),
  };
}

const kept = () => {
  const { answers } = servicesOf(node.env);
  return vi.spyOn(answers, "keep");
};

test("a warm question asks D1 nothing, whatever its arguments", async () => {
  const first = await ask({ call });
  expect(first.batches).toBeGreaterThan(0);
  const other = await ask({ call, fee: 900_000 });
  expect(other.batches).toBe(0);
  const withoutEcho = (text: string) => ({ ...JSON.parse(text), fee: undefined });
  expect(withoutEcho(other.text)).toEqual(withoutEcho(first.text));
});

test("the same question about the same state is answered once", async () => {
  const keep = kept();
  const first = await ask({ call });
  expect(keep).toHaveBeenCalledTimes(1);
  expect(await ask({ call })).toEqual({ ...first, batches: 0 });
  expect(keep).toHaveBeenCalledTimes(1);
});

test("questions that differ in body, form, trace or type have their own answers", async () => {
  const first = await ask({ call });
  expect(JSON.parse((await ask({ call: { function: "noSuchFunction", args: [] } })).text)).toMatchObject({
    error: 199,
  });
  expect(first.type).toBe("application/json");
  const inStrings = await ask({ call }, { headers: { Accept: strings } });
  expect(inStrings.type).toContain("string");
  expect(JSON.parse(first.text).vars).toBeUndefined();
  expect(JSON.parse((await ask({ call }, { query: "?trace=true" })).text).vars).toBeDefined();
  expect((await ask({ call }, { headers: { "Content-Type": "text/plain" } })).status).toBe(404);
  expect((await ask({ call })).text).toBe(first.text);
});

test("an answer with an error of the question is given again, too", async () => {
  const wrong = { call: { function: "noSuchFunction", args: [] } };
  const first = await ask(wrong);
  expect(first.status).toBe(200);
  const keep = kept();
  expect((await ask(wrong)).text).toBe(first.text);
  expect(keep).not.toHaveBeenCalled();
});

test("a question that is long is answered, and not kept", async () => {
  const keep = kept();
  const long = { call, more: "x".repeat(5_000) };
  const first = await ask(long);
  expect(first.status).toBe(200);
  expect((await ask(long)).text).toBe(first.text);
  expect(keep).not.toHaveBeenCalled();
});

test("another state is asked about anew: after its time, and after a write of this isolate at once", async () => {
  const { tag } = await ask({ call });
  const publish = (version: string) =>
    readModel.prepare("UPDATE chain SET version = ?, sequence = sequence + 1").bind(version).run();
  await publish("second");
  expect((await ask({ call })).tag).toBe(tag);
  vi.advanceTimersByTime(100);
  const second = await ask({ call });
  expect(second.tag).toBe('"0.second"');
  await publish("third");
  servicesOf(node.env).latest.outdate();
  const third = await ask({ call });
  expect(third.tag).toBe('"0.third"');
  // The row of the chain, then all that the question has read of the state before.
  expect(third.batches).toBe(2);
});
