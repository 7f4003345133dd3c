/**
 * Fake D1 over Node's own SQLite, with D1's behaviour: blobs come out as lists of numbers, integers past 2^53 are
 * rounded, a batch is one transaction, and Cloudflare's limits hold.
 */
import { DatabaseSync } from "node:sqlite";
import { schemaSql } from "../../src/tables/all-tables.ts";
import { metaTable } from "../../src/tables/meta.ts";
import { SCHEMA_VERSION } from "../../src/tables/migrations/all-migrations.ts";
import { RELEASE } from "../../src/tables/migrations/release.ts";
import { rowText } from "../../src/tables/schema/row-text.ts";
import type { Row, Table } from "../../src/tables/schema/table.ts";
import { checkPlatformStatement } from "./platform-statement.ts";

type Bound = string | number | null | Uint8Array;

function bound(value: unknown): Bound {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (value === null || typeof value === "string" || typeof value === "number" || value instanceof Uint8Array)
    return value;
  throw new TypeError(`D1_TYPE_ERROR: Type '${typeof value}' not supported for value '${String(value)}'`);
}

function fromD1(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  return value instanceof Uint8Array ? Array.from(value) : value;
}

class Statement {
  readonly #database: DatabaseSync;
  readonly #sql: string;
  readonly #values: readonly Bound[];

  constructor(database: DatabaseSync, sql: string, values: readonly Bound[] = []) {
    this.#database = database;
    this.#sql = sql;
    this.#values = values;
  }

  bind(...values: readonly unknown[]): Statement {
    return new Statement(this.#database, this.#sql, values.map(bound));
  }

  run(): { success: true; results: unknown[]; meta: object } {
    checkPlatformStatement(this.#sql, this.#values);
    const statement = this.#database.prepare(this.#sql);
    statement.setReadBigInts(true);
    const rows = statement.all(...this.#values) as Record<string, unknown>[];
    const results = rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, fromD1(cell)])),
    );
    return { success: true, results, meta: {} };
  }
}

/** A read model of this release, without a row of the chain. */
function newReadModel(): DatabaseSync {
  const sqlite = new DatabaseSync(":memory:");
  for (const statement of schemaSql("readModel")) sqlite.exec(statement);
  putRows(sqlite, metaTable, [
    { name: "schema", value: String(SCHEMA_VERSION) },
    { name: "release", value: RELEASE },
  ]);
  return sqlite;
}

/** Writes rows as the publisher does. */
export function putRows<R extends Row>(sqlite: DatabaseSync, table: Table<R>, rows: readonly NoInfer<R>[]): void {
  sqlite.prepare(table.publishSql).run(`[${rows.map((row) => rowText(table, row)).join(",")}]`);
}

/** A D1 database and its SQLite; default: with the tables of this release. */
export function d1Double(sqlite = newReadModel()): { readonly d1: D1Database; readonly sqlite: DatabaseSync } {
  const methods = {
    prepare: (sql: string) => new Statement(sqlite, sql),
    batch: async (statements: readonly Statement[]) => {
      sqlite.exec("BEGIN");
      try {
        const results = statements.map((statement) => statement.run());
        sqlite.exec("COMMIT");
        return results;
      } catch (error) {
        sqlite.exec("ROLLBACK");
        throw error;
      }
    },
    getBookmark: () => "bookmark",
  };
  const d1 = { ...methods, withSession: () => methods };
  return { d1: d1 as unknown as D1Database, sqlite };
}
