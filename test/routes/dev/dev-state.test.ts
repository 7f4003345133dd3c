/** Revert, dump and load of a dev chain, as clients see them. */
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { addressOfPublicKey, addressText } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { clientAddressHeader } from "../../../src/http/client-host.ts";
import { maxFileSizeBytes } from "../../../src/http/file-body.ts";
import { maxBodySizeBytes } from "../../../src/http/route-request.ts";
import { encodeProtobuf } from "../../../src/protocol/transactions/encode-for-block.ts";
import { type DevWorkers, devWorkers, ownerHeaders } from "../../support/builders/dev-workers.ts";
import { poorKey, signedTransfer } from "../../support/builders/signed-transfer.ts";
import { type TestNode, testNode } from "../../support/builders/test-node.ts";
import { fixtureText } from "../../support/fixtures/recorded-lines.ts";
import { recordedReadModel } from "../../support/fixtures/rest/recorded-chain.ts";

const poor = addressText(addressOfPublicKey(poorKey.publicKey, "R".charCodeAt(0)));
const nowhere = { error: 199, message: 'there is no snapshot "nowhere"' };

let dev: DevWorkers;
beforeEach(async () => {
  dev = await devWorkers();
});

let sent = 0;
async function pay(amount: bigint, node = dev): Promise<string> {
  const transfer = signedTransfer({ timestamp: BigInt(Date.now() + sent++), amount });
  const offers = [{ signedTransaction: encodeProtobuf(transfer) }];
  expect(await node.node.poolCalls.broadcastAll(offers)).toEqual([{ accepted: true, isNew: true }]);
  return encodeBase58(transfer.id);
}

async function jsonOf(node: TestNode, path: string): Promise<unknown> {
  return (await node.fetch(path)).json();
}

/** Balance as seen by a client without earlier reads. */
const balance = async (node = dev) =>
  ((await jsonOf(node.worker(), `/addresses/balance/${poor}`)) as { balance: number }).balance;
const height = async () => ((await jsonOf(dev.worker(), "/blocks/height")) as { height: number }).height;

async function dumpOf(node: DevWorkers): Promise<Uint8Array> {
  const response = await node.first.fetch("/dev/dump", { headers: ownerHeaders });
  expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "application/octet-stream"]);
  return new Uint8Array(await response.arrayBuffer());
}

async function loadInto(node: DevWorkers, body: BodyInit, headers: Record<string, string> = {}) {
  const init = { method: "POST", headers: { ...ownerHeaders, ...headers }, body, duplex: "half" } as RequestInit;
  const response = await node.first.fetch("/dev/load", init);
  return { status: response.status, json: await response.json() };
}

describe("snapshots", () => {
  test("are taken, listed, and gone back to", async () => {
    expect(await dev.request("/dev/snapshot", {})).toEqual({ status: 200, json: { name: "1", height: 2 } });
    const id = await pay(5n);
    expect(await dev.request("/dev/snapshot", { name: "paid" })).toEqual({
      status: 200,
      json: { name: "paid", height: 3 },
    });
    await pay(7n);
    expect([await balance(), await height()]).toEqual([12, 4]);
    expect((await dev.request("/dev/status")).json).toMatchObject({
      snapshots: [
        { name: "1", height: 2 },
        { name: "paid", height: 3 },
      ],
    });
    expect(await dev.request("/dev/revert", { name: "paid" })).toMatchObject({ status: 200, json: { height: 3 } });
    expect([await balance(), await height()]).toEqual([5, 3]);
    expect(await jsonOf(dev.first, `/transactions/info/${id}`)).toMatchObject({ height: 3 });
    expect(await dev.request("/dev/revert", { name: "1" })).toMatchObject({ status: 200, json: { height: 2 } });
    expect(await balance()).toBe(0);
    expect(await jsonOf(dev.first, `/transactions/info/${id}`)).toMatchObject({ error: 311 });
    expect(await dev.request("/dev/revert", { name: "paid" })).toMatchObject({ status: 400 });
  });

  test("need no body, and a revert needs a name that there is", async () => {
    const response = await dev.first.fetch("/dev/snapshot", { method: "POST", headers: ownerHeaders });
    expect(await response.json()).toEqual({ name: "1", height: 2 });
    expect(await dev.request("/dev/revert", { name: "nowhere" })).toEqual({ status: 400, json: nowhere });
    expect(await dev.request("/dev/revert", {})).toMatchObject({ status: 400, json: { error: 1 } });
    expect(await dev.request("/dev/snapshot", { name: 5 })).toMatchObject({ status: 400, json: { error: 1 } });
    expect((await dev.request("/dev/snapshot", { name: "start" })).status).toBe(400);
  });

  test("have names that are text: half of a character is none", async () => {
    for (const path of ["/dev/snapshot", "/dev/revert"])
      expect(await dev.request(path, { name: "\ud800" })).toMatchObject({ status: 400, json: { error: 1 } });
    expect((await dev.request("/dev/status")).json).toMatchObject({ snapshots: [] });
    expect(await dev.request("/dev/snapshot", { name: "\u{1f30a}" })).toMatchObject({ status: 200 });
    expect(await dev.request("/dev/revert", { name: "\u{1f30a}" })).toMatchObject({ status: 200 });
  });

  test("a reset is one to the start, with its clock and its pace", async () => {
    const before = (await dev.request("/dev/status")).json as { time: number };
    await pay(5n);
    await dev.request("/dev/automine", { enabled: false });
    await dev.request("/dev/increaseTime", { milliseconds: 1_000_000_000 });
    await dev.request("/dev/mine", { blocks: 3 });
    expect(await dev.request("/dev/reset", {})).toMatchObject({ status: 200, json: { height: 2 } });
    const after = (await dev.request("/dev/status")).json as { time: number };
    expect(after).toMatchObject({ automine: true, snapshots: [] });
    expect(after.time - before.time).toBeLessThan(500_000_000);
    expect(await balance()).toBe(0);
    await pay(6n);
    expect([await balance(), await height()]).toEqual([6, 3]);
  });
});

