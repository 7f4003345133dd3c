import { expect, test } from "vitest";
import { findRow, insertRow, putRow, queryRows } from "../../../durable/sql/plain-rows.ts";
import type { BlockId } from "../../../src/protocol/blocks/block.ts";
import type { TransactionId } from "../../../src/protocol/transactions/transaction.ts";
import { branchBlockTable } from "../../../src/tables/branch-blocks.ts";
import { poolTable } from "../../../src/tables/pool.ts";
import { bindCell } from "../../../src/tables/schema/cell.ts";
import type { RowOf } from "../../../src/tables/schema/table.ts";
import { testStore } from "../../support/builders/test-store.ts";

const idOf = (number: number) => new Uint8Array(32).fill(number) as Uint8Array as BlockId;
const blockOf = (number: number): RowOf<typeof branchBlockTable> => ({
  id: idOf(number),
  height: 10 + number,
  bytes: Uint8Array.of(number),
  leftAt: number,
  snapshots: undefined,
});

test("rows outside the chain state are added, found and replaced, and nothing is journaled or published", () => {
  const { database } = testStore();
  for (const number of [1, 2, 3]) insertRow(database, branchBlockTable, blockOf(number));
  expect(findRow(database, branchBlockTable, { id: idOf(2) })).toEqual(blockOf(2));
  expect(queryRows(database, branchBlockTable, "WHERE id > ?", bindCell(idOf(2)))).toEqual([blockOf(3)]);
  expect(() => insertRow(database, branchBlockTable, blockOf(2))).toThrow("UNIQUE");
  putRow(database, branchBlockTable, { ...blockOf(2), height: 99 });
  expect(queryRows(database, branchBlockTable, "ORDER BY height DESC").map(({ height }) => height)).toEqual([
    99, 13, 11,
  ]);
  expect(findRow(database, branchBlockTable, { id: idOf(9) })).toBeUndefined();
  for (const table of ["undo", "outbox"]) expect(database.dump([table])).toBe(`${table}\n`);
});

test("SQLite numbers the rows of the pool in the order of their arrival", () => {
  const { database } = testStore();
  const id = (number: number) => idOf(number) as Uint8Array as TransactionId;
  for (const number of [7, 5]) insertRow(database, poolTable, { id: id(number), bytes: Uint8Array.of(number) });
  expect(queryRows(database, poolTable, "ORDER BY seq")).toEqual([
    { seq: 1, id: id(7), bytes: Uint8Array.of(7) },
    { seq: 2, id: id(5), bytes: Uint8Array.of(5) },
  ]);
});
