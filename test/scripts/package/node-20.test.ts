import { afterEach, expect, it, vi } from "vitest";

const own = Map.groupBy;
afterEach(() => {
  Map.groupBy = own;
});

async function load(groupBy: typeof Map.groupBy | undefined): Promise<typeof Map.groupBy> {
  Map.groupBy = groupBy as typeof Map.groupBy;
  vi.resetModules();
  await import("../../../scripts/package/node-20.ts");
  return Map.groupBy;
}

it("groups as the language does, where it does not", async () => {
  const added = await load(undefined);
  expect(added).not.toBe(own);
  const items = ["one", "two", "three", "four"];
  expect([...added(items, (item) => item.length)]).toEqual([...own(items, (item) => item.length)]);
  expect([...added(new Set(items), (_, at) => at % 2)]).toEqual([...own(new Set(items), (_, at) => at % 2)]);
});

it("leaves what the language has", async () => {
  expect(await load(own)).toBe(own);
});
