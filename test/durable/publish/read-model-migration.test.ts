import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { stateTables } from "../../../src/tables/all-tables.ts";
import { columnSql } from "../../../src/tables/schema/table.ts";

function readModel(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  for (const file of readdirSync("migrations").sort()) database.exec(readFileSync(`migrations/${file}`, "utf8"));
  return database;
}

const published = stateTables.filter((table) => table.published);

test.each(published.map((table) => [table.name, table] as const))(
  "the read model has table %s with the published columns, in order, under the same key",
  (name, table) => {
    const columns = readModel().prepare(`PRAGMA table_info(${name})`).all() as {
      name: string;
      pk: number;
      notnull: number;
    }[];
    const expected = [...table.columns]
      .filter(([, column]) => !column.unpublished)
      .map(([column]) => columnSql(column));
    expect(columns.map((column) => column.name)).toEqual(expected);
    const key = columns.filter(({ pk }) => pk > 0).sort((left, right) => left.pk - right.pk);
    expect(key.map((column) => column.name)).toEqual(table.key.map(columnSql));
  },
);

test("the read model has no table that nothing publishes", () => {
  const tables = readModel().prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[];
  const names = new Set(published.map(({ name }) => name));
  expect(tables.map(({ name }) => name).filter((name) => !names.has(name))).toEqual(["chain"]);
});
