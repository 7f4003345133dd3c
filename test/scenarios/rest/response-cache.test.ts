/** Response cache: cost, and no responses of earlier states. */
import type { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { decodeBase58 } from "../../../src/crypto/base58.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import type { Env } from "../../../src/env.ts";
import { MAX_AGE_MS } from "../../../src/read-model/latest-state.ts";
import { accountTable } from "../../../src/tables/accounts.ts";
import { d1Double, putRows } from "../../../verification/sqlite/d1-double.ts";
import { putChain } from "../../support/builders/put-chain.ts";
import { genesisOfFile, type TestNode, testNode } from "../../support/builders/test-node.ts";
import { fixtureText } from "../../support/fixtures/recorded-lines.ts";

const network = fixtureText("private-a/network.json");
const genesis = genesisOfFile(network);
const accountText = "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF";
const account = decodeBase58(accountText) as Uint8Array as Address;
const balancePath = `/addresses/balance/${accountText}`;

/** Numbers of statements of the queries. */
let queries: number[];
let sessions: number;
let sqlite: DatabaseSync;
let node: TestNode;

function show(sequence: number, { height = 5, ...chain }: Partial<Parameters<typeof putChain>[1]> = {}): void {
  putRows(sqlite, accountTable, [{ address: account, balance: BigInt(sequence), leaseIn: 0n, leaseOut: 0n }]);
  putChain(sqlite, { genesis, height, version: `tip:${sequence}`, sequence, ...chain });
}

function nodeOn(variables: Partial<Env> = {}, stored = new Map<string, string>()): TestNode {
  const double = d1Double();
  sqlite = double.sqlite;
  const { d1 } = double;
  const counted = {
    prepare: (sql: string) => d1.prepare(sql),
    batch: (statements: D1PreparedStatement[]) => {
      queries.push(statements.length);
      return d1.batch(statements);
    },
  };
  const withSession = () => {
    sessions += 1;
    return { ...counted, getBookmark: () => "0001-0001" };
  };
  const database = { ...counted, withSession } as unknown as D1Database;
  queries = [];
  sessions = 0;
  show(1);
  return testNode({ database, network, variables, stored });
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: 1_700_000_000_000 });
  node = nodeOn();
});
afterEach(() => {
  vi.useRealTimers();
});

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);
const balance = async (init?: RequestInit) => {
  const { balance: shown } = (await (await node.fetch(balancePath, init)).json()) as { readonly balance: number };
  return shown;
};

describe("what an answer costs", () => {
  test("a point query asks one statement, the row of the chain with it", async () => {
    expect(await balance()).toBe(1);
    expect(queries).toEqual([1]);
  });

  test("an unknown account is found to be unknown by one statement, too", async () => {
    const unknown = await node.fetch("/addresses/balance/3M2JLttEykHDndrbdEuQja5noUKhrXxWbgw");
    expect(await unknown.json()).toMatchObject({ balance: 0 });
    expect(queries).toEqual([1]);
  });

  test("the same question again asks nothing, and once the state is older the row of the chain alone", async () => {
    await balance();
    later(MAX_AGE_MS - 1);
    expect(await balance()).toBe(1);
    expect(queries).toEqual([1]);
    later(1);
    expect(await balance()).toBe(1);
    expect(queries).toEqual([1, 1]);
    expect(await balance()).toBe(1);
    expect(queries).toEqual([1, 1]);
  });

  test("many who ask at once while the state is older ask for it once", async () => {
    await balance();
    later(MAX_AGE_MS);
    await Promise.all(Array.from({ length: 20 }, () => balance()));
    expect(queries).toEqual([1, 1]);
  });

  test("who has the answer is told so without a question", async () => {
    const tag = (await node.fetch(balancePath)).headers.get("ETag") as string;
    const again = await node.fetch(balancePath, { headers: { "If-None-Match": tag } });
    expect(again.status).toBe(304);
    expect(again.headers.get("ETag")).toBe(tag);
    expect(queries).toEqual([1]);
  });
});

