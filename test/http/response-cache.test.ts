import { describe, expect, test } from "vitest";
import { MAX_BUFFERED_CHARACTERS, write } from "../../src/http/respond.ts";
import { type CachedResponse, isFresh, keyOf, ResponseCache } from "../../src/http/response-cache.ts";
import type { Dependence } from "../../src/http/route.ts";
import { constant, type Freshness, json, momentary, type RouteResponse } from "../../src/http/route-response.ts";
import { IsolateMemory } from "../../src/platform/isolate-memory.ts";
import type { Chain } from "../../src/read-model/chain.ts";

const chain: Chain = {
  ...{ version: "tip:0", epoch: 0, height: 200, finalizedHeight: 100, identity: "genesis/drawn", sequence: 9 },
};
const microBlock: Chain = { ...chain, version: "tip:1", sequence: 10 };
const keyBlock: Chain = { ...chain, version: "next:0", height: 201, sequence: 11 };
const byForce: Chain = { ...chain, version: "other:0", epoch: 1, sequence: 12 };
const rewritten: Chain = { ...chain, identity: "genesis/drawn again" };

const state = { kind: "state", tag: "0.tip:0" } as const satisfies Freshness;
const final: Freshness = { kind: "final", tag: "id", foundBy: "id" };

const row = { method: "GET", path: "/said" } as const;

async function stored(
  dependsOn: Dependence,
  response: RouteResponse,
  shown: Chain | undefined = chain,
): Promise<CachedResponse | undefined> {
  const cache = new ResponseCache(new IsolateMemory(1_000_000));
  cache.store("key", response, await write(response, "exact"), { route: { ...row, dependsOn }, chain: shown });
  return cache.find("key");
}

const rolledBack: Chain = { ...chain, version: "other:0", finalizedHeight: 120, sequence: 13 };

const later = { chain, microBlock, keyBlock, byForce, rewritten, rolledBack };
function freshFor(response: CachedResponse | undefined): readonly string[] {
  expect(response).toBeDefined();
  return Object.entries(later).flatMap(([name, newest]) => (isFresh(response as CachedResponse, newest) ? [name] : []));
}

describe("an answer holds", () => {
  test.each<[Dependence, Freshness, readonly string[]]>([
    ["request", constant, ["chain", "microBlock", "keyBlock", "byForce", "rewritten", "rolledBack"]],
    ["tip", state, ["chain", "rewritten"]],
    ["height", state, ["chain", "microBlock"]],
    ["final", final, ["chain", "microBlock", "keyBlock", "rolledBack"]],
    ["final", state, ["chain", "rewritten"]],
  ])("that depends on %s and is %o for %o", async (dependsOn, freshness, names) => {
    expect(freshFor(await stored(dependsOn, json("said", freshness)))).toEqual(names);
  });
});

describe("nothing is kept", () => {
  test.each<Dependence>(["pool", "node", "clock", "chance"])("of what depends on %s", async (dependsOn) => {
    for (const freshness of [constant, state, final, momentary])
      expect(await stored(dependsOn, json("said", freshness))).toBeUndefined();
  });

  test.each<Dependence>(["request", "tip", "height", "final"])("that is of the moment: %s", async (dependsOn) => {
    expect(await stored(dependsOn, json("said", momentary))).toBeUndefined();
  });

  test("of what shows the chain and the time", async () => {
    expect(await stored("tip", json("said", { ...state, isTimed: true }))).toBeUndefined();
    expect(await stored("height", json("said", { ...state, isTimed: true }))).toBeUndefined();
  });

  test("of a row that says to depend on the request alone, and shows the chain", async () => {
    expect(await stored("request", json("said", state))).toBeUndefined();
    expect(await stored("request", json("said", final))).toBeUndefined();
  });

  test("that shows the chain while the state is unknown", async () => {
    const cache = new ResponseCache(new IsolateMemory(1_000_000));
    const response = json("said", state);
    cache.store("key", response, await write(response, "exact"), {
      route: { ...row, dependsOn: "tip" },
      chain: undefined,
    });
    expect(cache.find("key")).toBeUndefined();
  });

  test.each<[string, RouteResponse]>([
    ["an error", { kind: "error", status: 404, value: {} }],
    ["a text", { kind: "text", status: 404, text: "" }],
    ["a redirection", { kind: "redirect", location: "/" }],
    ["a file", { kind: "file", contentType: "text/plain", bytes: new Uint8Array() }],
    ["nothing", { kind: "nothing", freshness: state }],
    ["a list too long to be held", { kind: "jsonItems", open: "[", close: "]", items: longItems(), freshness: state }],
  ])("of %s", async (_, response) => {
    expect(await stored("tip", response)).toBeUndefined();
  });
});

async function* longItems(): AsyncGenerator<string> {
  for (;;) yield "x".repeat(MAX_BUFFERED_CHARACTERS / 4);
}

test("a list that is held is kept like any other text", async () => {
  async function* items(): AsyncGenerator<string> {
    yield "item";
  }
  const response = await stored("tip", { kind: "jsonItems", open: "[", close: "]", items: items(), freshness: state });
  expect(new TextDecoder().decode(response?.written.body as Uint8Array)).toBe('["item"]');
});

describe("an answer of another state", () => {
  const asked: readonly [string, Dependence, Freshness][] = [
    ["constant", "request", constant],
    ["tip", "tip", state],
    ["height", "height", state],
    ["final", "final", final],
  ];

  async function keptAfter(...states: readonly Chain[]): Promise<readonly string[]> {
    const cache = new ResponseCache(new IsolateMemory(1_000_000));
    const keep = async (key: string, dependsOn: Dependence, freshness: Freshness, shown: Chain) => {
      const response = json("said", freshness);
      cache.store(key, response, await write(response, "exact"), { route: { ...row, dependsOn }, chain: shown });
    };
    for (const [key, dependsOn, freshness] of asked) await keep(key, dependsOn, freshness, chain);
    for (const shown of states) await keep("another", "tip", state, shown);
    return asked.flatMap(([key]) => (cache.find(key) === undefined ? [] : [key]));
  }

  test.each<[string, readonly Chain[], readonly string[]]>([
    ["no other", [chain], ["constant", "tip", "height", "final"]],
    ["a micro-block's", [microBlock], ["constant", "height", "final"]],
    ["a key block's", [keyBlock], ["constant", "final"]],
    ["one that a final block was taken from", [byForce], ["constant"]],
    ["that of a rewritten database", [rewritten], ["constant", "tip"]],
    ["an earlier one's", [{ ...chain, version: "before:0", sequence: 8 }], ["constant", "tip", "height", "final"]],
  ])("leaves room for those of the newest: %s", async (_, states, names) => {
    expect(await keptAfter(...states)).toEqual(names);
  });
});

describe("the key of a question", () => {
  test("is another one for another URL, form or body", () => {
    const keys = [
      keyOf("http://node/a", null),
      keyOf("http://node/b", null),
      keyOf("http://node/a", "application/json;large-significand-format=string"),
      keyOf("http://node/a", null, "{}"),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });
});

test("what was kept is sent as the same bytes, under the same tag", async () => {
  const response = await stored("tip", json({ balance: 2n ** 63n - 1n }, state));
  expect(response?.written.entityTag).toBe('"0.tip:0"');
  expect(new TextDecoder().decode(response?.written.body as Uint8Array)).toBe('{"balance":9223372036854775807}');
});
