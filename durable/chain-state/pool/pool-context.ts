/**
 * Age rules by which the pool drops or refuses transactions.
 * @source Waves: utx/UtxPoolImpl.scala (TxCheck.isExpired)
 */
import { RuleError } from "../../../src/protocol/errors.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import type { BlockContext } from "../../../src/rules/transactions/block-context.ts";

/** Whether a transaction with the timestamp is too old for every future block. */
export function isExpired(timestamp: bigint, view: StateView, nowMs: number): boolean {
  return BigInt(nowMs) - timestamp > view.settings.functionality.maxTransactionTimeBackOffsetMs;
}

/**
 * Refuses a timestamp near -2^63, although the rules accept it: their difference of times wraps, `isExpired` does not.
 * @throws RuleError timestampFromPast
 */
export function checkAge(
  timestamp: bigint,
  view: StateView,
  { previousBlockTimestamp }: Pick<BlockContext, "previousBlockTimestamp">,
): void {
  if (previousBlockTimestamp === undefined || !isExpired(timestamp, view, Number(previousBlockTimestamp))) return;
  const limitMs = view.settings.functionality.maxTransactionTimeBackOffsetMs;
  throw new RuleError({ code: "timestampFromPast", timestamp, limitMs, previousBlockTimestamp });
}
