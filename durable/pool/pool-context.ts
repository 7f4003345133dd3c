/**
 * Why the pool lets a transaction go.
 * @source Waves: utx/UtxPoolImpl.scala (TxCheck.isExpired)
 */
import type { StateView } from "../../src/rules/state/state-view.ts";

/** Whether a transaction with the timestamp is too old for every block to come. */
export function isExpired(timestamp: bigint, view: StateView, nowMs: number): boolean {
  return BigInt(nowMs) - timestamp > view.settings.functionality.maxTransactionTimeBackOffsetMs;
}
