/**
 * Why the pool lets a transaction go.
 * @source Waves: utx/UtxPoolImpl.scala (TxCheck.isExpired)
 */
import { RuleError } from "../../src/protocol/faults.ts";
import { WorkRefused } from "../../src/ride/work-refused.ts";
import type { StateView } from "../../src/rules/state/state-view.ts";

/** What is thrown for the transaction's own sake. */
export function isRefusal(error: unknown): error is RuleError | WorkRefused {
  return error instanceof RuleError || error instanceof WorkRefused;
}

/** Whether a transaction with the timestamp is too old for every block to come. */
export function isExpired(timestamp: bigint, view: StateView, nowMs: number): boolean {
  return BigInt(nowMs) - timestamp > view.settings.functionality.maxTransactionTimeBackOffsetMs;
}
