/**
 * Point queries of many requests in one batch, in the runtime as `npm start` and the edge run it: a client that
 * disconnects does not cost another one its response. Tests inside workerd cannot show it, since their runtime lets
 * requests do each other's work.
 */
import { once } from "node:events";
import net from "node:net";
import path from "node:path";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readCompatibility } from "../../../local/runtime/compatibility.ts";
import { projectRoot } from "../../../verification/local-node.ts";

const source = (file: string) => JSON.stringify(path.join(projectRoot, "src", file));

/** Worker whose requests query numbers, and an object instead of the database that responds on demand. */
const worker = `
import { DurableObject } from "cloudflare:workers";
import { privateNetwork } from ${source("network/networks/private.ts")};
import { withTimeLimit } from ${source("http/time-limit.ts")};
import { LatestState } from ${source("read-model/latest-state.ts")};
import { QueryBatcher } from ${source("read-model/query-batcher.ts")};
import { genesisText, identityOf } from ${source("tables/chain.ts")};

const settings = privateNetwork.blockchain;
const row = {
  is_found: 1,
  "chain.version": "tip",
  "chain.epoch": 0,
  "chain.height": 5,
  "chain.finalized_height": 1,
  "chain.identity": identityOf(genesisText(settings), "drawn"),
  "chain.sequence": 1,
  "chain.is_whole": 1,
  "chain.progress": null,
};

export class Base extends DurableObject {
  batches = [];
  held = [];
  async batch(statements) {
    this.batches.push(statements.flat());
    await new Promise((resolve) => this.held.push(resolve));
    return statements.map(([number]) => ({ results: [{ ...row, number }], meta: {} }));
  }
  /** Ends the batch that has waited longest. */
  release() {
    this.held.shift()?.();
  }
  seen() {
    return this.batches;
  }
}

let points;
/** Queries of this test, with or without a result yet. */
let arrived;
function begin() {
  arrived = 0;
  const latest = new LatestState(Date.now);
  // The clock is stopped, so that no batch counts as lost however slow the machine is.
  points = new QueryBatcher({ hasCopies: false, maxInFlight: 1, settings, latest, nowMs: () => 0 });
}
begin();

export default {
  async fetch(request, env, execution) {
    const [, what, text] = new URL(request.url).pathname.split("/");
    const base = env.BASE.getByName("base");
    const waitUntil = (work) => execution.waitUntil(work);
    if (what === "new") begin();
    if (what === "release") await base.release();
    if (what === "arrived") return Response.json(arrived);
    if (what === "seen") return Response.json(await base.seen());
    if (what !== "ask") return new Response();
    const prepare = () => ({ bind: (...bindings) => bindings });
    const database = { prepare, batch: (statements) => base.batch(statements) };
    const question = { sql: "", bindings: [Number(text)], decode: ([found]) => found.number, isPoint: true };
    const asked = points.query(question, { database, waitUntil });
    arrived++;
    const answer = await withTimeLimit(asked, 300_000);
    return Response.json(answer === undefined ? "alone" : answer.value);
  },
};
`;

let miniflare: Miniflare;
let url: URL;
beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: worker, resolveDir: projectRoot },
    bundle: true,
    write: false,
    format: "esm",
    target: "es2024",
    external: ["cloudflare:*", "node:*"],
  });
  const { date, flags } = readCompatibility(path.join(projectRoot, "wrangler.toml"));
  const name = "points";
  miniflare = new Miniflare({
    host: "127.0.0.1",
    port: 0,
    cf: false,
    telemetry: { enabled: false },
    enableDevRegistry: false,
    workers: [
      {
        config: {
          name,
          compatibilityDate: date,
          compatibilityFlags: [...flags],
          manifest: {
            mainModule: "index.js",
            modules: { "index.js": { type: "esm", contents: outputFiles[0]?.text ?? "" } },
          },
          exports: { Base: { type: "durable-object", storage: "sqlite" } },
          env: { BASE: { type: "durable-object", worker: name, exportName: "Base" } },
        },
        dev: { unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] },
      },
    ],
  });
  await miniflare.ready;
  url = await miniflare.unsafeGetDirectURL(name);
});
afterAll(() => miniflare.dispose());

/** Batches of earlier tests. */
let earlier = 0;
beforeEach(async () => {
  await get("/new");
  earlier = (await allBatches()).length;
});

const get = (place: string): Promise<Response> => fetch(new URL(place, url));
const query = async (number: number): Promise<unknown> => (await get(`/ask/${number}`)).json();
const allBatches = async () => (await (await get("/seen")).json()) as readonly (readonly number[])[];
/** Resolves when the database has received exactly these batches. */
const expectBatches = (...batches: readonly (readonly number[])[]) =>
  expect.poll(async () => (await allBatches()).slice(earlier)).toEqual(batches);

/** Client that queries, and can disconnect. */
async function clientOf(place: string): Promise<net.Socket> {
  const socket = net.connect(Number(url.port), url.hostname);
  await once(socket, "connect");
  socket.on("error", () => {});
  socket.write(`GET ${place} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
  return socket;
}

/** Resolves when the Worker has received `count` queries. */
const arrived = (count: number) => expect.poll(async () => (await get("/arrived")).json()).toBe(count);
/** Time within which the runtime mostly notices that a client has disconnected; the tests hold before that, too. */
const noticed = () => new Promise((resolve) => setTimeout(resolve, 200));

test("each request gets the result of its own query, from any request's batch", async () => {
  const first = query(1);
  await expectBatches([1]);
  const others = [2, 3, 4].map(query);
  await arrived(4);
  await get("/release");
  expect(await first).toBe(1);
  await expect.poll(async () => (await allBatches()).at(earlier + 1)?.length).toBe(3);
  await get("/release");
  expect(await Promise.all(others)).toEqual([2, 3, 4]);
});

test("a batch goes on when the client of its request disconnects, and so do those waiting after it", async () => {
  const client = await clientOf("/ask/1");
  await expectBatches([1]);
  const second = query(2);
  await arrived(2);
  client.destroy();
  await noticed();
  await get("/release");
  await expectBatches([1], [2]);
  await get("/release");
  expect(await second).toBe(2);
});

test("a waiting client that disconnects costs no other one its response", async () => {
  const first = query(1);
  await expectBatches([1]);
  const client = await clientOf("/ask/2");
  await arrived(2);
  const last = query(3);
  await arrived(3);
  client.destroy();
  await noticed();
  await get("/release");
  expect(await first).toBe(1);
  await expectBatches([1], [2, 3]);
  await get("/release");
  expect(await last).toBe(3);
});
