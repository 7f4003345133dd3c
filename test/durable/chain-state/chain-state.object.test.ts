/** ChainState inside workerd: effects of the runtime's storage, alarm, calls and evictions. */
import {
  abortAllDurableObjects,
  createExecutionContext,
  evictDurableObject,
  reset,
  runDurableObjectAlarm,
  runInDurableObject,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ChainState } from "../../../durable/chain-state/chain-state.ts";
import { decodeBase58, encodeBase58 } from "../../../src/crypto/base58.ts";
import { encodeHex } from "../../../src/crypto/hex.ts";
import {
  CHAIN_STATE_NAME,
  type ChainCallTarget,
  type Env,
  type SubmissionResult,
  type WalletAccountInfo,
} from "../../../src/env.ts";
import { encodeProtobuf } from "../../../src/protocol/transactions/encode-for-block.ts";
import { serve } from "../../../src/worker/serve.ts";
import { signedTransfer } from "../../support/builders/signed-transfer.ts";

type Stub = DurableObjectStub & ChainCallTarget;

const chainState = (): Stub => env.CHAIN_STATE.getByName(CHAIN_STATE_NAME) as unknown as Stub;

afterEach(async () => {
  await reset();
});

function inObject<Result>(
  run: (instance: ChainState, state: DurableObjectState) => Result | Promise<Result>,
): Promise<Result> {
  return runInDurableObject(chainState() as unknown as DurableObjectStub, (instance, state) =>
    run(instance as unknown as ChainState, state),
  );
}

const wake = () => chainState().call("node", "wake", []);
const nextTransfer = () => signedTransfer({ timestamp: BigInt(Date.now()), amount: BigInt(++transfers) });
let transfers = 0;

async function broadcast(transaction = nextTransfer()): Promise<SubmissionResult> {
  const submissions = [{ signedTransaction: encodeProtobuf(transaction) }];
  const [result] = (await chainState().call("pool", "broadcastAll", [submissions])) as SubmissionResult[];
  return result as SubmissionResult;
}

