/**
 * The pool's transactions in ChainState's SQLite. They are not chain state: no undo record, no outbox. They are there
 * because an object may be evicted from memory at any time, and a transaction that was accepted must not be lost then.
 */
import type { TransactionId } from "../../src/protocol/transactions/transaction.ts";
import { poolTable } from "../../src/tables/pool.ts";
import { bindCell } from "../../src/tables/schema/cell.ts";
import { readRow } from "../../src/tables/schema/stored-row.ts";
import { insertRow, queryRows } from "../state/plain-rows.ts";
import type { SqlDatabase } from "../state/sql-database.ts";
import type { PoolStorage, StoredTransaction } from "./pool-storage.ts";

export class SqlPoolStorage implements PoolStorage {
  readonly #sql: SqlDatabase;

  constructor(sql: SqlDatabase) {
    this.#sql = sql;
  }

  put(id: TransactionId, bytes: Uint8Array): void {
    insertRow(this.#sql, poolTable, { id, bytes });
  }

  find(id: TransactionId): Uint8Array | undefined {
    return queryRows(this.#sql, poolTable, "WHERE id = ?", bindCell(id))[0]?.bytes;
  }

  remove(id: TransactionId): void {
    this.#sql.exec("DELETE FROM pool WHERE id = ?", bindCell(id));
  }

  *all(): Iterable<StoredTransaction> {
    // One by one: a full pool has tens of megabytes.
    for (const values of this.#sql.exec(`${poolTable.fromSql} ORDER BY seq`).raw()) yield readRow(poolTable, values);
  }
}
