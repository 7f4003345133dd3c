/** Rules of every route: methods, cross-origin headers, caches, failing components of the node. */

import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Env } from "../../src/env.ts";
import { clientAddressHeader } from "../../src/http/client-host.ts";
import { devChainRoutes } from "../../src/routes/all-routes.ts";
import { schemaSql } from "../../src/tables/all-tables.ts";
import { PARTIAL_STATE } from "../../src/tables/chain.ts";
import { d1Double } from "../../verification/sqlite/d1-double.ts";
import { putChain } from "../support/builders/put-chain.ts";
import { genesisOfFile, type TestNode, testNode } from "../support/builders/test-node.ts";
import { fixtureText } from "../support/fixtures/recorded-lines.ts";
import { recordedReadModel } from "../support/fixtures/rest/recorded-chain.ts";

const network = fixtureText("private-a/network.json");
const finalBlock = "/blocks/at/3";
const tipBlock = "/blocks/at/105";
/** Requests of two hosts. */
const hosts = ["1.1.1.1", "2.2.2.2"].map((address) => ({ headers: { [clientAddressHeader]: address } }));

let database: D1Database;
let node: TestNode;
beforeAll(async () => {
  database = await recordedReadModel();
  node = testNode({ database, network });
});

const textOf = async (response: Response) => ({ status: response.status, text: await response.text() });

describe("methods", () => {
  test("HEAD is an unknown route", async () => {
    expect((await node.fetch("/blocks/last", { method: "HEAD" })).status).toBe(404);
  });

  test("OPTIONS is OK on any path", async () => {
    expect(await textOf(await node.fetch("/nowhere", { method: "OPTIONS" }))).toEqual({ status: 200, text: "OK" });
  });
});

