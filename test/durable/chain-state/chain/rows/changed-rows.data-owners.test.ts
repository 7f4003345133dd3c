/** Whether an account ever had data. @source Waves: database/RocksDBWriter.scala (hasData) */
import { expect, test } from "vitest";
import { changedRows } from "../../../../../durable/chain-state/chain/rows/changed-rows.ts";
import type { DataEntry } from "../../../../../src/protocol/transactions/transaction.ts";
import { OverlayView } from "../../../../../src/rules/state/overlay-view.ts";
import { dataOwnerTable } from "../../../../../src/tables/data-entries.ts";
import { addresses } from "../../../../support/builders/sample-transactions.ts";
import { InMemoryState } from "../../../../support/fakes/in-memory-state.ts";

function ownersAfter(entries: readonly DataEntry[]): number {
  const view = new OverlayView(new InMemoryState(), { height: 2 });
  view.apply({ accountData: [{ address: addresses.alice, entries }] });
  expect(view.hasData(addresses.alice)).toBe(true);
  return changedRows(view.changes, view, true).filter(({ table }) => table === dataOwnerTable).length;
}

test("an entry makes an account one with data, even a deletion", () => {
  expect(ownersAfter([{ key: "k", value: { type: "integer", value: 1n } }])).toBe(1);
  expect(ownersAfter([{ key: "k", value: null }])).toBe(1);
});

test("a data transaction without entries counts in its own block only", () => {
  expect(ownersAfter([])).toBe(0);
});