describe("a state that is newer", () => {
  test("is shown once the time is over in which the older one counts as the newest", async () => {
    await balance();
    show(2);
    expect(await balance()).toBe(1);
    later(MAX_AGE_MS);
    expect(await balance()).toBe(2);
  });

  test("is shown at once when any question of the isolate has met it", async () => {
    await balance();
    show(2);
    await node.fetch("/blocks/last").catch(() => undefined);
    expect(await balance()).toBe(2);
  });

  test("is shown at once after a change that this isolate has asked for", async () => {
    await balance();
    show(2);
    const headers = { "X-API-Key": "waves-private-node", "Content-Type": "application/json" };
    const body = JSON.stringify({ rollbackTo: 1, returnTransactionsToUtx: false });
    expect((await node.fetch("/debug/rollback", { method: "POST", headers, body })).status).toBe(400);
    expect(await balance()).toBe(2);
  });

  test("is not credited with a final object that was found for the one before", async () => {
    const key = "/0/block/height/7";
    let isRead = (): void => {};
    const read = new Promise<void>((resolve) => {
      isRead = resolve;
    });
    class SlowStore extends Map<string, string> {
      override get(name: string): string | undefined {
        if (!name.endsWith(key)) return undefined;
        return read.then(() => 'id\n{"height":7,"fee":0,"transactions":[]}') as unknown as string;
      }
    }
    node = nodeOn({}, new SlowStore());
    show(1, { height: 200, finalizedHeight: 100 });
    await balance();
    const asked = node.fetch("/blocks/headers/at/7");
    await new Promise(setImmediate);
    // Rolled back by the owner: the height has another block now.
    show(2, { height: 6, finalizedHeight: 1, epoch: 1 });
    later(MAX_AGE_MS);
    expect(await balance()).toBe(2);
    isRead();
    expect(await (await asked).json()).toEqual({ height: 7 });
    expect((await node.fetch("/blocks/headers/at/7")).status).toBe(404);
  });

  test("is not asked for after a question that has a body", async () => {
    await balance();
    show(2);
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ id: 1, jsonrpc: "2.0", method: "eth_chainId", params: [] });
    expect((await node.fetch("/eth", { method: "POST", headers, body })).status).toBe(200);
    expect(await balance()).toBe(1);
  });

  test("leaves what depends on the height as it is, as long as that is the same", async () => {
    const height = async () => (await node.fetch("/blocks/height")).text();
    expect(await height()).toBe('{"height":5}');
    show(2);
    later(MAX_AGE_MS);
    queries = [];
    expect(await height()).toBe('{"height":5}');
    expect(queries).toEqual([1]);
    show(3, { height: 6 });
    later(MAX_AGE_MS);
    expect(await height()).toBe('{"height":6}');
  });
});

describe("what is about one client", () => {
  test("is not part of what is kept", async () => {
    const from = async (origin: string) =>
      (await node.fetch(balancePath, { headers: { Origin: origin } })).headers.get("Access-Control-Allow-Origin");
    expect(await from("http://one.example")).toBe("http://one.example");
    expect(await from("http://other.example")).toBe("http://other.example");
    expect((await node.fetch(balancePath)).headers.has("Access-Control-Allow-Origin")).toBe(false);
    expect(queries).toEqual([1]);
  });

  test("a client that has seen more than this isolate is answered from the database", async () => {
    await balance();
    await balance({ headers: { "X-D1-Bookmark": "0001-0001" } });
    expect(queries).toEqual([1]);
    await balance({ headers: { "X-D1-Bookmark": "0001-0002" } });
    expect(queries).toEqual([1, 1]);
  });

  test("another form is another answer", async () => {
    await balance();
    const strings = { Accept: "application/json;large-significand-format=string" };
    const text = await (await node.fetch(balancePath, { headers: strings })).text();
    expect(text).toContain('"balance":"1"');
    expect(await balance()).toBe(1);
  });
});

describe("on this machine", () => {
  test("the database has no copies: there are no sessions of it, and the server before the Worker is told the state", async () => {
    node = nodeOn({ WAITS_FOR_RUNNER: "run" });
    for (let times = 0; times < 2; times++) {
      const { headers } = await node.fetch(balancePath);
      expect(headers.get("X-State")).toBe("0.1");
      expect(headers.has("X-D1-Bookmark")).toBe(false);
    }
    expect(sessions).toBe(0);
  });

  test("and nowhere else", async () => {
    expect((await node.fetch(balancePath)).headers.has("X-State")).toBe(false);
    expect((await node.fetch(balancePath)).headers.get("X-D1-Bookmark")).toBe("0001-0001");
  });
});

test("nothing private and nothing of the pool is kept", async () => {
  const key = { "X-API-Key": "waves-private-node" };
  for (const path of ["/transactions/unconfirmed/size", "/debug/info", "/utils/time", "/utils/seed"]) {
    const [first, second] = [await node.fetch(path, { headers: key }), await node.fetch(path, { headers: key })];
    expect(first.headers.get("ETag")).toBeNull();
    if (path === "/utils/seed") expect(await first.text()).not.toBe(await second.text());
  }
});
