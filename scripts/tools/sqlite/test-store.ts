/** Databases for tests that need no workerd. */

import { StateStore } from "../../../durable/state/state-store.ts";
import { type NodeDatabase, stateDatabase } from "./node-database.ts";

export interface TestDatabase extends NodeDatabase {
  /** Every row of every table, as text: equal dumps are equal states. */
  dump(tables: readonly string[]): string;
}

/** A database in memory with ChainState's tables. */
export function testDatabase(sqlite: NodeDatabase = stateDatabase()): TestDatabase {
  return {
    ...sqlite,
    dump: (tables) =>
      tables
        .map((table) => {
          const rows = sqlite.database.prepare(`SELECT * FROM ${table}`);
          rows.setReadBigInts(true);
          const lines = rows.all().map((row) =>
            Object.values(row)
              .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("hex") : String(value)))
              .join("|"),
          );
          return `${table}\n${lines.sort().join("\n")}`;
        })
        .join("\n\n"),
  };
}

/** A store over the database; by default over an empty one of its own. */
export function testStore(database = testDatabase()): { readonly store: StateStore; readonly database: TestDatabase } {
  return { store: new StateStore(database), database };
}
