/**
 * The pool's transactions in ChainState's SQLite. They are not chain state: no undo record, no outbox. They are stored
 * because an object may be evicted from memory at any time, and an accepted transaction must not be lost then.
 */
import { encodeHex } from "../../../src/crypto/hex.ts";
import type { TransactionId } from "../../../src/protocol/transactions/transaction.ts";
import { poolTable } from "../../../src/tables/pool.ts";
import { bindCell } from "../../../src/tables/schema/cell.ts";
import { parameters } from "../../../src/tables/schema/row-text.ts";
import { insertRow, queryRows } from "../../sql/plain-rows.ts";
import type { SqlDatabase } from "../../sql/sql-database.ts";
import type { PoolStorage, StoredRange, StoredTransaction } from "./pool-storage.ts";

export class SqlPoolStorage implements PoolStorage {
  readonly #sql: SqlDatabase;

  constructor(sql: SqlDatabase) {
    this.#sql = sql;
  }

  put(id: TransactionId, bytes: Uint8Array): void {
    insertRow(this.#sql, poolTable, { id, bytes });
  }

  putAll(transactions: readonly Pick<StoredTransaction, "id" | "bytes">[]): void {
    const put = (): void => {
      for (const { id, bytes } of transactions) this.put(id, bytes);
    };
    // PERF: one statement is atomic by itself.
    if (transactions.length === 1) put();
    else this.#sql.transaction(put);
  }

  find(id: TransactionId): Uint8Array | undefined {
    return queryRows(this.#sql, poolTable, "WHERE id = ?", bindCell(id))[0]?.bytes;
  }

  removeAll(ids: readonly TransactionId[]): void {
    for (const parameter of parameters(ids.map((id) => `"${encodeHex(id)}"`)))
      this.#sql.exec("DELETE FROM pool WHERE id IN (SELECT unhex(value) FROM json_each(?))", parameter);
  }

  remove(id: TransactionId): number | undefined {
    const [row] = this.#sql.exec("DELETE FROM pool WHERE id = ? RETURNING LENGTH(bytes)", bindCell(id)).raw().toArray();
    return row && Number(row[0]);
  }

  extent(): ReturnType<PoolStorage["extent"]> {
    const [[count, sizeBytes, lastSeq] = []] = this.#sql
      .exec("SELECT COUNT(*), SUM(LENGTH(bytes)), MAX(seq) FROM pool")
      .raw()
      .toArray();
    return { count: Number(count), sizeBytes: Number(sizeBytes ?? 0), lastSeq: Number(lastSeq ?? 0) };
  }

  read({ after, upTo }: StoredRange, atMost: number): readonly StoredTransaction[] {
    return queryRows(this.#sql, poolTable, "WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?", after, upTo, atMost);
  }

  ids({ after, upTo }: StoredRange): readonly TransactionId[] {
    const rows = this.#sql.exec("SELECT id FROM pool WHERE seq > ? AND seq <= ? ORDER BY seq", after, upTo).raw();
    return rows.toArray().map(([id]) => new Uint8Array(id as ArrayBuffer) as TransactionId);
  }
}
