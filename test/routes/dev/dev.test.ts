/** Controls of a dev chain over HTTP, and their absence on other chains. */
import { describe, expect, test } from "vitest";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { privateNetworkSecrets } from "../../../src/network/networks/private.ts";
import type { JsonObject } from "../../../src/protocol/json.ts";
import { jsonText } from "../../../src/protocol/json.ts";
import { transactionJson } from "../../../src/protocol/transactions/transaction-json.ts";
import { devRoutes } from "../../../src/routes/dev/dev.ts";
import { signedTransfer } from "../../support/builders/signed-transfer.ts";
import { SimulatedDevChain } from "../../support/builders/simulated-dev-chain.ts";
import { type TestNode, testNode } from "../../support/builders/test-node.ts";

const { apiKey, apiKeyHash } = privateNetworkSecrets;
const key = { "X-API-Key": apiKey };
const centuryMs = 100 * 365 * 86_400_000;
const manual = { automine: false, intervalMs: null };

function devNode(chain: SimulatedDevChain, devChain = "on"): TestNode {
  const { poolCalls, walletCalls } = chain.node;
  return testNode({
    database: chain.d1,
    network: "private",
    wallet: walletCalls,
    chainState: {
      broadcastAll: (offers) => chain.node.poolCalls.broadcastAll(offers),
      findUnconfirmed: (id) => poolCalls.findUnconfirmed(id),
      areUnconfirmed: (ids) => poolCalls.areUnconfirmed(ids),
    },
    dev: chain.dev,
    variables: { DEV_CHAIN: devChain, API_KEY_HASH: apiKeyHash, WAITS_FOR_RUNNER: "a test" },
  });
}

async function post(node: TestNode, path: string, body: JsonObject, headers: Record<string, string> = key) {
  const response = await node.fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: JSON.parse(await response.text()) as Record<string, unknown> };
}

async function get(node: TestNode, path: string): Promise<Record<string, unknown>> {
  return JSON.parse(await (await node.fetch(path, { headers: key })).text()) as Record<string, unknown>;
}

describe("no other chain", () => {
  test.each(devRoutes.map(({ info: { method, path } }) => [method, path]))("has %s %s", async (method, path) => {
    const chain = new SimulatedDevChain();
    await chain.node.drain();
    const answers = async (asked: string, node: TestNode) => {
      const init = { method, headers: { ...key, "Content-Type": "application/json" } };
      const response = await node.fetch(asked, method === "POST" ? { ...init, body: "{}" } : init);
      return { status: response.status, headers: [...response.headers], text: await response.text() };
    };
    const other = devNode(chain, "off");
    const unknown = await answers("/dev/unknown", other);
    expect(unknown.status).toBe(404);
    expect(await answers(path, other)).toEqual(unknown);
    expect((await answers(path, devNode(chain))).status).not.toBe(404);
  });
});

