/** Checkpoints inside workerd: effects of the runtime's compression, storage, alarm and evictions. */
import { evictDurableObject, reset, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, test } from "vitest";
import {
  type CheckpointHead,
  encodeManifest,
  type PartEntry,
} from "../../../../durable/chain-state/checkpoint/manifest.ts";
import {
  CHAIN_STATE_NAME,
  type ChainCallTarget,
  type CheckpointCall,
  type CheckpointPosition,
  type CheckpointResult,
  type DevResult,
} from "../../../../src/env.ts";

type Stub = DurableObjectStub & ChainCallTarget;

const chainState = (): Stub => env.CHAIN_STATE.getByName(CHAIN_STATE_NAME) as unknown as Stub;

afterEach(async () => {
  await reset();
});

async function callCheckpoints(call: CheckpointCall): Promise<CheckpointResult> {
  const result = (await chainState().call("checkpoint", "call", [call])) as DevResult<CheckpointResult>;
  if (result.kind === "refused") throw new Error(result.reason);
  return result;
}

/** Runs the alarm until the condition holds; it also fires by itself. */
async function ringUntil(isDone: () => Promise<boolean>): Promise<void> {
  const ring = async () => {
    const isOver = await isDone();
    if (!isOver) await runDurableObjectAlarm(chainState());
    return isOver;
  };
  await expect.poll(ring, { interval: 20 }).toBe(true);
}

/** Lets the object make its first block. */
async function grow(): Promise<void> {
  await chainState().call("node", "wake", []);
  await ringUntil(async () => ((await callCheckpoints({ call: "standing" })).height ?? 0) >= 2);
}

/** Error message for calls of the node, while there is none. */
function statusError(): Promise<string> {
  return runInDurableObject(chainState() as unknown as DurableObjectStub, (instance) =>
    (instance as unknown as ChainCallTarget).call("node", "status", []).then(
      () => "nothing",
      (error: Error) => error.message,
    ),
  );
}

interface Written {
  readonly manifest: string;
  readonly packed: readonly string[];
  readonly height: number;
}

async function write(): Promise<Written> {
  const { head: text = "", tables = [] } = await callCheckpoints({ call: "beginExport" });
  const head = JSON.parse(text) as CheckpointHead;
  const parts: PartEntry[] = [];
  const packed: string[] = [];
  for (let position: CheckpointPosition | undefined = { table: 0 }; position !== undefined; ) {
    const { part, next }: CheckpointResult = await callCheckpoints({ call: "exportPart", place: position });
    if (part !== undefined) {
      packed.push(part.packed);
      parts.push(part);
    }
    position = next;
  }
  await callCheckpoints({ call: "endExport" });
  const named = tables.map(({ name, columns }) => ({ name, columns: [...columns] }));
  return { manifest: encodeManifest(head, named, parts), packed, height: head.height };
}

async function published(): Promise<string> {
  const blocks = await env.DB.prepare("SELECT height, hex(id) AS id FROM block ORDER BY height").all();
  const accounts = await env.DB.prepare(
    "SELECT hex(address) AS address, CAST(balance AS TEXT) AS balance FROM account ORDER BY address",
  ).all();
  return JSON.stringify([blocks.results, accounts.results]);
}

async function readHeight(): Promise<number | undefined> {
  const row = await env.DB.prepare("SELECT height FROM chain WHERE is_whole = 1").first<{ height: number }>();
  return row?.height;
}

test("an object is started from the checkpoint of another one, across an eviction, and readers see it", async () => {
  await grow();
  const { manifest, packed, height } = await write();
  // The chain has gone on, and forges blocks again.
  expect((await callCheckpoints({ call: "standing" })).height).toBeGreaterThanOrEqual(height);
  await reset();

  const started = await callCheckpoints({ call: "begin", manifest, isLast: true });
  expect(started.loading?.missing).toHaveLength(packed.length);
  for (const [number, bytes] of packed.entries()) {
    await callCheckpoints({ call: "add", number, packed: bytes, isLast: true });
    if (number === 2) {
      await evictDurableObject(chainState());
      const { loading } = await callCheckpoints({ call: "standing" });
      expect(loading?.missing).toHaveLength(packed.length - 3);
      // There is no chain yet: nothing else answers, and an alarm does nothing.
      expect(await statusError()).toContain("a checkpoint is being loaded");
      await runDurableObjectAlarm(chainState());
    }
  }
  let progress: string | undefined = "begun";
  while (progress !== undefined) ({ progress } = await callCheckpoints({ call: "goOn" }));
  const { height: reached = 0, begunFrom } = await callCheckpoints({ call: "standing" });
  expect(reached).toBeGreaterThanOrEqual(height);
  expect(begunFrom).toMatch(/^[0-9a-f]{64}$/);
  await ringUntil(async () => ((await readHeight()) ?? 0) >= height);
  const rows = JSON.parse(await published()) as [{ height: number }[], unknown[]];
  expect(rows[0].slice(0, height).map((block) => block.height)).toEqual(
    Array.from({ length: height }, (_, index) => index + 1),
  );
  expect(rows[1].length).toBeGreaterThan(0);
});

test("an object that is evicted while a checkpoint is written goes on with its chain", async () => {
  await grow();
  await callCheckpoints({ call: "beginExport" });
  expect(await statusError()).toContain("a checkpoint is being written");
  await evictDurableObject(chainState());
  expect(((await chainState().call("node", "status", [])) as { height: number }).height).toBeGreaterThanOrEqual(2);
  await expect(callCheckpoints({ call: "exportPart", place: { table: 0 } })).rejects.toThrow(
    "no checkpoint is being written",
  );
});
