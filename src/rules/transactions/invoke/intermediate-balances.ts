/**
 * Checks of balances between the calls of a transaction.
 * @source Waves: state/diffs/invoke/InvokeScriptDiff.scala (validateIntermediateBalances)
 */
import { addressText } from "../../../crypto/address.ts";
import { encodeBase58 } from "../../../crypto/base58.ts";
import { Feature } from "../../../network/features.ts";
import type { Snapshot } from "../../../protocol/snapshots/snapshot.ts";
import type { LogEntry } from "../../../ride/evaluator/evaluation-log.ts";
import type { StateView } from "../../state/state-view.ts";
import { checkBalances } from "../checks/balances.ts";
import { dAppFailure, FailOrReject } from "../failed-transaction.ts";
import { causeText, isCallError } from "./refusal-text.ts";

/**
 * Checks that no call leaves a negative balance, whatever later calls do. Before feature 17 a violation refuses the
 * transaction.
 * @param spentComplexity complexity of a failure
 * @throws FailedTransaction, FailOrReject
 */
export function checkIntermediateBalances(
  snapshot: Snapshot,
  view: StateView,
  spentComplexity: number,
  log: readonly LogEntry[],
): void {
  if (view.has(Feature.RideV6)) {
    try {
      checkBalances(snapshot, view);
    } catch (error) {
      if (isCallError(error)) throw dAppFailure(causeText(error), spentComplexity, log);
      throw error;
    }
    return;
  }
  if (view.height < view.settings.functionality.enforceTransferValidationAfter) return;
  const negative = snapshot.balances?.find(({ balance }) => balance < 0n);
  if (negative === undefined) return;
  const { address, asset, balance } = negative;
  const name = asset === null ? "waves" : `asset ${encodeBase58(asset)}`;
  const old = view.balance(address, asset);
  throw new FailOrReject(`${addressText(address)}: Negative ${name} balance: old = ${old}, new = ${balance}`);
}