async function waiting(): Promise<number> {
  return (await chainState().call("pool", "unconfirmedCount", [])) as number;
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

/** New instance on the tables of an idle object. Its alarms are recorded and do not fire. */
function startAgain(
  state: DurableObjectState,
  other: Partial<Env>,
): { readonly instance: ChainState; readonly alarmsMs: number[] } {
  const alarmsMs: number[] = [];
  Object.defineProperty(state.storage, "setAlarm", {
    value: async (timeMs: number) => void alarmsMs.push(timeMs),
    configurable: true,
  });
  return { instance: new ChainState(state, { ...env, ...other }), alarmsMs };
}

const idleObject = () => env.CHAIN_STATE.getByName("idle");

/** Content of the read model and then of the object's tables, read in this order. */
async function heightsOf(): Promise<{ readonly own: string; readonly read: string }> {
  const read = await tablesOf(async (sql) => (await env.DB.prepare(sql).all()).results);
  const own = await inObject((_, { storage }) => tablesOf((sql) => storage.sql.exec(sql).toArray()));
  return { own, read };
}

const compared = [
  "SELECT height, hex(id) AS id, transaction_count FROM block ORDER BY height",
  "SELECT hex(id) AS id, height, position FROM tx ORDER BY height, position",
  "SELECT hex(address) AS address, CAST(balance AS TEXT) AS balance FROM account ORDER BY address",
];

async function tablesOf(rows: (sql: string) => unknown): Promise<string> {
  return JSON.stringify(await Promise.all(compared.map(rows)));
}

/** All rows of all tables, blobs in hex. */
async function everything(rows: (sql: string) => unknown): Promise<string> {
  const tables = (await rows(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'",
  )) as { name: string }[];
  const contents = await Promise.all(tables.map(({ name }) => rows(`SELECT * FROM "${name}"`)));
  // The object's SQLite returns a blob as a buffer, D1 as a list of numbers.
  const isBlob = (value: unknown): value is ArrayBuffer | number[] =>
    value instanceof ArrayBuffer || (Array.isArray(value) && value.every((item) => typeof item === "number"));
  return JSON.stringify(contents, (_, value: unknown) =>
    isBlob(value) ? encodeHex(new Uint8Array(value)) : value,
  ).replaceAll('\\"', '"');
}

async function blockIds(): Promise<readonly unknown[]> {
  return inObject((_, { storage }) => storage.sql.exec("SELECT hex(id) FROM block ORDER BY height").toArray());
}

async function isIncluded({ id }: { readonly id: Uint8Array }): Promise<boolean> {
  return (await env.DB.prepare("SELECT 1 AS found FROM tx WHERE id = ?").bind(id).first()) !== null;
}

async function height(): Promise<number> {
  return inObject((instance) => instance.status().height);
}

/** The read model is never ahead of the object, and soon equal to it. */
async function expectPublished(): Promise<void> {
  const readHeight = (await env.DB.prepare("SELECT height FROM chain").first<number>("height")) ?? 0;
  expect(await height()).toBeGreaterThanOrEqual(readHeight);
  await expect
    .poll(async () => {
      const { own, read } = await heightsOf();
      return own === read;
    })
    .toBe(true);
}

describe("ChainState", () => {
  test("makes the genesis block, publishes it and sets its alarm on its first call", async () => {
    await wake();
    expect(await height()).toBeGreaterThan(0);
    await expectPublished();
    await expect.poll(() => inObject((_, { storage }) => storage.getAlarm())).toBeGreaterThan(0);
  });

  test("mines and publishes by alarm", async () => {
    await wake();
    await ringUntil(async () => (await height()) > 2);
    await expectPublished();
  });

  test("takes a transaction, reports it as new once, and includes it in a block", async () => {
    await wake();
    const transfer = nextTransfer();
    expect(await broadcast(transfer)).toMatchObject({ accepted: true, isNew: true });
    expect(await broadcast(transfer)).toMatchObject({ accepted: true, isNew: false });
    await ringUntil(async () => (await waiting()) === 0);
    await expectPublished();
    expect(await isIncluded(transfer)).toBe(true);
  });

  test("gives the reason why it refuses a transaction", async () => {
    await wake();
    await ringUntil(async () => (await height()) > 1);
    const late = signedTransfer({ timestamp: BigInt(Date.now()) - 86_400_000n });
    expect(await broadcast(late)).toMatchObject({ accepted: false, violation: { code: "timestampFromPast" } });
  });

  test("keeps the accounts of its wallet over evictions, and its seed out of its tables and the read model", async () => {
    const ask = <Answer>(method: string, ...args: unknown[]) =>
      chainState().call("wallet", method, args) as Promise<Answer>;
    const addresses = async () =>
      (await ask<WalletAccountInfo[]>("accounts")).map(({ address }) => encodeBase58(address));
    await wake();
    const [first = ""] = await addresses();
    const second = encodeBase58((await ask<Uint8Array>("create")) as Uint8Array);
    const third = encodeBase58((await ask<Uint8Array>("create")) as Uint8Array);
    expect(await ask("delete", decodeBase58(second))).toBe(true);
    expect(await addresses()).toEqual([first, third]);
    await evictDurableObject(chainState());
    expect(await addresses()).toEqual([first, third]);
    await abortAllDurableObjects();
    expect(await addresses()).toEqual([first, third]);
    await expectPublished();
    const seed = encodeBase58(await ask<Uint8Array>("seed"));
    expect(seed).toBe(env.WALLET_SEED);
    const own = await inObject((_, { storage }) => everything((sql) => storage.sql.exec(sql).toArray()));
    const read = await everything(async (sql) => (await env.DB.prepare(sql).all()).results);
    for (const secret of [decodeBase58(seed), await ask<Uint8Array>("accountSeed", decodeBase58(first))])
      for (const tables of [own, read])
        for (const text of [encodeBase58(secret), encodeHex(secret)]) expect(tables).not.toContain(text);
    for (const tables of [own, read]) expect(tables).toContain(encodeHex(decodeBase58(first)));
    expect(own).toContain('"nonces":[0,2]');
    expect(read).not.toContain("nonces");
  });

  test("has no methods but those that the Worker may call", async () => {
    for (const [part, method] of [
      ["node", "revert"],
      ["node", "constructor"],
      ["pool", "toString"],
      ["wallet", "find"],
      ["peers", "all"],
    ] as const) {
      const outcome = await chainState()
        .call(part as "node", method, [])
        .catch((error: Error) => error.message);
      expect(outcome).toBe(`ChainState has no method ${part}.${method}`);
    }
  });
});

describe("a read model that was lost", () => {
  async function lose(): Promise<void> {
    const { results } = await env.DB.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    const own = results.map(({ name }) => String(name)).filter((name) => !/^(sqlite_|_cf_)/.test(name));
    await env.DB.batch(own.map((name) => env.DB.prepare(`DROP TABLE ${name}`)));
  }

  test("is rewritten once the object is woken or has a block", async () => {
    await wake();
    await ringUntil(async () => (await height()) > 2);
    await expectPublished();
    const before = await env.DB.prepare("SELECT identity FROM chain").first("identity");
    await lose();
    await wake();
    // A publication in flight when the tables were dropped has failed: the next one comes after a pause.
    const anew = () => env.DB.prepare("SELECT is_whole FROM chain WHERE identity <> ?").bind(before).first("is_whole");
    await expect.poll(anew).toBe(1);
    await expectPublished();
  });

  test("accepts no batch from before", async () => {
    await wake();
    await expectPublished();
    const guarded = "SELECT json(iif((SELECT batch FROM chain WHERE id = 1) IS ?, 'true', 'another'))";
    const change = [env.DB.prepare(guarded).bind("earlier"), env.DB.prepare("DELETE FROM block")];
    await expect(env.DB.batch(change)).rejects.toThrow("malformed JSON");
    await expectPublished();
  });
});

describe("an eviction", () => {
  test("between two calls loses neither a block nor a waiting transaction", async () => {
    await wake();
    await ringUntil(async () => (await height()) > 1);
    const transfer = nextTransfer();
    await broadcast(transfer);
    const before = await blockIds();
    await evictDurableObject(chainState());
    await wake();
    expect((await blockIds()).slice(0, before.length - 1)).toEqual(before.slice(0, -1));
    await ringUntil(async () => (await waiting()) === 0);
    expect(await isIncluded(transfer)).toBe(true);
  });

  // An operation in flight at the eviction is done whole or not at all, and the read model catches up.
  test.each([
    ["a transaction is broadcast", () => broadcast()],
    ["the alarm rings", () => runDurableObjectAlarm(chainState())],
    ["the node is woken", () => wake()],
  ])("while %s leaves the node able to go on", async (_, work) => {
    await wake();
    for (let round = 0; round < 8; round++) {
      await broadcast();
      const before = await height();
      const underWay = Promise.resolve(work()).catch(() => "evicted");
      await new Promise((resolve) => setTimeout(resolve, round));
      await abortAllDurableObjects();
      await underWay;
      await wake();
      expect(await height()).toBeGreaterThanOrEqual(before);
      await expectPublished();
    }
    await ringUntil(async () => (await waiting()) === 0);
    await expectPublished();
  });
});

describe("a start", () => {
  test("on the tables of another network is refused with a message", async () => {
    await runInDurableObject(idleObject(), (_, state) => {
      expect(() => startAgain(state, { NETWORK: "testnet" })).toThrow("the state belongs to the chain with genesis");
    });
  });

  test("by a runner mines only once that runner allows it", async () => {
    const minesFor = async (instance: ChainState): Promise<boolean> => {
      const before = instance.status().height;
      for (let rings = 0; rings < 5; rings++) await instance.alarm();
      return instance.status().height > before;
    };
    await runInDurableObject(idleObject(), async (_, state) => {
      const { instance } = startAgain(state, { WAITS_FOR_RUNNER: "first" });
      expect(await minesFor(instance)).toBe(false);
      await instance.start({ mining: true });
      expect(await minesFor(instance)).toBe(true);
      // Evicted and restarted within the same start of the runner.
      expect(await minesFor(startAgain(state, { WAITS_FOR_RUNNER: "first" }).instance)).toBe(true);
      expect(await minesFor(startAgain(state, { WAITS_FOR_RUNNER: "second" }).instance)).toBe(false);
    });
  });

  test("after its owner has stopped it mines no more, through evictions, until the next deployment", async () => {
    const minesFor = async (instance: ChainState): Promise<boolean> => {
      const before = instance.status().height;
      for (let rings = 0; rings < 5; rings++) await instance.alarm();
      return instance.status().height > before;
    };
    const deployed = (id: string): Partial<Env> => ({ VERSION: { id } });
    await runInDurableObject(idleObject(), async (_, state) => {
      const { instance } = startAgain(state, deployed("first"));
      expect(await minesFor(instance)).toBe(true);
      expect(await instance.call("owner", "stop", [])).toBe("untilDeployment");
      expect(await minesFor(instance)).toBe(false);
      const evicted = startAgain(state, deployed("first")).instance;
      expect(await minesFor(evicted)).toBe(false);
      expect(await evicted.call("node", "status", [])).toMatchObject({ isStopped: true });
      expect(await minesFor(startAgain(state, deployed("second")).instance)).toBe(true);
    });
  });

  test("by a runner after its owner has stopped it mines again once that runner is restarted", async () => {
    await runInDurableObject(idleObject(), async (_, state) => {
      const { instance } = startAgain(state, { WAITS_FOR_RUNNER: "first" });
      await instance.start({ mining: true });
      expect(await instance.call("owner", "stop", [])).toBe("untilStart");
      expect(await instance.call("node", "status", [])).toMatchObject({ isStopped: true });
      const again = startAgain(state, { WAITS_FOR_RUNNER: "second" }).instance;
      await again.start({ mining: true });
      expect(await again.call("node", "status", [])).toMatchObject({ isStopped: false });
    });
  });

  test("on a read model that never responds goes on mining", async () => {
    const hanging = { prepare: () => ({ bind: () => ({}) }), batch: () => new Promise<never>(() => {}) };
    await runInDurableObject(idleObject(), async (_, state) => {
      const { instance } = startAgain(state, { DB: hanging as unknown as D1Database });
      for (let rings = 0; rings < 5; rings++) await instance.alarm();
      expect(instance.status().height).toBeGreaterThan(1);
    });
  });

  test("without a read model goes on mining, and publishes all of it later", async () => {
    const lost = { prepare: () => ({ bind: () => ({}) }), batch: () => Promise.reject(new Error("D1_ERROR")) };
    // No tables exist before the first publication.
    const readHeight = () =>
      env.DB.prepare("SELECT height FROM chain")
        .first<number>("height")
        .catch(() => null);
    await runInDurableObject(idleObject(), async (_, state) => {
      const { instance, alarmsMs } = startAgain(state, { DB: lost as unknown as D1Database });
      for (let rings = 0; rings < 5; rings++) await instance.alarm();
      const { height: mined } = instance.status();
      expect(mined).toBeGreaterThan(1);
      expect(alarmsMs.at(-1)).toBeGreaterThan(0);
      expect(await readHeight()).toBeNull();
      const again = startAgain(state, {}).instance;
      await again.finishImport();
      expect(await readHeight()).toBe(mined);
    });
  });
});

describe("a fresh deployment", () => {
  const get = (path: string) => serve(new Request(`http://node.test${path}`), env, createExecutionContext());

  test("responds to its first read: the object has had no call, and D1 has no tables", async () => {
    const { results } = await env.DB.prepare("SELECT name FROM sqlite_master WHERE name = 'chain'").all();
    expect(results).toEqual([]);
    expect((await get("/blocks/height")).status).toBe(200);
    expect((await get("/blocks/at/1")).status).toBe(200);
  });

  test("has published its chain once it is woken, although its alarm is overdue", async () => {
    await inObject(async (instance, { storage }) => {
      vi.spyOn(storage, "getAlarm").mockResolvedValue(Date.now() - 60_000);
      expect(await instance.wake()).toEqual({ wasOverdue: true });
    });
    vi.restoreAllMocks();
    expect(await env.DB.prepare("SELECT is_whole FROM chain").first("is_whole")).toBe(1);
  });

  test("reports its progress in /health", async () => {
    // This isolate may have woken another test's object a moment ago.
    await expect
      .poll(async () => (await get("/health")).json())
      .toMatchObject({ height: expect.any(Number), readHeight: expect.any(Number) });
  });
});

describe("an alarm that failed for the last time", () => {
  const alarmMs = () => inObject((_, { storage }) => storage.getAlarm());

  test("is set again by the next wake", async () => {
    await wake();
    // Until the chain has caught up with the clock the alarm fires at once.
    await ringUntil(async () => ((await alarmMs()) ?? 0) > Date.now() + 1_000);
    // The platform leaves it so after six failed tries: no alarm, and a new instance. An alarm that fires meanwhile
    // sets the next.
    do {
      await inObject((_, { storage }) => storage.deleteAlarm());
      await evictDurableObject(chainState());
    } while ((await alarmMs()) !== null);
    await wake();
    expect(await alarmMs()).not.toBeNull();
  });

  test("and waits for its next try does not keep a wake from doing its work", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    // Longer than the interval of micro-blocks.
    const pause = () => vi.setSystemTime(Date.now() + 2_500);
    await runInDurableObject(idleObject(), async (_, state) => {
      const { instance, alarmsMs } = startAgain(state, {});
      const waiting = () => instance.call("pool", "unconfirmedCount", []);
      do await instance.alarm();
      while ((alarmsMs.at(-1) ?? 0) <= Date.now());
      await instance.call("pool", "broadcastAll", [[{ signedTransaction: encodeProtobuf(nextTransfer()) }]]);
      pause();
      expect(await waiting()).toBe(1);
      // The runtime leaves it so between two tries: a past time, and no alarm fires.
      vi.spyOn(state.storage, "getAlarm").mockResolvedValue(Date.now() - 60_000);
      expect(await instance.wake()).toEqual({ wasOverdue: true });
      // A key block that has become due meanwhile has come first.
      pause();
      expect(await instance.wake()).toEqual({ wasOverdue: true });
      expect(await waiting()).toBe(0);
    });
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
});
