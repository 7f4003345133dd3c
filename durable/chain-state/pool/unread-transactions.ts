/**
 * Transactions that the storage held when the pool was opened, as long as they are not in memory: a full pool takes
 * seconds to parse, and a start must not wait for it. They are read in portions, in the order in which they came.
 */
import type { TransactionId } from "../../../src/protocol/transactions/transaction.ts";
import type { PoolStorage, StoredTransaction } from "./pool-storage.ts";

/** Rows read at a time: some transactions have a hundred kilobytes and more. */
const READ_ROWS = 50;

export class UnreadTransactions {
  readonly #storage: PoolStorage;
  #range: { readonly after: number; readonly upTo: number };
  #count: number;
  #sizeBytes: number;

  /** All that the storage holds. */
  constructor(storage: PoolStorage) {
    this.#storage = storage;
    const { count, sizeBytes, lastSeq } = storage.extent();
    this.#range = { after: 0, upTo: lastSeq };
    this.#count = count;
    this.#sizeBytes = sizeBytes;
  }

  /** How many there are. */
  get count(): number {
    return this.#count;
  }

  /** Length of what the storage holds of them. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Number of the last one: those that come later have higher ones. */
  get lastSeq(): number {
    return this.#range.upTo;
  }

  has(id: TransactionId): boolean {
    return this.#count > 0 && this.#storage.find(id) !== undefined;
  }

  /** Some of the next ones, and among them perhaps some that are in memory; none once all are read. */
  read(): readonly StoredTransaction[] {
    return this.#storage.read(this.#range, READ_ROWS);
  }

  /** To be called of each one that `read` gave, before anything is done with it: what fails at it costs no other one. */
  passes({ seq }: StoredTransaction): void {
    this.#range = { ...this.#range, after: seq };
  }

  /** As `read`, of all that is left. */
  ids(): readonly TransactionId[] {
    return this.#count > 0 ? this.#storage.ids(this.#range) : [];
  }

  /** To be called of each one that is in memory now, or gone. @param sizeBytes what the storage held of it */
  leaves(sizeBytes: number): void {
    this.#count -= 1;
    this.#sizeBytes -= sizeBytes;
  }
}
