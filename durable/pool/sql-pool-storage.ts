/**
 * The pool's transactions in ChainState's SQLite. They are not chain state: no undo record, no outbox. They are there
 * because an object may be evicted from memory at any time, and a transaction that was accepted must not be lost then.
 */
import type { TransactionId } from "../../src/protocol/transactions/transaction.ts";
import { bindCell } from "../../src/tables/schema/table.ts";
import type { SqlDatabase } from "../state/state-store.ts";
import type { PoolStorage, StoredTransaction } from "./pool-storage.ts";

/** Rows are numbered by SQLite in the order of their arrival. */
export const createPoolTableSql =
  "CREATE TABLE pool (seq INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, bytes BLOB NOT NULL)";

export class SqlPoolStorage implements PoolStorage {
  readonly #sql: SqlDatabase;

  constructor(sql: SqlDatabase) {
    this.#sql = sql;
  }

  put(id: TransactionId, bytes: Uint8Array): void {
    this.#sql.exec("INSERT INTO pool (id, bytes) VALUES (?, ?)", bindCell(id), bindCell(bytes));
  }

  find(id: TransactionId): Uint8Array | undefined {
    for (const [bytes] of this.#sql.exec("SELECT bytes FROM pool WHERE id = ?", bindCell(id)).raw())
      return new Uint8Array(bytes as ArrayBuffer);
    return undefined;
  }

  remove(id: TransactionId): void {
    this.#sql.exec("DELETE FROM pool WHERE id = ?", bindCell(id));
  }

  *all(): Iterable<StoredTransaction> {
    for (const [id, bytes] of this.#sql.exec("SELECT id, bytes FROM pool ORDER BY seq").raw())
      yield { id: new Uint8Array(id as ArrayBuffer) as TransactionId, bytes: new Uint8Array(bytes as ArrayBuffer) };
  }
}
