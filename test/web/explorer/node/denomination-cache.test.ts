import { expect, test, vi } from "vitest";
import { type Denomination, DenominationCache } from "../../../../web/explorer/node/denomination-cache.ts";

const gold: Denomination = { name: "Gold", decimals: 2n };
const silver: Denomination = { name: "Silver", decimals: 2n };

/** Fake node that knows the assets in the map. */
function nodeOf(chain: Map<string, Denomination>) {
  const requests: (readonly string[])[] = [];
  const denominations = new DenominationCache(async (ids) => {
    requests.push(ids);
    return new Map([...chain].filter(([id]) => ids.includes(id)));
  });
  return { kept: denominations, asked: requests };
}

/** Resolves when the response arrives. */
function read(denominations: DenominationCache, id: string, tipId: string): Promise<void> {
  return new Promise((resolve) => void denominations.subscribe(id, tipId, resolve));
}

test("an asset is asked for once while the chain stays as it is, together with what else is wanted", async () => {
  const { kept, asked } = nodeOf(new Map([["a", gold]]));
  expect(kept.find("a")).toBeUndefined();
  await Promise.all([read(kept, "a", "tip 1"), read(kept, "b", "tip 1")]);
  expect([kept.find("a"), kept.find("b")]).toEqual([gold, null]);
  const listener = vi.fn();
  kept.subscribe("a", "tip 1", listener);
  await read(kept, "c", "tip 1");
  expect(asked).toEqual([["a", "b"], ["c"]]);
  expect(listener).not.toHaveBeenCalled();
});

test("under another tip the asset has its new name, and the old one until that is known", async () => {
  const chain = new Map([["a", gold]]);
  const { kept } = nodeOf(chain);
  await read(kept, "a", "tip 1");
  chain.set("a", silver);
  const reading = read(kept, "a", "tip 2");
  expect(kept.find("a")).toEqual(gold);
  await reading;
  expect(kept.find("a")).toEqual(silver);
});

test("an asset that a revert takes away is gone, and one that comes is there", async () => {
  const chain = new Map([["a", gold]]);
  const { kept } = nodeOf(chain);
  await Promise.all([read(kept, "a", "tip 2"), read(kept, "b", "tip 2")]);
  chain.delete("a");
  chain.set("b", silver);
  await Promise.all([read(kept, "a", "tip 1"), read(kept, "b", "tip 1")]);
  expect([kept.find("a"), kept.find("b")]).toEqual([null, silver]);
});

test("what is introduced is known, and the node is not asked for what is on no chain", async () => {
  const { kept, asked } = nodeOf(new Map([["a", silver]]));
  kept.introduce("b", gold);
  expect(kept.find("b")).toEqual(gold);
  const listener = vi.fn();
  kept.subscribe("b", "tip 1", listener);
  await read(kept, "a", "tip 1");
  expect(asked).toEqual([["a"]]);
  expect(listener).not.toHaveBeenCalled();
});

test("a node that does not answer takes no name away, and is asked again under the next tip", async () => {
  let isReached = true;
  const requests: string[] = [];
  const denominations = new DenominationCache(async (ids) => {
    requests.push(...ids);
    if (!isReached) throw new Error("no answer");
    return new Map(ids.map((id) => [id, gold]));
  });
  await read(denominations, "a", "tip 1");
  isReached = false;
  denominations.subscribe("a", "tip 2", () => {});
  await expect.poll(() => requests).toHaveLength(2);
  expect(denominations.find("a")).toEqual(gold);
  isReached = true;
  await read(denominations, "a", "tip 3");
  expect(requests).toHaveLength(3);
});
