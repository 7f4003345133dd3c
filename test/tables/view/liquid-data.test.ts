/** Reads of data beside the data tables: the maximum number of rows in a block is never in memory at once. */
import { expect, test } from "vitest";
import { expireLiquidData } from "../../../durable/chain-state/state/expire-history.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import { rememberedBlocks } from "../../../src/rules/state/data-spellings.ts";
import { type LiquidDataRow, liquidDataTable } from "../../../src/tables/liquid-data.ts";
import { written } from "../../../src/tables/schema/row-change.ts";
import { LiquidData } from "../../../src/tables/view/liquid-data.ts";
import { testStore } from "../../support/builders/test-store.ts";

const address = new Uint8Array(26).fill(1) as Uint8Array as Address;
const keys = Array.from({ length: 2_500 }, (_, number) => `?${number}`);
const value = { type: "boolean", value: true } as const;

/** An entry for each key at the first height, and one more key at the second. */
function store() {
  const { store } = testStore();
  const row = (key: string, height: number): LiquidDataRow => ({ address, kind: "spelling", key, value, height });
  const commit = (height: number, rows: readonly LiquidDataRow[]): void =>
    store.commit(
      { height, step: 0 },
      rows.map((one) => written(liquidDataTable, one)),
    );
  commit(
    1,
    keys.map((key) => row(key, 1)),
  );
  commit(2, [row("?new", 2)]);
  return store;
}

test("an entry counts in the tip at its own height, and is remembered for some blocks", () => {
  const data = new LiquidData(store());
  expect(data.find(address, "?7", 1)?.value).toEqual(value);
  expect(data.find(address, "?7", 2)).toBeUndefined();
  expect(data.find(address, "?x", 1)).toBeUndefined();
  expect(data.hasAccount(address, 1)).toBe(false);
  expect(data.remembered(address, "?7", rememberedBlocks).last).toMatchObject({ value, height: 1 });
  expect(data.remembered(address, "?7", rememberedBlocks + 1).last).toBeUndefined();
});

test("old ones go, however many", () => {
  const kept = store();
  expireLiquidData(kept, 0);
  expect(kept.scalar("SELECT COUNT(*) FROM liquid_data")).toBe(keys.length + 1);
  expireLiquidData(kept, 1);
  expect(kept.query(liquidDataTable, "").map(({ key }) => key)).toEqual(["?new"]);
});
