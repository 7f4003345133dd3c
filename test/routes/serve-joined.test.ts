/** Posts that come as one request are answered as they are when they come alone. */
import { beforeAll, expect, test } from "vitest";
import type { OfferAnswer, PoolOffer } from "../../src/env.ts";
import { joinedHeader, joinedValue } from "../../src/http/joined-posts.ts";
import { servicesOf } from "../../src/routes/node-services.ts";
import { serveJoined } from "../../src/routes/serve-joined.ts";
import { fixtureText, recordedLines } from "../recorded-lines.ts";
import { recordedReadModel } from "./recorded-chain.ts";
import { testNode } from "./test-node.ts";

const network = fixtureText("private-a/network.json");
const path = "/transactions/broadcast";
const headers = { "Content-Type": "application/json" };
const transfers = recordedLines<{ id: string; response: string }>("private-a/transactions.jsonl.gz")
  .filter(({ response }) => response.startsWith('{"type":4') && response.includes('"version":3'))
  .slice(0, 3)
  .map(({ response }) => response);
const bodies = [...transfers, "{}", "[1", '{"type":4,"attachment":"я"}', '"я"'];

let database: D1Database;
beforeAll(async () => {
  database = await recordedReadModel();
});

type Broadcast = (offers: PoolOffer[]) => Promise<OfferAnswer[]>;

/** A node behind a server of this machine, or as it runs on Cloudflare. */
function arrange(broadcastAll: Broadcast, variables: Record<string, string> = { WAITS_FOR_RUNNER: "run" }) {
  const node = testNode({ database, network, chainState: { broadcastAll }, variables });
  const execution = { waitUntil: () => {} } as unknown as ExecutionContext;
  const join = (sent: readonly string[], more: Record<string, string> = {}) => {
    const parts = sent.map((body) => new TextEncoder().encode(body));
    const init = {
      method: "POST",
      headers: { ...headers, [joinedHeader]: joinedValue(parts), ...more },
      body: sent.join(""),
    };
    return serveJoined(new Request(`http://node.test${path}`, init), node.env, execution);
  };
  const alone = (body: string, more: Record<string, string> = {}) =>
    node.fetch(path, { method: "POST", headers: { ...headers, ...more }, body });
  return { node, join, alone };
}

interface ReadAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** By number. */
function answersIn(bytes: Uint8Array): Map<number, ReadAnswer> {
  const answers = new Map<number, ReadAnswer>();
  const decoder = new TextDecoder();
  for (let rest = bytes; rest.length > 0; ) {
    const line = rest.indexOf(10);
    const [number, size] = decoder.decode(rest.subarray(0, line)).split(" ").map(Number) as [number, number];
    const [head = "", ...body] = decoder.decode(rest.subarray(line + 1, line + 1 + size)).split("\r\n\r\n");
    const [status = "", ...lines] = head.split("\r\n");
    const named = lines.map((each) => each.split(": ") as [string, string]);
    answers.set(number, {
      status: Number(status.split(" ")[1]),
      headers: Object.fromEntries(named.map(([name, value]) => [name.toLowerCase(), value])),
      body: body.join("\r\n\r\n"),
    });
    rest = rest.subarray(line + 1 + size);
  }
  return answers;
}

async function readAlone(answer: Response): Promise<ReadAnswer> {
  const body = await answer.text();
  const length = String(new TextEncoder().encode(body).length);
  return { status: answer.status, headers: { ...Object.fromEntries(answer.headers), "content-length": length }, body };
}

const accepting: Broadcast = async (offers) => offers.map(() => ({ accepted: true, isNew: true }));
/** Every second one is refused. */
const choosy: Broadcast = async (offers) =>
  offers.map(({ signedTransaction }) =>
    signedTransaction.reduce((sum, byte) => sum + byte, 0) % 2 === 0
      ? { accepted: true, isNew: true }
      : { accepted: false, fault: { code: "poolFull", of: "transactions", limit: 1 } },
  );

test.each([
  ["what the pool takes", accepting, {}],
  ["what the pool refuses", choosy, {}],
  ["what is said to other origins", accepting, { Origin: "http://dapp.example" }],
  ["numbers as strings", accepting, { Accept: "application/json;large-significand-format=string" }],
  ["bodies that are no JSON by their type", accepting, { "Content-Type": "text/plain" }],
  ["when ChainState does not answer", async () => Promise.reject(new Error("gone")), {}],
] as const)("as alone: %s", async (_, broadcastAll, more) => {
  const { join, alone } = arrange(broadcastAll);
  const answer = await join(bodies, more);
  expect(answer?.headers.get(joinedHeader)).toBe(String(bodies.length));
  const answers = answersIn(new Uint8Array((await answer?.arrayBuffer()) ?? new ArrayBuffer()));
  for (const [number, body] of bodies.entries())
    expect(answers.get(number)).toEqual(await readAlone(await alone(body, more)));
  expect(answers.size).toBe(bodies.length);
});

test("they go to ChainState in one call, in their order", async () => {
  const calls: (string | undefined)[][] = [];
  const { join } = arrange(async (offers) => {
    calls.push(offers.map(({ id }) => id && Buffer.from(id).toString("hex")));
    return accepting(offers);
  });
  await join(transfers);
  await join([transfers[2], transfers[0], transfers[1]] as string[]);
  const [[first, second, third] = []] = calls;
  expect(new Set([first, second, third]).size).toBe(3);
  expect(calls).toEqual([
    [first, second, third],
    [third, first, second],
  ]);
});

test("who is refused before ChainState is asked does not wait for its answer", async () => {
  const end = Promise.withResolvers<void>();
  const { join } = arrange(async (offers) => {
    await end.promise;
    return accepting(offers);
  });
  const answer = await join([transfers[0] as string, "{}"]);
  const reader = answer?.body?.getReader();
  const first = await reader?.read();
  expect([...answersIn(first?.value ?? new Uint8Array()).keys()]).toEqual([1]);
  end.resolve();
  const second = await reader?.read();
  expect([...answersIn(second?.value ?? new Uint8Array()).keys()]).toEqual([0]);
  expect((await reader?.read())?.done).toBe(true);
});

test("each is counted as a request of its own", async () => {
  const { join, node } = arrange(accepting);
  await join(transfers);
  const { counters } = servicesOf(node.env).requests;
  const counted = [...counters.series()].map(({ route, tier, counts }) => ({
    path: route?.path,
    tier,
    count: counts.reduce((sum, count) => sum + count, 0),
  }));
  expect(counted).toEqual([{ path, tier: "chainState", count: transfers.length }]);
});

test("a header that does not fit the body is refused", async () => {
  const { join } = arrange(accepting);
  expect((await join(["{}"], { [joinedHeader]: "3" }))?.status).toBe(400);
});

test("on Cloudflare, and without the header, a request is one like any other", async () => {
  const { join } = arrange(accepting, {});
  expect(join(["{}"])).toBeUndefined();
  const { node } = arrange(accepting);
  const execution = { waitUntil: () => {} } as unknown as ExecutionContext;
  const plain = new Request(`http://node.test${path}`, { method: "POST", headers, body: "{}" });
  expect(serveJoined(plain, node.env, execution)).toBeUndefined();
});
