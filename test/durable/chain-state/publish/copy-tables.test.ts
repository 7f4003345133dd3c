/** Deletion of a read model's tables, and their copy key by key. */
import { describe, expect, test, vi } from "vitest";
import { BatchStatements } from "../../../../durable/chain-state/publish/batch-statements.ts";
import {
  addCopies,
  clearStatements,
  isCleared,
  progressText,
} from "../../../../durable/chain-state/publish/copy-tables.ts";
import type { Copied } from "../../../../durable/chain-state/publish/publication.ts";
import { NumberedTables } from "../../../../durable/chain-state/state/numbered-tables.ts";
import { StateStore } from "../../../../durable/chain-state/state/state-store.ts";
import type { Address } from "../../../../src/crypto/identities.ts";
import { aliasTable } from "../../../../src/tables/aliases.ts";
import { dataEntryTable } from "../../../../src/tables/data-entries.ts";
import { undoTable } from "../../../../src/tables/journal.ts";
import { written } from "../../../../src/tables/schema/row-change.ts";
import { rowText } from "../../../../src/tables/schema/row-text.ts";
import { stateDatabase } from "../../../../verification/sqlite/node-database.ts";
import { testDatabase } from "../../../../verification/sqlite/test-database.ts";

// The one between the two is not published.
const tables = [aliasTable, undoTable, dataEntryTable] as const;
const address = new Uint8Array(26).fill(1) as Address;
const nameOf = (number: number) => `name${String(number).padStart(3, "0")}`;
const alias = (number: number) => ({ name: nameOf(number), address, takenOver: false });
const entry = (number: number, length: number) => ({
  address,
  key: nameOf(number),
  value: { type: "string", value: "x".repeat(length) } as const,
});

/** Store of three tables, with rows in the first and in the last. */
function arrange(aliases: number, entries: readonly number[] = []): StateStore {
  const store = new StateStore(testDatabase(stateDatabase()), tables);
  store.commit({ height: 1, step: 0 }, [
    ...Array.from({ length: aliases }, (_, number) => written(aliasTable, alias(number))),
    ...entries.map((length, number) => written(dataEntryTable, entry(number, length))),
  ]);
  return store;
}

/** Copy in several batches: rows by table, and the progress after each batch. */
function copyAll(store: StateStore, maxLength?: number) {
  const batches: {
    readonly statements: readonly (readonly [string, number])[];
    readonly remaining: Copied | undefined;
  }[] = [];
  let position: Copied | undefined = { step: "copy", table: 0 };
  while (position?.step === "copy" && batches.length < 20) {
    const batch = new BatchStatements(store.tables, maxLength);
    const remaining = addCopies(batch, store, position);
    const statements = batch.statements().map(({ sql, bindings }) => {
      const table = tables.find(({ publishSql }) => publishSql === sql);
      return [table?.name ?? sql, (JSON.parse(String(bindings[0])) as unknown[]).length] as const;
    });
    batches.push({ statements, remaining });
    position = remaining;
  }
  return batches;
}

