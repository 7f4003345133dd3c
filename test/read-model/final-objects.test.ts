import { describe, expect, test } from "vitest";
import { IsolateMemory } from "../../src/platform/isolate-memory.ts";
import type { Chain } from "../../src/read-model/chain.ts";
import { FinalObjects, type FinalStore, type LocalCache } from "../../src/read-model/final-objects.ts";
import { LatestState } from "../../src/read-model/latest-state.ts";

const chain: Chain = {
  version: "tip:0",
  epoch: 0,
  height: 200,
  finalizedHeight: 100,
  identity: "genesis/drawn",
  sequence: 9,
};
const object = { tag: "id", text: '{"height":7}' };

function arrange(stored = new Map<string, string>(), cached = new Map<string, Response>()) {
  const clock = { nowMs: 1_000_000 };
  const reads: string[] = [];
  const lifetimes: (number | undefined)[] = [];
  const store = {
    get: async (key: string) => {
      reads.push(key);
      return stored.get(key) ?? null;
    },
    put: async (key: string, text: string, options?: { readonly expirationTtl?: number }) => {
      stored.set(key, text);
      lifetimes.push(options?.expirationTtl);
    },
  } as unknown as FinalStore;
  const cacheReads: string[] = [];
  const cache = {
    match: async (url: string) => {
      cacheReads.push(url);
      return cached.get(url)?.clone();
    },
    put: async (url: string, response: Response) => {
      cached.set(url, response);
    },
  } as unknown as LocalCache;
  const latest = new LatestState(() => clock.nowMs);
  const finals = new FinalObjects({ store, cache, latest, memory: new IsolateMemory(1_000_000) });
  const see = (shown: Chain) => latest.beginReading()({ chain: shown, bookmark: undefined });
  const written: Promise<unknown>[] = [];
  const waitUntil = (work: Promise<unknown>) => void written.push(work);
  const keep = (name: string, at = chain, reader = "first") => finals.store(name, object, at, { reader, waitUntil });
  const find = (name: string, height: number | undefined, reader = "first") =>
    finals.find(name, height, { reader, waitUntil });
  return { clock, reads, cacheReads, finals, find, keep, see, stored, cached, written, waitUntil, lifetimes };
}