describe("who reads during a revert", () => {
  test("sees the one state or the other", async () => {
    const seen = new Set<string>();
    let look: (() => Promise<void>) | undefined;
    dev = await devWorkers(async () => look?.());
    const other = dev.worker();
    const state = async () => {
      const response = await other.fetch(`/addresses/balance/details/${poor}`);
      const tip = response.headers.get("ETag");
      return response.status === 200 ? `${tip} ${await response.text()}` : String(response.status);
    };
    await pay(1n);
    await dev.request("/dev/snapshot", { name: "a" });
    for (let count = 0; count < 20; count++) await pay(1n);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
    const late = await state();
    look = async () => {
      // The known newest state has expired.
      vi.setSystemTime(Date.now() + 5_000);
      seen.add(await state());
    };
    await dev.request("/dev/revert", { name: "a" });
    look = undefined;
    vi.setSystemTime(Date.now() + 5_000);
    const early = await state();
    vi.useRealTimers();
    expect(early).not.toBe(late);
    expect([...seen]).toEqual([late, early]);
  });

  test("finds no final block of what was dropped, wherever final blocks are kept", async () => {
    await dev.request("/dev/snapshot", { name: "a" });
    await pay(5n);
    await dev.request("/dev/mine", { blocks: 120 });
    const path = "/blocks/at/10";
    await dev.first.fetch(path, { headers: { [clientAddressHeader]: "1.1.1.1" } });
    const dropped = await dev.first.fetch(path);
    expect(dropped.headers.get("Cache-Control")).toContain("immutable");
    const id = ((await dropped.json()) as { id: string }).id;
    expect([...dev.first.stored.keys()].filter((key) => key.includes("block"))).not.toEqual([]);
    expect(await jsonOf(dev.worker(), path)).toMatchObject({ id });

    await dev.request("/dev/revert", { name: "a" });
    expect(await jsonOf(dev.first, path)).toMatchObject({ error: 301 });
    expect(await jsonOf(dev.worker(), `/blocks/${id}`)).toMatchObject({ error: 301 });
    await dev.request("/dev/mine", { blocks: 130 });
    const [own, others] = [await jsonOf(dev.first, path), await jsonOf(dev.worker(), path)];
    expect(own).toEqual(others);
    expect(own).not.toMatchObject({ id });
    const replaced = await dev.worker().fetch(path);
    expect(replaced.headers.get("Cache-Control")).toContain("immutable");
    expect(await replaced.json()).toEqual(own);
  });
});

