/** Reads of the liquid block's data: as many rows as a block can buy are never in memory together. */
import { expect, test } from "vitest";
import type { Address } from "../../../src/crypto/identities.ts";
import { type LiquidDataRow, liquidDataTable } from "../../../src/tables/liquid-data.ts";
import { written } from "../../../src/tables/schema/row-change.ts";
import { LiquidData } from "../../../src/tables/view/liquid-data.ts";
import type { RowSource } from "../../../src/tables/view/row-source.ts";
import { testStore } from "../../durable/test-store.ts";

const address = new Uint8Array(26).fill(1) as Uint8Array as Address;
const keys = Array.from({ length: 2_500 }, (_, number) => `?${number}`);
const value = { type: "boolean", value: true } as const;

/** A store with an entry for each key, and what was the largest number of rows that it gave at once. */
function countedStore(): { readonly store: RowSource; readonly largest: () => number } {
  const { store } = testStore();
  const rows = keys.map((key): LiquidDataRow => ({ address, kind: "spelling", key, value }));
  store.commit(
    { height: 1, step: 0 },
    rows.map((row) => written(liquidDataTable, row)),
  );
  let largest = 0;
  const query: RowSource["query"] = (...asked) => {
    const found = store.query(...asked);
    largest = Math.max(largest, found.length);
    return found;
  };
  const find: RowSource["find"] = (table, key) => store.find(table, key);
  return { store: { find, query } as RowSource, largest: () => largest };
}

test("an entry is read without the others", () => {
  const { store, largest } = countedStore();
  const data = new LiquidData(store);
  expect(data.find(address, "?7")?.value).toEqual(value);
  expect(data.find(address, "?x")).toBeUndefined();
  expect(data.hasAccount(address)).toBe(false);
  expect(largest()).toBe(0);
});

test("all of them are read in pages", () => {
  const { store, largest } = countedStore();
  const rows = [...new LiquidData(store).rows()];
  expect(rows.map(({ key }) => key).sort()).toEqual([...keys].sort());
  expect(largest()).toBe(1_000);
});
