/**
 * The state against which the pool checks a transaction.
 * @source Waves: utx/UtxPriorityPool.scala (compositeBlockchain), utx/UtxPoolImpl.scala (TxCheck.isExpired)
 */
import { RuleError } from "../../src/protocol/faults.ts";
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";
import { WorkRefused } from "../../src/ride/work-refused.ts";
import { OverlayView } from "../../src/rules/state/overlay-view.ts";
import type { StateView } from "../../src/rules/state/state-view.ts";
import { applyTransaction } from "../../src/rules/transactions/apply-transaction.ts";
import { tipContext } from "../../src/rules/transactions/tip-context.ts";

/** The tip with transactions on top that a micro-block will bring back; those that no longer hold are passed over. */
export function viewAfter(transactions: Iterable<Transaction>, view: StateView, nowMs: number): StateView {
  const overlay = new OverlayView(view, { height: view.height, mayRefuseWork: true });
  const context = tipContext(view, nowMs, false);
  for (const transaction of transactions) {
    try {
      const { snapshot, status } = applyTransaction(transaction, overlay, context);
      overlay.apply(snapshot);
      overlay.place(transaction, status);
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }
  return overlay;
}

/** What is thrown for the transaction's own sake. */
export function isRefusal(error: unknown): error is RuleError | WorkRefused {
  return error instanceof RuleError || error instanceof WorkRefused;
}

/** Whether a transaction with the timestamp is too old for every block to come. */
export function isExpired(timestamp: bigint, view: StateView, nowMs: number): boolean {
  return BigInt(nowMs) - timestamp > view.settings.functionality.maxTransactionTimeBackOffsetMs;
}
