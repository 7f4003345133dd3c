/** PeerHub's data about other nodes, in its own SQLite. */

import type { SqlDatabase } from "../sql/sql-database.ts";
import type { PeerRow, PeerStorage } from "./sessions/peer-storage.ts";

/** Version of the table. A change empties the table without a migration, since the data come back from peers. */
const VERSION = 1;

const statements = [
  "DROP TABLE IF EXISTS peer",
  `CREATE TABLE peer (
    kind TEXT NOT NULL, place TEXT NOT NULL, time_ms INTEGER NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (kind, place)
  ) WITHOUT ROWID`,
  "DELETE FROM peer_version",
  `INSERT INTO peer_version (version) VALUES (${VERSION})`,
];

export class SqlPeerStorage implements PeerStorage {
  readonly #sql: SqlDatabase;

  /** Creates the table if it is missing, or is of another release. */
  constructor(sql: SqlDatabase) {
    this.#sql = sql;
    sql.transaction(() => {
      sql.exec("CREATE TABLE IF NOT EXISTS peer_version (version INTEGER NOT NULL)");
      const [found] = sql.exec("SELECT version FROM peer_version").raw();
      if (found?.[0] !== VERSION) for (const statement of statements) sql.exec(statement);
    });
  }

  rows(): readonly PeerRow[] {
    const rows = this.#sql.exec("SELECT kind, place, time_ms, reason FROM peer ORDER BY time_ms").raw();
    return Array.from(rows, ([kind, place, timeMs, reason]) => ({
      kind: kind as PeerRow["kind"],
      place: String(place),
      timeMs: Number(timeMs),
      reason: String(reason),
    }));
  }

  put({ kind, place, timeMs, reason }: PeerRow): void {
    const sql = "INSERT OR REPLACE INTO peer (kind, place, time_ms, reason) VALUES (?, ?, ?, ?)";
    this.#sql.exec(sql, kind, place, timeMs, reason);
  }

  remove(kind: PeerRow["kind"], place: string): void {
    this.#sql.exec("DELETE FROM peer WHERE kind = ? AND place = ?", kind, place);
  }
}
