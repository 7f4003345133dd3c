/** Ids that a block had while micro-blocks extended it, in requests of clients. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { d1Sink } from "../../../durable/chain-state/publish/read-model-sink.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { hexText } from "../../../src/crypto/hex.ts";
import type { JsonObject } from "../../../src/protocol/json.ts";
import { MAX_AGE_MS } from "../../../src/read-model/latest-state.ts";
import { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { d1Double } from "../../../verification/sqlite/d1-double.ts";
import { signedTransfer } from "../../support/builders/signed-transfer.ts";
import { type TestNode, testNode } from "../../support/builders/test-node.ts";

const HEIGHT = 3;
const startMs = 1_700_000_000_000;

let node: SimulatedNode;
let worker: TestNode;
/** Ids of the block at the height, from the key block alone on. */
let ids: Uint8Array[];

async function publish(): Promise<void> {
  await node.node.drain();
  vi.advanceTimersByTime(MAX_AGE_MS + 1);
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  const { d1 } = d1Double();
  node = new SimulatedNode({ startMs, readModel: d1Sink(d1) });
  worker = testNode({ database: d1, network: "private" });
  node.mineTo(HEIGHT);
  node.nowMs = Number(node.chain.stored.tip().timestamp);
  ids = [node.chain.stored.tip().id];
  for (const amount of [1n, 2n, 3n]) {
    node.broadcast(signedTransfer({ timestamp: BigInt(node.nowMs), amount }));
    while (node.pool.size > 0) node.step();
    ids.push(node.chain.stored.tip().id);
  }
  await publish();
  return () => vi.useRealTimers();
});

async function get(path: string): Promise<{ readonly status: number; readonly json: JsonObject }> {
  const response = await worker.fetch(path);
  return { status: response.status, json: (await response.json()) as JsonObject };
}

async function byHash(id: Uint8Array): Promise<unknown> {
  const body = JSON.stringify({ id: 1, method: "eth_getBlockByHash", params: [hexText(id)] });
  const headers = { "Content-Type": "application/json" };
  const response = await worker.fetch("/eth", { method: "POST", headers, body: new TextEncoder().encode(body) });
  return ((await response.json()) as { readonly result: unknown }).result;
}

const paths = (id: Uint8Array) =>
  ["/blocks/ID", "/blocks/headers/ID", "/blocks/height/ID", "/blocks/delay/ID/2"].map((path) =>
    path.replace("ID", encodeBase58(id)),
  );
const responsesTo = (id: Uint8Array) => Promise.all([...paths(id).map(get), byHash(id)]);

describe("an id that the liquid block has had", () => {
  test("is answered as its newest one is, with the block as it is now", async () => {
    expect(new Set(ids.map(encodeBase58)).size).toBe(4);
    const newest = await responsesTo(ids.at(-1) as Uint8Array);
    expect(newest[0]).toMatchObject({
      status: 200,
      json: { height: HEIGHT, id: encodeBase58(ids.at(-1) as Uint8Array), transactionCount: 3 },
    });
    expect(newest[4]).toEqual({ baseFeePerGas: "0x0" });
    for (const id of ids) expect(await responsesTo(id)).toEqual(newest);
  });

  test("is unknown once a block follows, except the one that stays", async () => {
    const unknown = [...Array.from({ length: 4 }, () => expect.objectContaining({ status: 404 })), null];
    for (const id of ids) await responsesTo(id);
    node.mineTo(HEIGHT + 1);
    await publish();
    for (const id of ids.slice(0, -1)) expect(await responsesTo(id)).toEqual(unknown);
    expect((await responsesTo(ids.at(-1) as Uint8Array))[2]).toEqual({ status: 200, json: { height: HEIGHT } });
  });

  test("comes back with the block that had it", async () => {
    node.mineTo(HEIGHT + 1);
    await publish();
    node.chain.forks.revertTo(HEIGHT);
    await publish();
    for (const id of ids) expect((await get(`/blocks/height/${encodeBase58(id)}`)).status).toBe(200);
  });
});
