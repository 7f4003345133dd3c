/**
 * D1 over Node's own SQLite, with what D1 does to values: blobs come out as lists of numbers, integers past 2^53 are
 * rounded, a batch is one transaction.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const migrations = join(import.meta.dirname, "..", "..", "migrations");

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
    const statement = this.#database.prepare(this.#sql);
    statement.setReadBigInts(true);
    const rows = statement.all(...this.#values) as Record<string, unknown>[];
    const results = rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, fromD1(cell)])),
    );
    return { success: true, results, meta: {} };
  }
}

/** A D1 database with the migrations applied, and its SQLite beneath. */
export function d1Double(): { readonly d1: D1Database; readonly sqlite: DatabaseSync } {
  const sqlite = new DatabaseSync(":memory:");
  for (const file of readdirSync(migrations).sort()) sqlite.exec(readFileSync(join(migrations, file), "utf8"));
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
