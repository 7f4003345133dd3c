/** Transactions that a key block discards. */

import { encodeTransactionSnapshot } from "../../../src/protocol/snapshots/transaction-snapshot.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import type { DiscardedTransaction } from "../../../src/rules/transactions/composite-view.ts";
import type { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";

/** With their state snapshots in the node's next micro-block, one after the other. */
export function discardedOf({ chain }: SimulatedNode, transactions: readonly Transaction[]): DiscardedTransaction[] {
  const { run } = chain.liquid.openMicroBlock({ verifySignatures: false });
  for (const transaction of transactions) run.add(transaction);
  return run.included.map((included) => ({
    transaction: included.transaction,
    stateSnapshot: encodeTransactionSnapshot(included),
  }));
}

/** By a node that stores no state snapshots. */
export function withoutStateSnapshots(transactions: readonly Transaction[]): DiscardedTransaction[] {
  return transactions.map((transaction) => ({ transaction, stateSnapshot: undefined }));
}
