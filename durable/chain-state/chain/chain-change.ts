import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import type { DiscardedTransaction } from "../../../src/rules/transactions/composite-view.ts";

/**
 * What became of transactions when the chain changed; none stands in two of the lists. Those that left are read from the
 * tables as they are gone through: within the change, and once.
 */
export interface ChainChange {
  /** Of the blocks and micro-blocks that came into the chain. */
  readonly appended: Iterable<Pick<Transaction, "id">>;
  /**
   * Of micro-blocks, or of the whole liquid block, that a key block left behind: they go first in the pool. Undefined
   * where the tip was extended by a micro-block: what goes first stays the same.
   */
  readonly discarded: Iterable<DiscardedTransaction> | undefined;
  /** Of blocks that a branch took the place of, or that were taken back: they wait in the pool like any other. */
  readonly dropped: Iterable<Transaction>;
}

/**
 * Is told of a change within its SQLite transaction: what it writes lands with the change or not at all, and what it
 * throws undoes the change.
 * @returns what is to be done in memory once the change has landed; it must not fail
 */
export type FollowChange = (change: ChainChange) => () => void;
