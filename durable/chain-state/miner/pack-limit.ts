/**
 * Limit of the transactions in own blocks. An append that fails for another reason than a rule, as when SQLite refuses
 * to write a value, must not stop block production: the next block takes half as many, until the failing transaction is
 * alone in its block and known.
 */
import { equalBytes } from "../../../src/crypto/bytes.ts";
import type { Transaction, TransactionId } from "../../../src/protocol/transactions/transaction.ts";

/** Limit while nothing fails. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

export class PackLimit {
  #limit = NO_LIMIT;
  /** Single transaction of the last such failed block. */
  #suspect: TransactionId | undefined;

  /** Maximum of transactions in the next block, at least 1, besides every other limit. */
  get transactions(): number {
    return this.#limit;
  }

  /**
   * To be called after an append: the way back to full blocks takes as long as the search for the failing transaction.
   */
  succeeded(): void {
    this.#limit = Math.min(this.#limit * 2, NO_LIMIT);
  }

  /**
   * To be called after an append that failed without a rule error.
   * @param transactions of the block
   * @returns the failing transaction, once it has been the only one of the block twice: a single failure may be the
   * database's, and pass
   */
  failed(transactions: readonly Transaction[]): Transaction | undefined {
    this.#limit = Math.max(transactions.length >>> 1, 1);
    const [first] = transactions;
    if (first === undefined || transactions.length > 1) return undefined;
    if (this.#suspect !== undefined && equalBytes(this.#suspect, first.id)) return first;
    this.#suspect = first.id;
    return undefined;
  }
}
