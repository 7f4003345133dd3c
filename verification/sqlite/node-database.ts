/** Node's own SQLite with the interface and limits of a Durable Object's, for scripts and tests without workerd. */
import { DatabaseSync } from "node:sqlite";
import type { SqlDatabase } from "../../durable/sql/sql-database.ts";
import { schemaSql } from "../../src/tables/all-tables.ts";
import type { StoredValue } from "../../src/tables/schema/cell.ts";
import { checkPlatformStatement } from "./platform-statement.ts";

export interface NodeDatabase extends SqlDatabase {
  /** Like `transactionSync` of a Durable Object. */
  transaction<T>(run: () => T): T;
  readonly database: DatabaseSync;
}

/** @param file of the database; default: in memory */
export function nodeDatabase(file = ":memory:", options: { readonly readOnly?: boolean } = {}): NodeDatabase {
  const database = new DatabaseSync(file, options);
  const statements = new Map<string, ReturnType<DatabaseSync["prepare"]>>();
  const prepare = (query: string) => {
    const known = statements.get(query);
    if (known !== undefined) return known;
    const statement = database.prepare(query);
    statement.setReturnArrays(true);
    statements.set(query, statement);
    return statement;
  };
  const exec = (query: string, ...bindings: StoredValue[]) => {
    checkPlatformStatement(query, bindings);
    const values = bindings.map((value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value));
    const rows = prepare(query).all(...values) as unknown as (string | number | null | Uint8Array)[][];
    const stored = rows.map((row) =>
      row.map((value) => (value instanceof Uint8Array ? (value.slice().buffer as ArrayBuffer) : value)),
    );
    return { raw: () => stored.values() };
  };
  return {
    database,
    exec,
    transaction(run) {
      database.exec("SAVEPOINT step");
      try {
        const result = run();
        database.exec("RELEASE step");
        return result;
      } catch (error) {
        database.exec("ROLLBACK TO step; RELEASE step");
        throw error;
      }
    },
  };
}

/** An in-memory database with ChainState's tables, all empty. */
export function stateDatabase(): NodeDatabase {
  const database = nodeDatabase();
  for (const statement of schemaSql("object")) database.exec(statement);
  return database;
}