describe("a dev chain", () => {
  test("is controlled with the key", async () => {
    const chain = new SimulatedDevChain();
    const node = devNode(chain);
    for (const { info } of devRoutes)
      expect((await node.fetch(info.path, { method: info.method })).status, info.path).toBe(403);
  });

  test("says how it is set up, and takes another pace", async () => {
    const node = devNode(new SimulatedDevChain());
    expect(await get(node, "/dev/status")).toMatchObject({ height: 1, automine: true, interval: null, fork: null });
    expect(await post(node, "/dev/interval", { milliseconds: 500 })).toMatchObject({
      status: 200,
      body: { interval: 500 },
    });
    expect(await post(node, "/dev/automine", { enabled: false })).toMatchObject({
      status: 200,
      body: { automine: false, interval: 500 },
    });
    expect(await post(node, "/dev/interval", { milliseconds: null })).toMatchObject({ body: { interval: null } });
  });

  test("shows a transfer confirmed as soon as it is accepted", async () => {
    const chain = new SimulatedDevChain();
    const node = devNode(chain);
    const transfer = signedTransfer({ timestamp: BigInt(chain.wallMs) });
    const json = JSON.parse(jsonText(transactionJson(transfer))) as JsonObject;
    expect((await post(node, "/transactions/broadcast", json)).status).toBe(200);
    const shown = await get(node, `/transactions/info/${encodeBase58(transfer.id)}`);
    expect(shown).toMatchObject({ height: 2, applicationStatus: "succeeded" });
  });

  test("gets blocks when they are asked for, one by default", async () => {
    const node = devNode(new SimulatedDevChain({ defaultMiningMode: manual }));
    expect(await post(node, "/dev/mine", {})).toMatchObject({ status: 200, body: { height: 2 } });
    expect(await post(node, "/dev/mine", { blocks: 3, interval: 1_000 })).toMatchObject({ body: { height: 5 } });
    expect(await get(node, "/blocks/height")).toEqual({ height: 5 });
    const timeAt = async (height: number) => Number((await get(node, `/blocks/headers/at/${height}`))["timestamp"]);
    expect((await timeAt(5)) - (await timeAt(3))).toBe(2_000);
  });

  test("dates what the node makes by its own clock, so that it takes that itself", async () => {
    const chain = new SimulatedDevChain();
    const node = devNode(chain);
    const time = chain.wallMs + 2 * centuryMs;
    await post(node, "/dev/setTime", { time });
    const [sender = ""] = (await get(node, "/addresses")) as unknown as string[];
    const unsigned = { type: 4, version: 3, sender, recipient: sender, amount: 1, fee: 100_000 };
    const { body: signed } = await post(node, "/transactions/sign", unsigned);
    expect(signed["timestamp"]).toBe(time);
    expect((await post(node, "/transactions/broadcast", signed as JsonObject)).status).toBe(200);
    const nonce = await post(node, "/eth", { id: 1, method: "eth_getTransactionCount", params: [] });
    expect(Number(nonce.body["result"])).toBe(time);
  });

  test("has a clock of its own, that clients can ask for", async () => {
    const chain = new SimulatedDevChain();
    const node = devNode(chain);
    const time = chain.wallMs + 30 * 86_400_000;
    expect(await post(node, "/dev/setTime", { time })).toEqual({ status: 200, body: { time } });
    expect(await post(node, "/dev/increaseTime", { milliseconds: 5_000 })).toEqual({
      status: 200,
      body: { time: time + 5_000 },
    });
    expect(await get(node, "/utils/time")).toEqual({ system: time + 5_000, NTP: time + 5_000 });
    await post(node, "/dev/mine", {});
    expect(await get(node, `/blocks/heightByTimestamp/${time + 5_000}`)).toEqual({ height: 2 });
    expect(await post(node, "/dev/setTime", { time })).toEqual({
      status: 400,
      body: { error: 199, message: `the last block's timestamp is ${time + 5_000}, which is later than ${time}` },
    });
  });

  test.each<[string, JsonObject]>([
    ["/dev/mine", { blocks: 0 }],
    ["/dev/mine", { blocks: 10_001 }],
    ["/dev/mine", { blocks: 1, interval: -1 }],
    ["/dev/automine", {}],
    ["/dev/automine", { enabled: "yes" }],
    ["/dev/interval", {}],
    ["/dev/interval", { milliseconds: 0 }],
    ["/dev/interval", { milliseconds: 365 * 86_400_000 + 1 }],
    ["/dev/setTime", { time: "now" }],
    ["/dev/setTime", { time: 253_402_300_800_000 }],
    ["/dev/increaseTime", { milliseconds: -1 }],
  ])("refuses %s with %j, and does nothing", async (path, body) => {
    const chain = new SimulatedDevChain();
    const before = await chain.dev.status();
    const { status, body: said } = await post(devNode(chain), path, body);
    expect({ status, error: said["error"] }).toEqual({ status: 400, error: 1 });
    expect(await chain.dev.status()).toEqual(before);
  });
});
