/** Storage of the bytes of the pool's transactions: memory holds only the data that decides their order. */
import type { TransactionId } from "../../../src/protocol/transactions/transaction.ts";

export interface StoredTransaction {
  /** Number that grows with each insertion; the number of a removed row may be reused by the next one. */
  readonly seq: number;
  readonly id: TransactionId;
  /** Protobuf `SignedTransaction`. */
  readonly bytes: Uint8Array;
}

/** Rows after one number, up to another. */
export interface StoredRange {
  readonly after: number;
  readonly upTo: number;
}

export interface PoolStorage {
  /** Inserts a transaction whose id is not yet stored. */
  put(id: TransactionId, bytes: Uint8Array): void;
  /** Inserts all transactions or none. Their ids are not yet stored. */
  putAll(transactions: readonly Pick<StoredTransaction, "id" | "bytes">[]): void;
  find(id: TransactionId): Uint8Array | undefined;
  /** Removes transactions, of which some may be missing. */
  removeAll(ids: readonly TransactionId[]): void;
  /** @returns length of the removed bytes; undefined if the transaction was not stored */
  remove(id: TransactionId): number | undefined;
  /** Totals of the stored rows, without reading their bytes. */
  extent(): { readonly count: number; readonly sizeBytes: number; readonly lastSeq: number };
  /** First rows of a range, in order of insertion. */
  read(range: StoredRange, atMost: number): readonly StoredTransaction[];
  /** All ids of a range, in the same order. */
  ids(range: StoredRange): readonly TransactionId[];
}
