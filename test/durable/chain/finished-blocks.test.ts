import { expect, test } from "vitest";
import { BranchTooLong, FinishedBlocks } from "../../../durable/chain/finished-blocks.ts";
import { StateStore } from "../../../durable/state/state-store.ts";
import { testDatabase } from "../../../scripts/tools/sqlite/test-database.ts";
import type { BlockId } from "../../../src/protocol/blocks/block.ts";
import { accountScriptTable } from "../../../src/tables/account-scripts.ts";
import { type TransactionRow, transactionTable } from "../../../src/tables/blocks.ts";
import { added, type RowChange, removed, written } from "../../../src/tables/schema/row-change.ts";

const idOf = (number: number) => new Uint8Array(32).fill(number) as BlockId;

const rowOf = (number: number, sizeBytes = 10) =>
  ({
    ...{ id: idOf(number), height: 7, position: number, type: 16, status: "succeeded", spentComplexity: 1 },
    ...{ bytes: new Uint8Array(sizeBytes).fill(number), snapshot: undefined, callRecord: undefined },
  }) as unknown as TransactionRow;

const rowsOf = (number: number, sizeBytes?: number): readonly RowChange[] => [
  added(transactionTable, rowOf(number, sizeBytes)),
  written(transactionTable, rowOf(number)),
  removed(accountScriptTable, { address: new Uint8Array(26).fill(number) as never }),
];

function addTo(blocks: FinishedBlocks, branch: number, number: number, sizeBytes?: number): void {
  const part = blocks.part();
  part.take(idOf(number), rowsOf(number, sizeBytes));
  blocks.add(idOf(branch), part);
}

function opened(maxCharacters?: number) {
  const database = testDatabase();
  const open = () => new FinishedBlocks(new StateStore(database), maxCharacters);
  const hasTable = () =>
    database.database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'finished_block'").get() !== undefined;
  return { open, hasTable };
}

test("rows of a finished block are found as they were, after a reset too", () => {
  const { open } = opened();
  const blocks = open();
  expect(blocks.find(idOf(1))).toBeUndefined();
  // More than one value of a row.
  addTo(blocks, 1, 1, 700_000);
  addTo(blocks, 1, 2);
  for (const each of [blocks, open()]) {
    expect(each.find(idOf(1))).toEqual(rowsOf(1, 700_000));
    expect(each.find(idOf(2))).toEqual(rowsOf(2));
    expect(each.find(idOf(3))).toBeUndefined();
  }
});

test("a branch is deleted alone, and the last one leaves no table", () => {
  const { open, hasTable } = opened();
  const blocks = open();
  addTo(blocks, 1, 1);
  addTo(blocks, 2, 2);
  blocks.forget(idOf(1));
  expect(blocks.find(idOf(1))).toBeUndefined();
  expect(blocks.find(idOf(2))).toEqual(rowsOf(2));
  blocks.forget(idOf(2));
  expect(hasTable()).toBe(false);
  addTo(blocks, 3, 3);
  expect(blocks.find(idOf(3))).toEqual(rowsOf(3));
});

test("of three branches the one that grew before the others is dropped", () => {
  const blocks = opened().open();
  addTo(blocks, 1, 1);
  addTo(blocks, 2, 2);
  addTo(blocks, 1, 3);
  addTo(blocks, 4, 4);
  expect([1, 2, 3, 4].filter((number) => blocks.find(idOf(number)) !== undefined)).toEqual([1, 3, 4]);
});

test("a branch with too much to write is dropped", () => {
  const { open, hasTable } = opened(4_000);
  const blocks = open();
  addTo(blocks, 1, 1);
  expect(() => addTo(blocks, 1, 2, 2_000)).toThrow(BranchTooLong);
  expect(hasTable()).toBe(false);
});
