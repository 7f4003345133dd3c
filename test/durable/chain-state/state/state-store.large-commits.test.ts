/** Commits that overwrite more than one row of the journal holds: no value exceeds the platform's limits. */
import { expect, test } from "vitest";
import type { StateStore } from "../../../../durable/chain-state/state/state-store.ts";
import type { Address } from "../../../../src/crypto/identities.ts";
import { platformLimits } from "../../../../src/platform/limits.ts";
import { stateTables } from "../../../../src/tables/all-tables.ts";
import { dataEntryTable } from "../../../../src/tables/data-entries.ts";
import type { RowChange } from "../../../../src/tables/schema/row-change.ts";
import type { RowOf } from "../../../../src/tables/schema/table.ts";
import { testStore } from "../../../support/builders/test-store.ts";

const address = new Uint8Array(26).fill(1) as Uint8Array as Address;
const tables = stateTables.map(({ name }) => name);
/** 64 kB of a row, as hexadecimal text. */
const large = { type: "binary", value: new Uint8Array(32_000) } as const;

function commitAll(store: StateStore, height: number, removed = false): void {
  const rows = Array.from({ length: 60 }, (_, number) => ({
    address,
    // Three bytes a character: limits count bytes.
    key: `語${number}`,
    value: large,
  }));
  store.commit(
    { height, step: 1 },
    rows.map((row) => ({ table: dataEntryTable, row, removed })),
  );
}

test("60 entries of 32 kB are removed in one commit, and restored", () => {
  const { store, database } = testStore();
  commitAll(store, 2);
  const before = database.dump(tables);
  commitAll(store, 3, true);
  expect(Number(store.scalar("SELECT COUNT(*) FROM data_entry"))).toBe(0);
  expect(Number(store.scalar("SELECT COUNT(*) FROM undo WHERE height = 3"))).toBeGreaterThan(1);
  expect(store.overwrittenAt(3)).toHaveLength(60);
  for (const column of ["undo.entries", "outbox.rows"]) {
    const [table] = column.split(".");
    const longest = store.scalar(`SELECT MAX(LENGTH(CAST(${column} AS BLOB))) FROM ${table}`);
    expect(Number(longest)).toBeLessThan(platformLimits.valueBytes);
  }
  store.rollbackTo({ height: 2, step: 1 });
  expect(database.dump(tables)).toBe(before);
});

/** Number of entries that one block of data transactions buys for two WAVES. */
const manyEntries = 25_000;
const entry = (number: number): RowOf<typeof dataEntryTable> => ({
  address,
  key: `${number}`,
  value: { type: "boolean", value: true },
});

function* written(count: number, onTaken: (number: number) => void = () => {}): Iterable<RowChange> {
  for (let number = 0; number < count; number++) {
    onTaken(number);
    yield { table: dataEntryTable, row: entry(number) };
  }
}

test("25,000 rows of one commit are written during the commit, and rolled back as one commit", () => {
  const { store, database } = testStore();
  commitAll(store, 2);
  const before = database.dump(tables);
  const counted: number[] = [];
  const count = () =>
    Number(Object.values(database.database.prepare("SELECT COUNT(*) FROM data_entry").get() as object)[0]);
  store.commit(
    { height: 3, step: 0 },
    written(manyEntries, (number) => {
      if (number === manyEntries - 1) counted.push(count());
    }),
  );
  // All rows that are not in the table by then are in memory.
  expect(manyEntries - (counted[0] as number)).toBeLessThan(10_000);
  expect(count()).toBe(60 + manyEntries);
  expect(store.overwrittenAt(3)).toHaveLength(manyEntries);
  store.rollbackTo({ height: 2, step: 1 });
  expect(database.dump(tables)).toBe(before);
});

test("a commit that fails late leaves nothing, and keeps the commits that were gathered before it", () => {
  const { store } = testStore();
  store.gather({ height: 2, step: 0 }, written(3));
  const failing = written(manyEntries, (number) => {
    if (number === manyEntries - 1) throw new Error("the rows end here");
  });
  expect(() => store.gather({ height: 3, step: 0 }, failing)).toThrow("the rows end here");
  store.flush();
  expect(Number(store.scalar("SELECT COUNT(*) FROM data_entry"))).toBe(3);
  expect(Number(store.scalar("SELECT COUNT(*) FROM undo WHERE height = 3"))).toBe(0);
});

test("no table has more columns than the platform's maximum", () => {
  for (const { columns } of stateTables) expect(columns.size).toBeLessThanOrEqual(platformLimits.columnsOfTable);
});