describe("FinalObjects", () => {
  test("a second host that reads it puts the object into KV for a month, where others find it", async () => {
    const first = arrange();
    first.see(chain);
    first.keep("block/height/7");
    for (let again = 0; again < 3; again++) expect(await first.find("block/height/7", 7)).toEqual({ ...object, chain });
    await Promise.all(first.written);
    expect([first.reads, first.stored.size]).toEqual([[], 0]);
    // Also where the chain was not known, so that the second host has read D1.
    first.keep("block/height/7", chain, "second");
    for (const reader of ["second", "third"])
      expect(await first.find("block/height/7", 7, reader)).toEqual({ ...object, chain });
    await Promise.all(first.written);
    expect(first.lifetimes).toEqual([2_592_000]);

    const second = arrange(first.stored);
    second.see(chain);
    expect(await second.find("block/height/7", 7)).toEqual({ ...object, chain });
    expect(await second.find("block/height/7", 7)).toEqual({ ...object, chain });
    expect(second.reads).toEqual(["genesis/drawn/0/block/height/7"]);
  });

  test("a request is told where its objects were found, and which are put into KV", async () => {
    const { finals, see, stored, cached, cacheReads, waitUntil } = arrange();
    see(chain);
    const told: unknown[] = [];
    const ofReader = (reader: string) =>
      finals.for({
        ...{ reader, waitUntil, onFind: (place: unknown) => told.push(place) },
        onStore: () => told.push("put"),
      });
    const { find } = ofReader("second");
    const keep = (name: string, text = object.text) => ofReader("first").store(name, { ...object, text }, chain);
    await find("block/height/7", 7);
    keep("block/height/7");
    await find("block/height/7", 7);
    await find("block/height/101", 101);
    keep("block/height/8", " ".repeat(4 * 2 ** 20));
    stored.set("genesis/drawn/0/block/height/9", "id\n{}");
    await find("block/height/9", 9);
    const [url = ""] = cacheReads;
    cached.set(url.replace("7", "10"), new Response("id\n{}"));
    await find("block/height/10", 10);
    expect(told).toEqual([undefined, "memory", "put", "kv", "cache"]);
  });

  test("a height that is not final is not looked for", async () => {
    const { find, keep, see, reads } = arrange();
    see(chain);
    keep("block/height/101");
    expect(await find("block/height/101", 101)).toBeUndefined();
    expect(await find("block/height/100", 100)).toBeUndefined();
    expect(reads).toEqual(["genesis/drawn/0/block/height/100"]);
  });

  test("nothing is answered from memory when the chain was not looked at for a second", async () => {
    const { clock, find, keep, see } = arrange();
    expect(await find("block/height/7", 7)).toBeUndefined();
    see(chain);
    keep("block/height/7");
    clock.nowMs += 999;
    expect(await find("block/height/7", 7)).toEqual({ ...object, chain });
    clock.nowMs += 1;
    expect(await find("block/height/7", 7)).toBeUndefined();
  });

  test("where nothing is final yet no store is asked, whatever the object's height", async () => {
    const { find, see, reads, cacheReads } = arrange();
    see({ ...chain, finalizedHeight: 1 });
    expect(await find("transaction/id/x", undefined)).toBeUndefined();
    expect([reads, cacheReads]).toEqual([[], []]);
  });

  test("a new epoch forgets what the old one had", async () => {
    const { find, keep, see } = arrange();
    see(chain);
    keep("block/height/7");
    see({ ...chain, epoch: 1 });
    expect(await find("block/height/7", 7)).toBeUndefined();
  });

  test.each(["genesis/drawn again", "another genesis/drawn"])("%s finds nothing of genesis/drawn", async (identity) => {
    const { find, keep, see, stored, written } = arrange();
    see(chain);
    keep("block/height/7");
    await Promise.all(written);
    const other = arrange(stored);
    for (const reader of [{ find, see }, other]) {
      reader.see({ ...chain, identity });
      expect(await reader.find("block/height/7", 7)).toBeUndefined();
    }
  });

  test("a KV that fails has nothing, and breaks nothing", async () => {
    const failing = {
      get: () => Promise.reject(new Error("down")),
      put: () => Promise.reject(new Error("down")),
      match: () => Promise.reject(new Error("down")),
    } as unknown as FinalStore;
    const latest = new LatestState(() => 0);
    const cache = failing as unknown as LocalCache;
    const finals = new FinalObjects({ store: failing, cache, latest, memory: new IsolateMemory(1_000_000) });
    const written: Promise<unknown>[] = [];
    const waitUntil = (work: Promise<unknown>) => void written.push(work);
    latest.beginReading()({ chain, bookmark: undefined });
    const [first, second] = ["first", "second"].map((reader) => finals.for({ reader, waitUntil }));
    expect(await first?.find("block/height/7", 7)).toBeUndefined();
    first?.store("block/height/7", object, chain);
    expect(await second?.find("block/height/7", 7)).toEqual({ ...object, chain });
    await expect(Promise.all(written)).resolves.toEqual([undefined, undefined, undefined]);
    expect(await first?.find("block/height/7", 7)).toEqual({ ...object, chain });
  });

  test("what the cache of the data centre has is not asked of KV; what KV gave goes there", async () => {
    const first = arrange();
    first.see(chain);
    first.keep("block/height/7");
    await Promise.all(first.written);

    const near = arrange(new Map(), first.cached);
    near.see(chain);
    expect(await near.find("block/height/7", 7)).toEqual({ ...object, chain });
    expect(near.reads).toEqual([]);

    expect([await near.find("block/height/7", 7), near.stored.size]).toEqual([{ ...object, chain }, 0]);
    // The first host is known to all isolates of the data centre.
    const beside = arrange(new Map(), new Map(first.cached));
    beside.see(chain);
    await beside.find("block/height/7", 7, "second");
    expect(beside.stored.size).toBe(1);
    await near.find("block/height/7", 7, "second");
    await Promise.all(near.written);
    expect(near.stored.size).toBe(1);

    const far = arrange(near.stored);
    far.see(chain);
    expect(await far.find("block/height/7", 7)).toEqual({ ...object, chain });
    await Promise.all(far.written);
    // A reader that finds the object in either cache knows that KV has it.
    for (const { cached } of [near, far]) {
      const next = arrange(new Map(), cached);
      next.see(chain);
      await next.find("block/height/7", 7);
      await next.find("block/height/7", 7, "second");
      await Promise.all(next.written);
      expect(next.stored.size).toBe(0);
    }
  });
});
