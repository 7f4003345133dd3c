/**
 * Timestamps of transactions: they may differ a little from that of their block. The differences wrap in 64 bits: a
 * time near -2^63 passes both checks, and such a transaction never becomes too old.
 * @source Waves: state/diffs/CommonValidation.scala (disallowTxFromFuture, disallowTxFromPast)
 */
import { RuleError } from "../../../protocol/errors.ts";
import type { Transaction } from "../../../protocol/transactions/transaction.ts";
import type { StateView } from "../../state/state-view.ts";
import type { BlockContext } from "../block-context.ts";

/** @throws RuleError timestampFromFuture, timestampFromPast */
export function checkTimestamp({ timestamp }: Transaction, view: StateView, context: BlockContext): void {
  const { functionality } = view.settings;
  const { blockTimestamp, previousBlockTimestamp } = context;
  // Until 2018 mainnet accepted transactions from the future.
  const mayComeFromFuture = timestamp < functionality.lastTimeBasedForkParameter;
  const forwardLimitMs = functionality.maxTransactionTimeForwardOffsetMs;
  if (!mayComeFromFuture && difference(timestamp, blockTimestamp) > forwardLimitMs) {
    throw new RuleError({ code: "timestampFromFuture", timestamp, limitMs: forwardLimitMs, blockTimestamp });
  }
  const backLimitMs = functionality.maxTransactionTimeBackOffsetMs;
  if (previousBlockTimestamp !== undefined && difference(previousBlockTimestamp, timestamp) > backLimitMs) {
    throw new RuleError({ code: "timestampFromPast", timestamp, limitMs: backLimitMs, previousBlockTimestamp });
  }
}

function difference(leftMs: bigint, rightMs: bigint): bigint {
  return BigInt.asIntN(64, leftMs - rightMs);
}
