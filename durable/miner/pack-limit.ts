/**
 * How many transactions own blocks take. An append that fails for another reason than a rule, as when SQLite refuses what
 * it would have to write, must not stop block production: the next block takes half as many, until the transaction that
 * is at fault stands alone and is known.
 */
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";

export class PackLimit {
  readonly #most: number;
  #limit: number;

  /** @param most transactions of a block as long as nothing fails */
  constructor(most: number) {
    this.#most = most;
    this.#limit = most;
  }

  /** Transactions that the next block may take, at least 1. */
  get transactions(): number {
    return this.#limit;
  }

  /** To be called after an append: it takes as long to come back to full blocks as it took to find the fault. */
  succeeded(): void {
    this.#limit = Math.min(this.#limit * 2, this.#most);
  }

  /**
   * To be called after an append that no rule refused.
   * @param transactions those of the block
   * @returns the transaction at fault, if it is the only one that the block had
   */
  failed(transactions: readonly Transaction[]): Transaction | undefined {
    this.#limit = Math.max(transactions.length >>> 1, 1);
    return transactions.length === 1 ? transactions[0] : undefined;
  }
}
