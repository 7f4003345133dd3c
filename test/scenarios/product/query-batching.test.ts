/**
 * Point queries of many requests in one batch, in the runtime as `npm start` and the edge run it: a client that
 * disconnects does not cost another one its response. Tests inside workerd cannot show it, since their runtime lets
 * requests do each other's work.
 */
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { projectRoot } from "../../../verification/local-node.ts";
import {
  type BundledWorker,
  disconnectableClient,
  disconnectNoticed,
  startBundledWorker,
} from "../../support/builders/bundled-worker.ts";

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

let bundled: BundledWorker | undefined;
let url: URL;
beforeAll(async () => {
  bundled = await startBundledWorker(worker, "Base");
  url = bundled.url;
});
afterAll(() => bundled?.dispose());

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
const clientOf = (place: string) => disconnectableClient(url, place);

/** Resolves when the Worker has received `count` queries. */
const arrived = (count: number) => expect.poll(async () => (await get("/arrived")).json()).toBe(count);
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
  await disconnectNoticed();
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
  await disconnectNoticed();
  await get("/release");
  expect(await first).toBe(1);
  await expectBatches([1], [2, 3]);
  await get("/release");
  expect(await last).toBe(3);
});
