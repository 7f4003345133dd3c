/** Steps that overwrite more than one row of the journal holds: nothing passes what the platform takes. */
import { expect, test } from "vitest";
import type { StateStore } from "../../../durable/state/state-store.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import { platformLimits } from "../../../src/platform/limits.ts";
import { stateTables } from "../../../src/tables/all-tables.ts";
import { dataEntryTable } from "../../../src/tables/data-entries.ts";
import { testStore } from "../test-store.ts";

const address = new Uint8Array(26).fill(1) as Uint8Array as Address;
const tables = stateTables.map(({ name }) => name);
/** As text, in hexadecimal, 64 kB of a row. */
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

test("60 entries of 32 kB are removed in one step, and come back", () => {
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

test("no table has more columns than the platform takes", () => {
  for (const { columns } of stateTables) expect(columns.size).toBeLessThanOrEqual(platformLimits.columnsOfTable);
});
