import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { applyMigrations, splitStatements } from "../../scripts/runner/database-migrations.ts";
import { readMigrationFiles } from "../../scripts/runner/migration-files.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "migrations-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The few calls of D1 that a migration needs, on SQLite in memory. */
function openDatabase() {
  const sqlite = new DatabaseSync(":memory:");
  const prepare = (query: string) => {
    let values: SQLInputValue[] = [];
    const statement = {
      bind: (...given: SQLInputValue[]) => {
        values = given;
        return statement;
      },
      all: async <T>() => ({ results: sqlite.prepare(query).all(...values) as T[] }),
      run: async () => sqlite.prepare(query).run(...values),
    };
    return statement;
  };
  const batch = async (statements: unknown[]) => {
    sqlite.exec("BEGIN");
    try {
      for (const statement of statements) await (statement as ReturnType<typeof prepare>).run();
      sqlite.exec("COMMIT");
    } catch (error) {
      sqlite.exec("ROLLBACK");
      throw error;
    }
  };
  const names = (query: string) =>
    sqlite
      .prepare(query)
      .all()
      .map((row) => row["name"]);
  const database = { prepare, batch } as unknown as D1Database;
  const migrate = () => applyMigrations(database, readMigrationFiles(folder));
  return { migrate, names };
}

const applied = "SELECT name FROM d1_migrations ORDER BY id";
const tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 't%' ORDER BY name";

describe("applyMigrations", () => {
  it("applies each file once, in the order of their names, and a faulty one not at all", async () => {
    const { migrate, names } = openDatabase();
    writeFileSync(path.join(folder, "0002_two.sql"), "ALTER TABLE t1 ADD b TEXT;");
    writeFileSync(
      path.join(folder, "0001_one.sql"),
      "CREATE TABLE t1 (a TEXT); -- one; two\nCREATE TABLE t2 (a TEXT);",
    );
    writeFileSync(path.join(folder, "README.md"), "no migration");
    await migrate();
    await migrate();
    expect(names(applied)).toEqual(["0001_one.sql", "0002_two.sql"]);
    expect(names(tables)).toEqual(["t1", "t2"]);

    writeFileSync(path.join(folder, "0003_three.sql"), "CREATE TABLE t3 (a TEXT); CREATE TABLE t1 (a TEXT);");
    await expect(migrate()).rejects.toThrow(/t1/);
    expect(names(applied)).toEqual(["0001_one.sql", "0002_two.sql"]);
    expect(names(tables)).toEqual(["t1", "t2"]);

    writeFileSync(path.join(folder, "0003_three.sql"), "CREATE TABLE t3 (a TEXT)");
    await migrate();
    expect(names(applied)).toEqual(["0001_one.sql", "0002_two.sql", "0003_three.sql"]);
  });
});

describe("splitStatements", () => {
  it("splits at semicolons outside of quotes and comments, and drops comments", () => {
    const sql = `-- first; comment
      SELECT 'a;b''; -- c' AS "x;y"; /* two;
      lines */ SELECT 1 - 2 / 3;;
      SELECT \`odd;name\``;
    expect(splitStatements(sql)).toEqual([`SELECT 'a;b''; -- c' AS "x;y"`, "SELECT 1 - 2 / 3", "SELECT `odd;name`"]);
  });
});