describe("the copies of all tables", () => {
  test("are their current rows, in the order of their keys", () => {
    const store = arrange(2, [3]);
    const batch = new BatchStatements(store.tables);
    expect(addCopies(batch, store, { step: "copy", table: 0 })).toBeUndefined();
    expect(batch.statements()).toEqual([
      { sql: aliasTable.publishSql, bindings: [`[${[0, 1].map((n) => rowText(aliasTable, alias(n))).join(",")}]`] },
      { sql: dataEntryTable.publishSql, bindings: [`[${rowText(dataEntryTable, entry(0, 3))}]`] },
    ]);
  });

  test.each([0, 1, 19, 20, 21, 40, 41])("are all of %d rows, which are read twenty at a time", (count) => {
    const store = arrange(count);
    const query = vi.spyOn(store, "query");
    expect(copyAll(store)).toEqual([{ statements: count === 0 ? [] : [["alias", count]], remaining: undefined }]);
    expect(Math.max(...query.mock.results.map(({ value }) => value.length))).toBe(Math.min(count, 20));
  });

  test("begin after the last copied key", () => {
    const store = arrange(5);
    const batch = new BatchStatements(store.tables);
    addCopies(batch, store, { step: "copy", table: 0, upTo: [nameOf(2)] });
    expect(batch.statements()[0]?.bindings).toEqual([
      `[${[3, 4].map((number) => rowText(aliasTable, alias(number))).join(",")}]`,
    ]);
  });

  test("come in batches of a million and a half characters, each with its progress", () => {
    const rowLength = rowText(dataEntryTable, entry(0, 400_000)).length;
    const inFirst = Math.ceil(1_500_000 / rowLength);
    const [first, second, ...more] = copyAll(arrange(1, [...Array<number>(inFirst).fill(400_000), 10]));
    expect(first?.statements.reduce((sum, [, count]) => sum + count, 0)).toBe(1 + inFirst);
    const upTo = [Buffer.from(address).toString("hex"), nameOf(inFirst - 1)];
    expect(first?.remaining).toEqual({ step: "copy", table: 2, upTo });
    expect(second).toEqual({ statements: [["data_entry", 1]], remaining: undefined });
    expect(more).toEqual([]);
  });

  test("stop at a full batch, and continue from there", () => {
    const batches = copyAll(arrange(50), 2_000);
    expect(batches.length).toBeGreaterThan(1);
    expect(batches.at(-1)?.remaining).toBeUndefined();
    const rows = batches.flatMap(({ statements }) => statements.map(([, count]) => count));
    expect(rows.reduce((sum, count) => sum + count, 0)).toBe(50);
  });

  test("may stop between two tables", () => {
    const [first, second, third] = copyAll(arrange(5, [3]), 10);
    expect(first).toEqual({ statements: [["alias", 5]], remaining: { step: "copy", table: 1 } });
    expect(second).toEqual({ statements: [["data_entry", 1]], remaining: { step: "copy", table: 3 } });
    expect(third).toEqual({ statements: [], remaining: undefined });
  });

  test("are none in a batch that is full already", () => {
    const store = arrange(5);
    const batch = new BatchStatements(store.tables, 10);
    batch.add(0, false, "[1,2,3,4,5]");
    expect(addCopies(batch, store, { step: "copy", table: 0 })).toEqual({ step: "copy", table: 0 });
    expect(batch.length).toBe(11);
  });
});

describe("tables that are being emptied", () => {
  test("lose five thousand rows each, and then report whether any remain", () => {
    expect(clearStatements(new NumberedTables(tables))).toEqual(
      [
        "DELETE FROM alias WHERE (name) IN (SELECT name FROM alias LIMIT 5000)",
        "DELETE FROM data_entry WHERE (address, key) IN (SELECT address, key FROM data_entry LIMIT 5000)",
        "SELECT EXISTS (SELECT 1 FROM alias) OR EXISTS (SELECT 1 FROM data_entry) AS rows_left",
      ].map((sql) => ({ sql, bindings: [] })),
    );
  });

  test("are empty if the result says so", () => {
    expect([[{ rows_left: 0 }], [{ rows_left: 1 }]].map((result) => isCleared(result))).toEqual([true, false]);
    expect([isCleared([]), isCleared(undefined)]).toEqual([true, true]);
  });
});

test("progress counts published tables", () => {
  const numbered = new NumberedTables(tables);
  const positions: Copied[] = [{ step: "clear" }, ...[0, 1, 2, 3].map((table) => ({ step: "copy", table }) as const)];
  expect(positions.map((position) => progressText(numbered, position))).toEqual([
    "0 of 2 tables",
    "0 of 2 tables",
    "1 of 2 tables",
    "1 of 2 tables",
    "2 of 2 tables",
  ]);
});
