/** Where the pool keeps its transactions' bytes: memory holds only what decides about their order. */
import type { TransactionId } from "../../src/protocol/transactions/transaction.ts";

export interface StoredTransaction {
  readonly id: TransactionId;
  /** Protobuf `SignedTransaction`. */
  readonly bytes: Uint8Array;
}

export interface PoolStorage {
  /** The id is not there yet. */
  put(id: TransactionId, bytes: Uint8Array): void;
  find(id: TransactionId): Uint8Array | undefined;
  remove(id: TransactionId): void;
  /** In the order in which they were put. */
  all(): Iterable<StoredTransaction>;
}
