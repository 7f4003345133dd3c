/**
 * Stored transactions that are not yet in memory since the pool was opened: a full pool takes seconds to parse, and a
 * start must not wait for it. They are read in batches, in order of arrival.
 */
import type { TransactionId } from "../../../src/protocol/transactions/transaction.ts";
import type { PoolStorage, StoredTransaction } from "./pool-storage.ts";

/** Rows read at a time: some transactions are larger than a hundred kilobytes. */
const READ_ROWS = 50;

export class UnreadTransactions {
  readonly #storage: PoolStorage;
  #range: { readonly after: number; readonly upTo: number };
  #count: number;
  #sizeBytes: number;

  /** Begins with all transactions of the storage. */
  constructor(storage: PoolStorage) {
    this.#storage = storage;
    const { count, sizeBytes, lastSeq } = storage.extent();
    this.#range = { after: 0, upTo: lastSeq };
    this.#count = count;
    this.#sizeBytes = sizeBytes;
  }

  /** Number of unread transactions. */
  get count(): number {
    return this.#count;
  }

  /** Stored size of the unread transactions. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Number of the last one; transactions added later have higher numbers. */
  get lastSeq(): number {
    return this.#range.upTo;
  }

  has(id: TransactionId): boolean {
    return this.#count > 0 && this.#storage.find(id) !== undefined;
  }

  /** Next rows, of which some may already be in memory; none once all are read. */
  read(): readonly StoredTransaction[] {
    return this.#storage.read(this.#range, READ_ROWS);
  }

  /** To be called for each row of `read` before it is used: a row that causes an error is not read again. */
  passes({ seq }: StoredTransaction): void {
    this.#range = { ...this.#range, after: seq };
  }

  /** Ids of all remaining rows, some of which may already be in memory. */
  ids(): readonly TransactionId[] {
    return this.#count > 0 ? this.#storage.ids(this.#range) : [];
  }

  /** To be called for each one that is now in memory or removed. @param sizeBytes its stored size */
  removed(sizeBytes: number): void {
    this.#count -= 1;
    this.#sizeBytes -= sizeBytes;
  }
}
