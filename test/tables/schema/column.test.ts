/** A value that does not fit its column is an error that names the column, never a default, whatever its source. */
import { describe, expect, test } from "vitest";
import { columnsOf } from "../../../src/read-model/columns.ts";
import { blockTable, transactionTable } from "../../../src/tables/blocks.ts";
import { dataEntryTable } from "../../../src/tables/data-entries.ts";
import { leaseTable } from "../../../src/tables/leases.ts";
import { accountNftTable, counterTable } from "../../../src/tables/lists.ts";
import type { StoredValue } from "../../../src/tables/schema/cell.ts";
import { int, publishedLater, text } from "../../../src/tables/schema/column.ts";
import { rowOfCells, rowText } from "../../../src/tables/schema/row-text.ts";
import { readRow } from "../../../src/tables/schema/stored-row.ts";
import { type Row, type Table, table } from "../../../src/tables/schema/table.ts";

const blob = (...bytes: number[]) => Uint8Array.from(bytes).buffer;

/** A row of the table with one wrong value; the other stored values do not matter. */
function rowWith(of: Table, field: string, stored: StoredValue): StoredValue[] {
  const plain = { blob: blob(), text: "0", int: 0, i64: "0" } as const;
  return [...of.columns].map(([name, { kind, decode }]) => {
    if (name === field) return stored;
    // Every closed set has a value 0, and counters are queried here only by name.
    return decode === undefined || kind !== "blob" ? plain[kind] : blob(0, ...new Array(8).fill(0));
  });
}

describe("readRow refuses", () => {
  test.each<[Table, string, StoredValue, string]>([
    [transactionTable, "status", 7, "table tx, column status holds 7: none of succeeded, failed, elided"],
    [leaseTable, "status", 3, "table lease, column status holds 3: none of active, canceled, expired"],
    [accountNftTable, "isHeld", 2, "table account_nft, column is_held holds 2: neither 0 nor 1"],
    [
      counterTable,
      "name",
      "blocks",
      "table counter, column name holds blocks: none of accounts, nfts, leases, aliases",
    ],
    [
      dataEntryTable,
      "value",
      blob(9, 1),
      "table data_entry, column value holds 0901: a data value with the unknown tag 9",
    ],
    [dataEntryTable, "value", blob(0, 1), "table data_entry, column value holds 0001: an integer of 1 bytes"],
    [dataEntryTable, "value", blob(1, 2), "table data_entry, column value holds 0102: neither true nor false"],
    [blockTable, "rewardShares", blob(1), "table block, column reward_shares holds 01: shares of 1 bytes"],
    [blockTable, "height", null, "table block, column height holds null: nothing where something must be"],
  ])("%o: %s %s", (of, field, stored, message) => {
    expect(() => readRow(of, rowWith(of, field, stored))).toThrow(message);
  });
});

test("a number that is none is refused", () => {
  const values = rowWith(blockTable, "score", "1e3");
  values[[...blockTable.columns.keys()].indexOf("rewardShares")] = blob();
  expect(() => readRow(blockTable, values)).toThrow("table block, column score holds 1e3: no decimal number");
});

test("an undo record is read as strictly as a table", () => {
  const cells = ["00", "0a", "0b", "1", "0c", 5, 7, null, null];
  expect(() => rowOfCells(leaseTable, cells)).toThrow("table lease, column status holds 7: none of active");
});

test("a row of the read model is read as strictly as a table, by the name that the statement gives the column", () => {
  const { sql, read } = columnsOf(leaseTable, ["status"], "ended");
  expect(sql).toBe('ended.status AS "ended.status"');
  expect(read({ "ended.status": 1 })).toEqual({ status: "canceled" });
  expect(() => read({ "ended.status": 7 })).toThrow("table lease, column ended.status holds 7: none of active");
  expect(() => read({ status: 1 })).toThrow("the statement does not select ended.status");
});

test("a value outside of a closed set is not written", () => {
  const row = { address: new Uint8Array(26), asset: new Uint8Array(32), number: 1, isHeld: 1 } as Row;
  expect(() => rowText(accountNftTable, row)).toThrow("1 is neither true nor false");
});

test("a column that was added later stands behind the others, and in no key", () => {
  const make = (columns: Record<string, unknown>, key: string[]) =>
    table({
      name: "made_up",
      comment: "",
      key,
      columns: columns as Record<string, typeof int>,
      published: false,
      inCheckpoint: "none",
    });
  const later = { ...int, older: { value: 0 } };
  expect(() => make({ id: int, later, text }, ["id"])).toThrow("text stands behind a column that was added later");
  expect(() => make({ later }, ["later"])).toThrow("a key cannot get the column later later");
  expect(() => make({ id: int, published: publishedLater(int, 0), text }, ["id"])).not.toThrow();
});