describe("a dump", () => {
  test("makes another node the same", async () => {
    const id = await pay(5n);
    await dev.request("/dev/increaseTime", { milliseconds: 1_000_000_000 });
    await dev.request("/dev/mine", { blocks: 3 });
    const file = await dumpOf(dev);
    const other = await devWorkers();
    await pay(9n, other);
    expect(await loadInto(other, file)).toEqual({ status: 200, json: { height: await height() } });
    expect(await balance(other)).toBe(5);
    expect(await jsonOf(other.first, `/transactions/info/${id}`)).toMatchObject({ height: 3 });
    expect(await jsonOf(other.first, "/blocks/last")).toEqual(await jsonOf(dev.first, "/blocks/last"));
    const timeOf = async (node: DevWorkers) => ((await node.request("/dev/status")).json as { time: number }).time;
    expect(Math.abs((await timeOf(other)) - (await timeOf(dev)))).toBeLessThan(100_000_000);
    await pay(2n, other);
    expect(await balance(other)).toBe(7);
  });

  test("is refused where it is none, breaks off, or is too large", async () => {
    const file = await dumpOf(dev);
    const none = { status: 400, json: { error: 199, message: "the file is no dump of a dev chain" } };
    expect(await loadInto(dev, "nothing of the kind")).toEqual(none);
    expect(await loadInto(dev, file.slice(0, file.length / 2))).toEqual(none);
    expect(await loadInto(dev, file, { "Content-Length": String(maxFileSizeBytes + 1) })).toEqual({
      status: 400,
      json: { error: 199, message: "a file may have 64 MB" },
    });
    const without = await dev.first.fetch("/dev/load", { method: "POST", headers: ownerHeaders });
    expect(without.status).toBe(404);
    expect(await height()).toBe(2);
  });

  test.each([
    ["devClock", "garbage"],
    ["devClock", "null"],
    ["devClock", '{"offsetMs":1e300}'],
    ["devClock", '{"offsetMs":0,"nextBlockMs":-1}'],
    ["devPace", "garbage"],
    ["devPace", '{"automine":true,"intervalMs":0,"nextBlockWallMs":0}'],
    ["devPace", '{"automine":true,"intervalMs":null,"nextBlockWallMs":1e300}'],
    ["devImpersonated", "1"],
    ["devImpersonated", `${poor} ${poor.slice(1)}`],
  ])("whose record %s is %s is refused before anything is exchanged, and says why", async (name, text) => {
    const other = await devWorkers();
    await pay(5n, other);
    other.node.store.putMeta(name, text);
    const file = await dumpOf(other);
    await pay(3n);
    const status = async () => ((await dev.request("/dev/status")).json as { time: number; height: number }).height;
    const before = await status();
    const message = `the dump holds no state: its record ${name} cannot be read`;
    expect(await loadInto(dev, file)).toEqual({ status: 400, json: { error: 199, message } });
    dev.restart();
    expect([await status(), await balance()]).toEqual([before, 3]);
    await pay(1n);
    expect(await balance()).toBe(4);
  });

  test("of a file without end no more is read than the limit", async () => {
    let sentBytes = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sentBytes += 2 ** 20;
        controller.enqueue(new Uint8Array(2 ** 20));
      },
    });
    expect((await loadInto(dev, endless)).status).toBe(400);
    expect(sentBytes).toBeLessThan(maxFileSizeBytes + 4 * 2 ** 20);
  });

  test("a small file that unfolds to a large one is refused before it has", async () => {
    const folded = new Blob([new Uint8Array(2 ** 24)]).stream().pipeThrough(new CompressionStream("gzip"));
    const file = new Uint8Array(await new Response(folded).arrayBuffer());
    expect(file.length).toBeLessThan(2 ** 15);
    expect((await loadInto(dev, file)).status).toBe(400);
  });

  test.each(["/dev/dump", "/dev/load", "/dev/snapshot", "/dev/revert", "/dev/reset"])(
    "%s needs the key",
    async (path) => {
      const response = await dev.first.fetch(path, { method: path === "/dev/dump" ? "GET" : "POST" });
      expect([response.status, ((await response.json()) as { error: number }).error]).toEqual([403, 2]);
    },
  );
});

describe("on another chain", () => {
  let node: TestNode;
  beforeAll(async () => {
    node = testNode({ database: await recordedReadModel(), network: fixtureText("private-a/network.json") });
  });

  test("there is none of it", async () => {
    const unknown = await (await node.fetch("/nothing/there", { method: "POST", headers: ownerHeaders })).text();
    for (const path of ["/dev/snapshot", "/dev/revert", "/dev/reset", "/dev/load"]) {
      const response = await node.fetch(path, { method: "POST", headers: ownerHeaders, body: "{}" });
      expect([response.status, await response.text()]).toEqual([404, unknown]);
    }
    expect((await node.fetch("/dev/dump", { headers: ownerHeaders })).status).toBe(404);
  });

  test.each(["/dev/load", "/dev/nothing"])("of a body for %s no more is taken than of any", async (path) => {
    let sentBytes = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sentBytes += 2 ** 16;
        controller.enqueue(new Uint8Array(2 ** 16));
      },
    });
    const init = { method: "POST", headers: ownerHeaders, body: endless, duplex: "half" } as RequestInit;
    expect((await node.fetch(path, init)).status).toBe(404);
    expect(sentBytes).toBeLessThan(2 * maxBodySizeBytes);
  });
});
