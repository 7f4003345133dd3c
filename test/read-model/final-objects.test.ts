import { describe, expect, test } from "vitest";
import { IsolateMemory } from "../../src/platform/isolate-memory.ts";
import type { Chain } from "../../src/read-model/chain.ts";
import { FinalObjects, type FinalStore } from "../../src/read-model/final-objects.ts";
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

function arrange(stored = new Map<string, string>()) {
  const clock = { nowMs: 1_000_000 };
  const reads: string[] = [];
  const store = {
    get: async (key: string) => {
      reads.push(key);
      return stored.get(key) ?? null;
    },
    put: async (key: string, text: string) => {
      stored.set(key, text);
    },
  } as unknown as FinalStore;
  const latest = new LatestState(() => clock.nowMs);
  const finals = new FinalObjects(store, latest, new IsolateMemory(1_000_000));
  const see = (shown: Chain) => latest.beginReading()({ chain: shown, bookmark: undefined });
  const written: Promise<unknown>[] = [];
  const keep = (name: string, at = chain) => finals.keep(name, object, at, (work) => written.push(work));
  return { clock, reads, finals, keep, see, stored, written };
}

describe("FinalObjects", () => {
  test("the first reader keeps the object in memory and in KV; others find it in KV", async () => {
    const first = arrange();
    first.see(chain);
    first.keep("block/height/7");
    await Promise.all(first.written);
    expect(await first.finals.find("block/height/7", 7)).toEqual(object);
    expect(first.reads).toEqual([]);

    const second = arrange(first.stored);
    second.see(chain);
    expect(await second.finals.find("block/height/7", 7)).toEqual(object);
    expect(await second.finals.find("block/height/7", 7)).toEqual(object);
    expect(second.reads).toEqual(["genesis/drawn/0/block/height/7"]);
  });

  test("a request is told where its objects were found, and which are put into KV", async () => {
    const { finals, see, stored, written } = arrange();
    see(chain);
    const told: unknown[] = [];
    const ofRequest = finals.for(
      (place) => told.push(place),
      () => told.push("put"),
    );
    const keep = (name: string, text = object.text) =>
      ofRequest.keep(name, { ...object, text }, chain, (work) => written.push(work));
    await ofRequest.find("block/height/7", 7);
    keep("block/height/7");
    await ofRequest.find("block/height/7", 7);
    await ofRequest.find("block/height/101", 101);
    keep("block/height/8", " ".repeat(4 * 2 ** 20));
    stored.set("genesis/drawn/0/block/height/9", "id\n{}");
    await ofRequest.find("block/height/9", 9);
    expect(told).toEqual([undefined, "put", "memory", "kv"]);
  });

  test("a height that is not final is not looked for", async () => {
    const { finals, keep, see, reads } = arrange();
    see(chain);
    keep("block/height/101");
    expect(await finals.find("block/height/101", 101)).toBeUndefined();
    expect(await finals.find("block/height/100", 100)).toBeUndefined();
    expect(reads).toEqual(["genesis/drawn/0/block/height/100"]);
  });

  test("nothing is answered from memory when the chain was not looked at for a second", async () => {
    const { clock, finals, keep, see } = arrange();
    expect(await finals.find("block/height/7", 7)).toBeUndefined();
    see(chain);
    keep("block/height/7");
    clock.nowMs += 999;
    expect(await finals.find("block/height/7", 7)).toEqual(object);
    clock.nowMs += 1;
    expect(await finals.find("block/height/7", 7)).toBeUndefined();
  });

  test("a new epoch forgets what the old one had", async () => {
    const { finals, keep, see } = arrange();
    see(chain);
    keep("block/height/7");
    see({ ...chain, epoch: 1 });
    expect(await finals.find("block/height/7", 7)).toBeUndefined();
  });

  test.each(["genesis/drawn again", "another genesis/drawn"])("%s finds nothing of genesis/drawn", async (identity) => {
    const { finals, keep, see, stored, written } = arrange();
    see(chain);
    keep("block/height/7");
    await Promise.all(written);
    const other = arrange(stored);
    for (const reader of [{ finals, see }, other]) {
      reader.see({ ...chain, identity });
      expect(await reader.finals.find("block/height/7", 7)).toBeUndefined();
    }
  });

  test("a KV that fails has nothing, and breaks nothing", async () => {
    const failing = {
      get: () => Promise.reject(new Error("down")),
      put: () => Promise.reject(new Error("down")),
    } as unknown as FinalStore;
    const latest = new LatestState(() => 0);
    const finals = new FinalObjects(failing, latest, new IsolateMemory(1_000_000));
    latest.beginReading()({ chain, bookmark: undefined });
    expect(await finals.find("block/height/7", 7)).toBeUndefined();
    const written: Promise<unknown>[] = [];
    finals.keep("block/height/7", object, chain, (work) => written.push(work));
    await expect(Promise.all(written)).resolves.toEqual([undefined]);
    expect(await finals.find("block/height/7", 7)).toEqual(object);
  });
});
