import fc from "fast-check";
import { expect, test } from "vitest";
import { stateTables } from "../../../../src/tables/all-tables.ts";
import { dataValue, type PresentValue } from "../../../../src/tables/data-value.ts";
import { rewardShares } from "../../../../src/tables/reward-shares.ts";
import { bigDecimal, type Cell, type CellKind, type Column } from "../../../../src/tables/schema/column.ts";
import type { RowChange } from "../../../../src/tables/schema/row-change.ts";
import type { Row, Table } from "../../../../src/tables/schema/table.ts";
import { testStore } from "../../../support/builders/test-store.ts";

const tableNames = stateTables.map(({ name }) => name);
const i64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const dataValues: fc.Arbitrary<PresentValue> = fc.oneof(
  i64.map((value) => ({ type: "integer", value }) as const),
  fc.boolean().map((value) => ({ type: "boolean", value }) as const),
  fc.uint8Array({ maxLength: 9 }).map((value) => ({ type: "binary", value }) as const),
  fc.string({ unit: "grapheme" }).map((value) => ({ type: "string", value }) as const),
);
const shares = fc.array(
  fc.tuple(fc.uint8Array({ minLength: 26, maxLength: 26 }), i64).map(([address, amount]) => ({ address, amount })),
  { maxLength: 3 },
);

/** Keys come from a small set, so that rows are overwritten and removed. */
function valuesOf({ kind, decode, isNullable }: Column, isKey: boolean): fc.Arbitrary<unknown> {
  if (isNullable)
    return fc.option(valuesOf(decode === undefined ? { kind } : { kind, decode }, isKey), { nil: undefined });
  if (decode === dataValue.decode) return dataValues;
  if (decode === rewardShares.decode) return shares;
  if (decode === bigDecimal.decode) return fc.bigInt({ min: 0n, max: 2n ** 70n });
  // The first two values of closed sets.
  if (decode !== undefined) return fc.constantFrom(...(kind === "int" ? [0, 1] : ["leases", "nfts"]).map(decode));
  const plain: Record<CellKind, fc.Arbitrary<Cell>> = {
    blob: isKey
      ? fc.constantFrom(Uint8Array.of(1), Uint8Array.of(2, 0), Uint8Array.of(255))
      : fc.uint8Array({ maxLength: 9 }),
    text: isKey ? fc.constantFrom("a", "b", "ü\u2028'\"") : fc.string({ unit: "grapheme" }),
    int: isKey ? fc.integer({ min: 1, max: 3 }) : fc.integer(),
    i64,
  };
  return plain[kind];
}

const change: fc.Arbitrary<RowChange> = fc.constantFrom(...stateTables).chain((table) => {
  const cells = Object.fromEntries(
    [...table.columns].map(([name, column]) => [name, valuesOf(column, table.key.includes(name))]),
  );
  return fc
    .tuple(fc.record(cells), fc.boolean())
    .map(([row, removed]): RowChange => (removed ? { table, row, removed } : { table, row: row as Row }));
});
const steps = fc.array(fc.array(change, { maxLength: 12 }), { minLength: 1, maxLength: 8 });

/** Unique indexes of the tables would refuse random rows. */
function withoutUniqueIndexes(): ReturnType<typeof testStore> {
  const made = testStore();
  made.database.exec("DROP INDEX block_by_id");
  return made;
}

const uniqueRows = (changes: readonly RowChange[]): RowChange[] => {
  const byKey = new Map(changes.map((item) => [keyText(item.table, item.row), item]));
  return [...byKey.values()];
};
const keyText = (table: Table, row: Row): string =>
  `${table.name} ${table.key.map((name) => String(row[name])).join(" ")}`;

test("rolling back k commits leaves every table as it was before them, and applying them again as it was after", () => {
  fc.assert(
    fc.property(steps, fc.nat(), (allSteps, back) => {
      const { store, database } = withoutUniqueIndexes();
      const dumps = [database.dump(tableNames)];
      for (const [index, changes] of allSteps.entries()) {
        store.commit({ height: index + 1, step: 0 }, uniqueRows(changes));
        dumps.push(database.dump(tableNames));
      }
      const height = back % (allSteps.length + 1);
      store.rollbackTo({ height, step: 0 });
      expect(database.dump(tableNames)).toBe(dumps[height]);
      for (const [index, changes] of allSteps.entries())
        if (index >= height) store.commit({ height: index + 1, step: 0 }, uniqueRows(changes));
      expect(database.dump(tableNames)).toBe(dumps.at(-1));
    }),
    { numRuns: 200 },
  );
});

test("a row reads back as it was written, 64-bit integers to the last digit", () => {
  fc.assert(
    fc.property(change, (written) => {
      const { store } = testStore();
      if (written.removed) return;
      store.commit({ height: 1, step: 0 }, [written]);
      store.forgetCache();
      expect(store.find(written.table, written.row)).toStrictEqual({ ...written.row });
    }),
    { numRuns: 300 },
  );
});
