import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import type { DiscardedTransaction } from "../../../src/rules/transactions/composite-view.ts";

/**
 * Effect of a chain change on transactions; none is in two of the lists. Transactions that left the chain are read from
 * the tables on iteration: only within the change, and only once.
 */
export interface ChainChange {
  /** Transactions of the blocks and micro-blocks that entered the chain. */
  readonly appended: Iterable<Pick<Transaction, "id">>;
  /**
   * Transactions of micro-blocks, or of the whole liquid block, that a key block discarded: they enter the priority
   * pool. Undefined if a micro-block or a batch of blocks extended the tip: the priority pool stays the same.
   */
  readonly discarded: Iterable<DiscardedTransaction> | undefined;
  /** Transactions of blocks that a branch replaced or that were rolled back: they wait in the pool like any other. */
  readonly dropped: Iterable<Transaction>;
}

/**
 * Called with a change within its SQLite transaction: its writes land with the change or not at all, and an error that
 * it throws undoes the change.
 * @returns update of memory, to be called once the change has landed; it must not fail
 */
export type FollowChange = (change: ChainChange) => () => void;
