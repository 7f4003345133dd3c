/** Transactions that return from the chain to the pool, until the return is certain. */
import { type BytesKey, bytesKey } from "../../../src/crypto/bytes.ts";
import type { TransactionId } from "../../../src/protocol/transactions/transaction.ts";
import type { PoolUsage } from "./pool-admission.ts";
import type { PoolEntry } from "./pool-entry.ts";

export class Readmission {
  readonly #keys = new Set<BytesKey>();
  #usage: PoolUsage;

  /** @param usage of the pool without the transactions */
  constructor(usage: PoolUsage) {
    this.#usage = usage;
  }

  /** Usage of the pool with the transactions. */
  get usage(): PoolUsage {
    return this.#usage;
  }

  has(id: TransactionId): boolean {
    return this.#keys.has(bytesKey(id));
  }

  add({ key, sizeBytes, isScripted }: PoolEntry): void {
    this.#keys.add(key);
    this.#usage = {
      transactions: this.#usage.transactions + 1,
      bytes: this.#usage.bytes + sizeBytes,
      scriptedTransactions: this.#usage.scriptedTransactions + (isScripted ? 1 : 0),
    };
  }
}
