/** A D1 database with a counter of rows read, as Cloudflare charges them. */
import { type Database, rowsReadBy } from "./database.ts";

/** @param onBatch called after each batch with the number of rows that it has read, as Cloudflare charges them */
export function meteredDatabase(database: Database, onBatch: (rowsRead: number) => void): Database {
  return {
    prepare: (sql) => database.prepare(sql),
    batch: metered(database, onBatch),
    withSession: (from) => {
      const session = database.withSession(from);
      return {
        prepare: (sql) => session.prepare(sql),
        batch: metered(session, onBatch),
        getBookmark: () => session.getBookmark(),
      } as D1DatabaseSession;
    },
  };
}

function metered(database: Pick<D1Database, "batch">, onBatch: (rowsRead: number) => void): D1Database["batch"] {
  return async <T = unknown>(statements: D1PreparedStatement[]) => {
    const results = await database.batch<T>(statements);
    onBatch(results.reduce((sum, result) => sum + rowsReadBy(result), 0));
    return results;
  };
}
