/** A database with a comparable dump: of a simulated node, or of a test without workerd. */
import { type NodeDatabase, nodeDatabase } from "./node-database.ts";

export interface TestDatabase extends NodeDatabase {
  /** Every row of every table, as text: equal dumps are equal states. */
  dump(tables: readonly string[]): string;
}

/** @param sqlite default: an empty one in memory, for a node that creates its tables itself */
export function testDatabase(sqlite: NodeDatabase = nodeDatabase()): TestDatabase {
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
