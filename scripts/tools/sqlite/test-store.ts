/** Databases for tests that need no workerd. */

import { createStateTables, StateStore } from "../../../durable/state/state-store.ts";
import { type NodeDatabase, nodeDatabase } from "./node-database.ts";

export interface TestDatabase extends NodeDatabase {
  /** Every row of every table, as text: equal dumps are equal states. */
  dump(tables: readonly string[]): string;
}

export function testDatabase(): TestDatabase {
  const sqlite = nodeDatabase();
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

/** An empty store over a database of its own. */
export function testStore(): { readonly store: StateStore; readonly database: TestDatabase } {
  const database = testDatabase();
  createStateTables(database);
  return { store: new StateStore(database), database };
}