test("the letters of a path may be percent-encoded, on every route", async () => {
  const encoded = (segment: string) =>
    segment.replace(/\w$/, (letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, "0")}`);
  const differences: string[] = [];
  for (const { info } of devChainRoutes) {
    const plain = info.path.replaceAll(/:\w+/g, "1").replaceAll("*", "x");
    const method = info.method === "ALL" ? "GET" : info.method;
    const ask = async (path: string) => {
      const { status, text } = await textOf(await node.fetch(path, { method, redirect: "manual" }));
      return ["clock", "chance", "node"].includes(info.dependsOn) ? `${status}` : `${status} ${text}`;
    };
    const expected = await ask(plain);
    for (const asked of [plain.split("/").map(encoded).join("/"), plain.replace(/\w/, encoded)])
      if ((await ask(asked)) !== expected) differences.push(`${method} ${asked}`);
  }
  expect(differences).toEqual([]);
  expect((await textOf(await node.fetch("/blocks%2Fheight"))).status).toBe(404);
});

describe("cross-origin headers", () => {
  test.each(["/blocks/height", "/blocks/abc", "/nowhere", "/debug/x"])("are on the answer to %s", async (path) => {
    const { headers } = await node.fetch(path, { headers: { Origin: "http://dapp.example" } });
    expect(headers.get("Access-Control-Allow-Origin")).toBe("http://dapp.example");
    expect(headers.get("Access-Control-Allow-Credentials")).toBe("true");
  });
});

describe("caches", () => {
  test("a final block may be kept, the tip must be asked for again", async () => {
    const caching = async (path: string) => (await node.fetch(path)).headers.get("Cache-Control");
    expect(await caching(finalBlock)).toContain("immutable");
    expect(await caching(tipBlock)).toBe("no-cache");
    expect(await caching("/transactions/unconfirmed/size")).toBe("no-store");
  });

  test.each(["/blocks/last", finalBlock, "/addresses/balance/3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF"])(
    "%s is not sent again to who has it",
    async (path) => {
      const first = await node.fetch(path);
      const tag = first.headers.get("ETag") as string;
      const again = await node.fetch(path, { headers: { "If-None-Match": tag } });
      expect(again.status).toBe(304);
      expect(again.headers.get("ETag")).toBe(tag);
    },
  );

  test("the second host that reads a final block writes it to KV; the next one needs no rows of it", async () => {
    const reader = testNode({ database, network });
    const first = await (await reader.fetch(finalBlock, hosts[0])).text();
    await reader.fetch(finalBlock, hosts[0]);
    expect(reader.stored.size).toBe(0);
    expect(await (await reader.fetch(finalBlock, hosts[1])).text()).toBe(first);
    expect([...reader.stored.keys()]).toEqual([expect.stringMatching(/\/0\/block\/height\/3$/)]);

    const stored = new Map(reader.stored);
    const other = testNode({ database: onlyChain(database), network, stored });
    // KV is not read before D1 has shown the state of the chain.
    await other.fetch("/blocks/height");
    const second = await other.fetch(finalBlock);
    expect(await second.text()).toBe(first);
    expect(second.headers.get("Cache-Control")).toContain("immutable");
  });

  test("a transaction whose lease may still be cancelled is not kept", async () => {
    const reader = testNode({ database, network });
    const list = JSON.parse(await (await reader.fetch("/blocks/at/2")).text()) as {
      transactions: { id: string; type: number }[];
    };
    expect(list.transactions.map(({ type }) => type)).toEqual(expect.arrayContaining([4, 8, 9]));
    for (const { id, type } of list.transactions) {
      reader.stored.clear();
      for (const host of hosts) await reader.fetch(`/transactions/info/${id}`, host);
      expect([...reader.stored.keys()]).toEqual(
        [8, 9].includes(type) ? [] : [expect.stringContaining(`/0/transaction/id/${id}`)],
      );
    }
  });
});

describe("parts that fail", () => {
  const unavailable = { status: 503, text: expect.stringContaining('"error":5031') as string };

  test("a database that does not answer is a 503", async () => {
    const failing = testNode({ database: failingDatabase(), network });
    expect(await textOf(await failing.fetch("/blocks/last"))).toEqual(unavailable);
  });

  test("a chain that is not published yet is a 503", async () => {
    const empty = testNode({ database: d1Double().d1, network });
    expect(await textOf(await empty.fetch("/blocks/last"))).toEqual(unavailable);
  });

  test.each(["", "CREATE TABLE d1_migrations (name TEXT)"])("a database without tables is a 503 (%j)", async (sql) => {
    const sqlite = new DatabaseSync(":memory:");
    sqlite.exec(sql);
    const bare = testNode({ database: d1Double(sqlite).d1, network });
    const account = "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF";
    for (const path of [
      "/blocks/last",
      "/blocks/height",
      `/addresses/balance/${account}`,
      `/alias/by-address/${account}`,
    ])
      expect(await textOf(await bare.fetch(path)), path).toEqual(unavailable);
    const question = { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"expr":"1 + 1"}' };
    expect(await textOf(await bare.fetch(`/utils/script/evaluate/${account}`, question))).toEqual(unavailable);
  });

  test.each([
    ["without tables", () => new DatabaseSync(":memory:")],
    ["without a chain", () => undefined],
  ])("of a fresh deployment, with a database %s, the first read wakes ChainState and is answered", async (_, make) => {
    const { d1, sqlite } = d1Double(make());
    let wakes = 0;
    const wake = async () => {
      wakes++;
      for (const statement of sqlite.prepare("SELECT 1 FROM sqlite_master").all().length === 0
        ? schemaSql("readModel")
        : [])
        sqlite.exec(statement);
      putChain(sqlite, { height: 1, genesis: genesisOfFile(network) });
    };
    const fresh = testNode({ database: d1, network, node: { wake } });
    expect(await textOf(await fresh.fetch("/blocks/height"))).toEqual({ status: 200, text: '{"height":1}' });
    expect(await textOf(await fresh.fetch("/blocks/height"))).toEqual({ status: 200, text: '{"height":1}' });
    expect(wakes).toBe(1);
  });

  test("a read model that is being rewritten is a 503 with its progress, and wakes no object", async () => {
    const { d1, sqlite } = d1Double();
    putChain(sqlite, { height: 5, genesis: genesisOfFile(network), isWhole: false, progress: "3 of 19 tables" });
    const wake = vi.fn(async () => {});
    const waiting = testNode({ database: d1, network, node: { wake } });
    for (const path of ["/node/status", "/blocks/last", "/blocks/height"])
      expect(await textOf(await waiting.fetch(path)), path).toEqual({
        status: 503,
        text: '{"error":5031,"message":"The server was not able to produce a timely response to request","readModel":"3 of 19 tables"}',
      });
    const question = { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"expr":"1 + 1"}' };
    const evaluated = await waiting.fetch("/utils/script/evaluate/3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF", question);
    expect(evaluated.status).toBe(503);
    expect(wake).not.toHaveBeenCalled();
  });

  test.each(["/blocks/height", "/transactions/address/3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF/limit/5"])(
    "%s waits for the rest of a state that comes in several batches",
    async (path) => {
      const { d1, sqlite } = d1Double();
      const genesis = genesisOfFile(network);
      putChain(sqlite, { height: 5, genesis, isWhole: false, progress: PARTIAL_STATE });
      const waiting = testNode({ database: d1, network });
      setTimeout(() => putChain(sqlite, { height: 6, genesis }), 5);
      expect((await waiting.fetch(path)).status).toBe(200);
    },
  );

  test("a state whose rest does not come is a 503", async () => {
    vi.useFakeTimers();
    try {
      const { d1, sqlite } = d1Double();
      putChain(sqlite, { height: 5, genesis: genesisOfFile(network), isWhole: false, progress: PARTIAL_STATE });
      const answer = testNode({ database: d1, network }).fetch("/blocks/height");
      await vi.advanceTimersByTimeAsync(2_000);
      expect(await (await answer).json()).toMatchObject({ error: 5031, readModel: PARTIAL_STATE });
    } finally {
      vi.useRealTimers();
    }
  });

  test("a fresh deployment whose read model is still being written after the wake says how far it is", async () => {
    const { d1, sqlite } = d1Double();
    const wake = vi.fn(async () => {
      putChain(sqlite, { height: 5, genesis: genesisOfFile(network), isWhole: false, progress: "0 of 19 tables" });
    });
    const fresh = testNode({ database: d1, network, node: { wake } });
    for (let reads = 0; reads < 3; reads++)
      expect(await (await fresh.fetch("/blocks/height")).json()).toMatchObject({ readModel: "0 of 19 tables" });
    expect(wake).toHaveBeenCalledTimes(1);
  });

  test("a read model of another chain is a 503, and wakes ChainState", async () => {
    const { d1, sqlite } = d1Double();
    putChain(sqlite, { height: 5, genesis: "another" });
    const wake = vi.fn(async () => {});
    const other = testNode({ database: d1, network, node: { wake } });
    expect(await textOf(await other.fetch("/blocks/height"))).toEqual(unavailable);
    expect(wake).toHaveBeenCalledTimes(1);
    putChain(sqlite, { height: 5, genesis: genesisOfFile(network) });
    expect(await textOf(await other.fetch("/blocks/height"))).toEqual({ status: 200, text: '{"height":5}' });
  });

  test("many reads that find nothing published wake ChainState once a second, questions to scripts too", async () => {
    const { d1, sqlite } = d1Double();
    let wakes = 0;
    const wake = async () => {
      wakes += 1;
      if (wakes === 2) putChain(sqlite, { height: 1, genesis: genesisOfFile(network) });
    };
    const fresh = testNode({ database: d1, network, node: { wake } });
    vi.useFakeTimers({ now: 1_700_000_000_000 });
    try {
      const question = { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"expr":"1 + 1"}' };
      const asked = Array.from({ length: 20 }, (_, at) =>
        at % 2 === 0
          ? fresh.fetch("/blocks/height")
          : fresh.fetch("/utils/script/evaluate/3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF", question),
      );
      await vi.advanceTimersByTimeAsync(400);
      expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 503));
      expect(wakes).toBe(1);
      await vi.advanceTimersByTimeAsync(600);
      expect((await fresh.fetch("/blocks/height")).status).toBe(200);
      expect(wakes).toBe(2);
    } finally {
      vi.useRealTimers();
    }
  });

  describe("what a client says to have seen", () => {
    const bookmark = "00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683";

    /** The database, and the constraints of its sessions. @param refuses whether a constraint is unknown */
    async function sessions(refuses: (constraint: string) => boolean) {
      const { d1, sqlite } = d1Double();
      putChain(sqlite, { height: 5, genesis: genesisOfFile(network) });
      const opened: string[] = [];
      const withSession = (constraint: string) => {
        opened.push(constraint);
        const batch = () => Promise.reject(new Error("D1_ERROR: unknown bookmark"));
        return refuses(constraint) ? { ...d1.withSession(), prepare: d1.prepare, batch } : d1.withSession();
      };
      const reader = testNode({ database: { ...d1, withSession } as unknown as D1Database, network });
      const ask = (seen: string) => reader.fetch("/blocks/height", { headers: { "X-D1-Bookmark": seen } });
      return { opened, ask };
    }

    test("is where its reads begin", async () => {
      const { opened, ask } = await sessions(() => false);
      expect((await ask(bookmark)).status).toBe(200);
      expect(opened).toEqual([bookmark]);
    });

    test.each([
      ["nothing", ""],
      ["a word of the database's own", "first-primary"],
      ["a word", "nonsense"],
      ["a line", "-"],
      ["longer than one", `${bookmark}${"0".repeat(100)}`],
      ["SQL", "a-b'--"],
      ["no digits", "ÿ-ÿ"],
      ["as long as a header may be", "1".repeat(8_000)],
    ])("is passed over where it is %s", async (_, seen) => {
      const { opened, ask } = await sessions((constraint) => constraint !== "first-unconstrained");
      expect((await ask(seen)).status).toBe(200);
      expect(opened).toEqual(["first-unconstrained"]);
    });

    test("is passed over where the database does not know it: it is answered from what is newest", async () => {
      const { opened, ask } = await sessions((constraint) => constraint === bookmark);
      expect((await ask(bookmark)).status).toBe(200);
      expect(opened).toEqual([bookmark, "first-primary"]);
    });
  });

  test("a ChainState that does not answer is a 503", async () => {
    const unconfirmedCount = () => Promise.reject(new Error("Durable Object reset"));
    const failing = testNode({ database, network, chainState: { unconfirmedCount } });
    expect(await textOf(await failing.fetch("/transactions/unconfirmed/size"))).toEqual(unavailable);
  });

  test("a call that may be repeated is", async () => {
    let calls = 0;
    const unconfirmedCount = async () => {
      calls++;
      if (calls === 1) throw Object.assign(new Error("moved"), { retryable: true });
      return 7;
    };
    const moved = testNode({ database, network, chainState: { unconfirmedCount } });
    expect(await textOf(await moved.fetch("/transactions/unconfirmed/size"))).toEqual({
      status: 200,
      text: '{"size":7}',
    });
  });

  test("a part that answers too late is a 503", async () => {
    vi.useFakeTimers();
    try {
      const slow = testNode({ database, network, chainState: { unconfirmedCount: () => new Promise(() => {}) } });
      const answer = slow.fetch("/transactions/unconfirmed/size");
      await vi.advanceTimersByTimeAsync(20_000);
      expect(await textOf(await answer)).toEqual(unavailable);
    } finally {
      vi.useRealTimers();
    }
  });

  test("a bug is reported and answered as the unknown error", async () => {
    const reported = vi.spyOn(console, "error").mockImplementation(() => {});
    const broken = testNode({
      database,
      network,
      chainState: { findUnconfirmed: async () => new Uint8Array([1, 2, 3]) },
    });
    const id = "54khNhktScDNhhQrheN6HpVPWBq3gNmZXLuzsnUUZq4dXni9sibN3XbShKVLz6ZDEuKZYN9ddcme2xLMyNaFXKBc";
    const response = await broken.fetch(`/transactions/unconfirmed/info/${id}`);
    expect(await textOf(response)).toEqual({ status: 500, text: '{"error":0,"message":"Error is unknown"}' });
    expect(reported).toHaveBeenCalledOnce();
    reported.mockRestore();
  });

  test.each<[string, Partial<Env>, string]>([
    ["the network's", { NETWORK: "{}" }, "Setting waves is missing"],
    ["no network", { NETWORK: "" }, "Setting NETWORK is missing"],
    ["REST_API's", { REST_API: '{"asset-details-limit":0}' }, "Setting REST_API.asset-details-limit is 0"],
  ])("settings with which no node can run are named in each answer, and once in the log: %s", async (_, own, said) => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const broken = testNode({ database, network, variables: own });
    for (const path of ["/blocks/height", "/debug/configInfo?full=true"]) {
      const response = await broken.fetch(path);
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({ error: 199, message: expect.stringContaining(said) });
    }
    expect(logged.mock.calls).toEqual([[expect.stringContaining(said)]]);
    logged.mockRestore();
  });

  test("cross-origin settings of a deployment hold beside those of its network", async () => {
    const cors = { "access-control-allow-origin": "https://dapp.example", "access-control-allow-credentials": false };
    const deployed = testNode({ database, network, variables: { REST_API: { "cors-headers": cors } } });
    const { headers } = await deployed.fetch("/blocks/height", { headers: { Origin: "https://other.example" } });
    expect(headers.get("Access-Control-Allow-Origin")).toBe("https://dapp.example");
    expect(headers.get("Access-Control-Allow-Credentials")).toBe("false");
    expect(headers.get("Access-Control-Expose-Headers")).toBe("ETag, X-D1-Bookmark");
  });
});

function failingDatabase(): D1Database {
  const methods = {
    prepare: () => ({ bind: () => ({}) }),
    batch: () => Promise.reject(new Error("D1_ERROR")),
    getBookmark: () => null,
  };
  return { ...methods, withSession: () => methods } as unknown as D1Database;
}

/** The database with the row of `chain` only. */
function onlyChain(whole: D1Database): D1Database {
  const session = whole.withSession();
  const methods = {
    prepare: (sql: string) => session.prepare(sql),
    batch: async (statements: D1PreparedStatement[]) => {
      if (statements.length > 1) throw new Error("asked for more than the chain");
      return session.batch(statements);
    },
    getBookmark: () => null,
  };
  return { ...methods, withSession: () => methods } as unknown as D1Database;
}

describe("sources that are too long to be compiled", () => {
  test.each([
    ["/utils/script/compileCode", `1${"+1".repeat(500_000)}==1`, "text/plain"],
    [
      "/utils/script/compileWithImports",
      JSON.stringify({ script: "true", imports: { a: "1+".repeat(100_000) } }),
      "application/json",
    ],
  ])("POST %s answers as the reference after its time is up", async (path, body, type) => {
    const response = await node.fetch(path, { method: "POST", body, headers: { "Content-Type": type } });
    expect(await textOf(response)).toEqual({
      status: 400,
      text: '{"error":199,"message":"The request took too long to complete"}',
    });
  });
});
