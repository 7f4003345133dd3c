/**
 * How many transactions own blocks take. An append that fails for another reason than a rule, as when SQLite refuses what
 * it would have to write, must not stop block production: the next block takes half as many, until the transaction that
 * is at fault stands alone and is known.
 */
import { equalBytes } from "../../src/crypto/bytes.ts";
import type { Transaction, TransactionId } from "../../src/protocol/transactions/transaction.ts";

/** As long as nothing fails. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

export class PackLimit {
  #limit = NO_LIMIT;
  /** Stood alone in the block that failed last of all such. */
  #suspect: TransactionId | undefined;

  /** Transactions that the next block may take, at least 1, beside every other limit. */
  get transactions(): number {
    return this.#limit;
  }

  /** To be called after an append: it takes as long to come back to full blocks as it took to find the fault. */
  succeeded(): void {
    this.#limit = Math.min(this.#limit * 2, NO_LIMIT);
  }

  /**
   * To be called after an append that failed, though no rule refused it.
   * @param transactions those of the block
   * @returns the transaction at fault, once it has been the only one of the block twice: what fails once may be the
   *   database's fault, and pass
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
