/**
 * Submissions of many requests in one call, in the runtime as `npm start` and the edge run it: a client that
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

/** Worker whose requests submit numbers, and an object that responds on demand. */
const worker = `
import { DurableObject } from "cloudflare:workers";
import { BroadcastBatcher } from ${JSON.stringify(path.join(projectRoot, "src/services/broadcast-batcher.ts"))};

export class Chain extends DurableObject {
  calls = [];
  held = [];
  async broadcastAll(offers) {
    this.calls.push(offers.map(({ signedTransaction: [number] }) => number));
    await new Promise((resolve) => this.held.push(resolve));
    return offers.map(() => ({ accepted: true, isNew: true }));
  }
  /** Ends the call that has waited longest. */
  release() {
    this.held.shift()?.();
  }
  seen() {
    return this.calls;
  }
}

// No timeout expires, however slow the machine is.
const usual = globalThis.setTimeout;
globalThis.setTimeout = (run, ms) => usual(run, 100 * ms);

let batcher = new BroadcastBatcher();
/** Submissions of this test, with or without a response yet. */
let arrived = 0;
let nowMs = 0;
export default {
  async fetch(request, env, execution) {
    const { pathname } = new URL(request.url);
    const chain = env.CHAIN.getByName("chain");
    if (pathname === "/new") {
      batcher = new BroadcastBatcher();
      arrived = 0;
    }
    if (pathname === "/arrived") return Response.json(arrived);
    if (pathname === "/second") nowMs += 1_000;
    if (pathname === "/release") await chain.release();
    if (pathname === "/seen") return Response.json(await chain.seen());
    if (!pathname.startsWith("/offer/")) return new Response();
    const number = Number(pathname.slice("/offer/".length));
    const pool = { broadcastAll: (sent) => chain.broadcastAll(sent) };
    const waitUntil = (work) => execution.waitUntil(work);
    const offer = { signedTransaction: Uint8Array.of(number) };
    const answer = batcher.submit(offer, { pool, waitUntil, nowMs: () => nowMs });
    arrived++;
    const { isNew } = await answer;
    return Response.json({ number, isNew });
  },
};
`;

let bundled: BundledWorker | undefined;
let url: URL;
beforeAll(async () => {
  bundled = await startBundledWorker(worker, "Chain");
  url = bundled.url;
});
afterAll(() => bundled?.dispose());

/** Calls of earlier tests. */
let earlier = 0;
beforeEach(async () => {
  await request("/new");
  earlier = (await allCalls()).length;
});

const request = (place: string): Promise<Response> => fetch(new URL(place, url));
const submit = async (number: number): Promise<unknown> => (await request(`/offer/${number}`)).json();
const allCalls = async () => (await (await request("/seen")).json()) as readonly (readonly number[])[];
/** Resolves when ChainState has received exactly these calls. */
const called = (...calls: readonly (readonly number[])[]) =>
  expect.poll(async () => (await allCalls()).slice(earlier)).toEqual(calls);
/** Resolves when the Worker has received `count` submissions. */
const arrived = (count: number) => expect.poll(async () => (await request("/arrived")).json()).toBe(count);
const resultOf = (number: number) => ({ number, isNew: true });

/** Client that submits, and can disconnect. */
const clientOf = (number: number) => disconnectableClient(url, `/offer/${number}`);

test("each request gets the response to its own submission, from any request's call", async () => {
  const first = submit(0);
  await called([0]);
  const others = [1, 2, 3].map(submit);
  await arrived(4);
  await request("/release");
  expect(await first).toEqual(resultOf(0));
  await expect.poll(async () => (await allCalls()).at(earlier + 1)?.length).toBe(3);
  await request("/release");
  expect(await Promise.all(others)).toEqual([1, 2, 3].map(resultOf));
});

test("a call goes on when the client of its request disconnects, and so do those waiting after it", async () => {
  const client = await clientOf(0);
  await called([0]);
  const first = submit(1);
  await arrived(2);
  client.destroy();
  await disconnectNoticed();
  await request("/release");
  await called([0], [1]);
  const second = submit(2);
  await arrived(3);
  await request("/release");
  expect(await first).toEqual(resultOf(1));
  await called([0], [1], [2]);
  await request("/release");
  expect(await second).toEqual(resultOf(2));
});

test.each([
  ["a waiting client that disconnects costs no other one its response", "/"],
  [
    "when a request has made calls for a second, the next call is made by a request whose client is still connected",
    "/second",
  ],
])("%s", async (_, meanwhile) => {
  const first = submit(0);
  await called([0]);
  const client = await clientOf(1);
  await arrived(2);
  const last = submit(2);
  await arrived(3);
  client.destroy();
  await disconnectNoticed();
  await request(meanwhile);
  await request("/release");
  expect(await first).toEqual(resultOf(0));
  await called([0], [1, 2]);
  await request("/release");
  expect(await last).toEqual(resultOf(2));
});
