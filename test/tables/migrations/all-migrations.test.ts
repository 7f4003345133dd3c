/** The frozen statements of the migrations lead to the declared tables. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, test } from "vitest";
import { openTables } from "../../../durable/chain-state/state/open-tables.ts";
import { StateStore } from "../../../durable/chain-state/state/state-store.ts";
import { schemaSql, tablesOf } from "../../../src/tables/all-tables.ts";
import { migrations, SCHEMA_VERSION } from "../../../src/tables/migrations/all-migrations.ts";
import { RELEASE } from "../../../src/tables/migrations/release.ts";
import { migrationsAfter } from "../../../src/tables/migrations/upgrade.ts";
import { addedLater, bytes, i64, int, nullable, text } from "../../../src/tables/schema/column.ts";
import { createSql, type Database } from "../../../src/tables/schema/schema-text.ts";
import { table } from "../../../src/tables/schema/table.ts";
import { nodeDatabase } from "../../../verification/sqlite/node-database.ts";
import { missingStatements } from "../../support/fixtures/missing-statements.ts";
import { schemaOf } from "../../support/fixtures/schema-of.ts";
import { DatabaseCopies, storedNetwork, storedVersions } from "../../support/fixtures/stored-databases.ts";

const copies = new DatabaseCopies();
afterAll(() => copies.remove());

const databases = [
  ["object", "chain-state"],
  ["readModel", "read-model"],
] as const;

function newDatabase(statements: readonly string[]): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  for (const statement of statements) database.exec(statement);
  return database;
}

/** A copy of a stored database after all migrations. */
function upgraded(kind: Database, name: "chain-state" | "read-model", version: number): DatabaseSync {
  const file = copies.copy(version, name);
  if (kind === "object") {
    const stored = nodeDatabase(file);
    openTables(new StateStore(stored), storedNetwork(version).genesisText);
    return stored.database;
  }
  const stored = new DatabaseSync(file);
  for (const { readModel } of migrationsAfter(kind, { version, release: undefined }))
    for (const statement of readModel) stored.exec(statement);
  return stored;
}

test("versions come one after the other, and each has databases that a node of it left behind", () => {
  expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 2));
  // The newest: `npx node verification/make-databases.ts --out test/fixtures/databases/v…`
  expect(storedVersions).toEqual(Array.from({ length: SCHEMA_VERSION }, (_, index) => index + 1));
});

test("the release is that of package.json", () => {
  const { version } = JSON.parse(readFileSync(path.join(import.meta.dirname, "../../../package.json"), "utf8"));
  expect(RELEASE).toBe(version);
});

describe.each(databases)("%s", (database, name) => {
  // The output goes into a new migration unchanged.
  test("nothing that is declared is missing after the migrations", () => {
    const first = upgraded(database, name, 1);
    expect(missingStatements(schemaOf(first), tablesOf[database], database)).toEqual([]);
  });

  test.each(storedVersions)("a database of version %i comes to exactly the schema of a new one", (version) => {
    expect(schemaOf(upgraded(database, name, version))).toEqual(schemaOf(newDatabase(schemaSql(database))));
  });
});

describe("missingStatements", () => {
  const declaration = {
    name: "made_up",
    comment: "of a test",
    key: ["id"],
    published: true,
    inCheckpoint: "all",
  } as const;
  const before = table({ ...declaration, columns: { id: bytes(), amount: i64 } });
  const after = table({
    ...declaration,
    columns: { id: bytes(), amount: i64, note: addedLater(nullable(text), undefined), weight: addedLater(int, 5) },
    indexes: { made_up_by_weight: { on: "weight", where: "weight > 5" } },
  });

  test("gives the statements that make one schema of the other", () => {
    const database = newDatabase(createSql(before, "object"));
    database.exec("INSERT INTO made_up VALUES (x'01', 7)");
    const statements = missingStatements(schemaOf(database), [after], "object");
    expect(statements).toEqual([
      "ALTER TABLE made_up ADD COLUMN note TEXT DEFAULT NULL",
      "ALTER TABLE made_up ADD COLUMN weight INTEGER NOT NULL DEFAULT 5",
      "CREATE INDEX made_up_by_weight ON made_up (weight) WHERE weight > 5",
    ]);
    for (const statement of statements) database.exec(statement);
    expect(schemaOf(database)).toEqual(schemaOf(newDatabase(createSql(after, "object"))));
    expect(database.prepare("SELECT amount, note, weight FROM made_up").get()).toEqual({
      ...{ amount: 7, note: null, weight: 5 },
    });
  });

  test("drops what is declared no more, and says what no statement can do", () => {
    const database = newDatabase(createSql(after, "object"));
    expect(missingStatements(schemaOf(database), [], "object")).toEqual([
      "DROP TABLE made_up",
      "DROP INDEX made_up_by_weight",
    ]);
    expect(() => missingStatements(schemaOf(database), [before], "object")).toThrow("no column can be added");
  });
});
