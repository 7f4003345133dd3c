/** Where the pool keeps its transactions' bytes: memory holds only what decides about their order. */
import type { TransactionId } from "../../../src/protocol/transactions/transaction.ts";

export interface StoredTransaction {
  /** Grows with each one that is put; one that was removed may leave its number to the next. */
  readonly seq: number;
  readonly id: TransactionId;
  /** Protobuf `SignedTransaction`. */
  readonly bytes: Uint8Array;
}

/** A part of the storage: what was put behind one number, up to another. */
export interface StoredRange {
  readonly after: number;
  readonly upTo: number;
}

export interface PoolStorage {
  /** The id is not there yet. */
  put(id: TransactionId, bytes: Uint8Array): void;
  /** All of them or none. Their ids are not there yet. */
  putAll(transactions: readonly Pick<StoredTransaction, "id" | "bytes">[]): void;
  find(id: TransactionId): Uint8Array | undefined;
  /** Whether or not they are there. */
  removeAll(ids: readonly TransactionId[]): void;
  /** @returns length of the bytes that were there, undefined where there were none */
  remove(id: TransactionId): number | undefined;
  /** How much there is, without reading it. */
  extent(): { readonly count: number; readonly sizeBytes: number; readonly lastSeq: number };
  /** The first of a range, in the order in which they were put. */
  read(range: StoredRange, atMost: number): readonly StoredTransaction[];
  /** All ids of a range, in the same order. */
  ids(range: StoredRange): readonly TransactionId[];
}
