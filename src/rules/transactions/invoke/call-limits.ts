/**
 * Limits that all calls of one transaction share.
 * @source Waves: state/diffs/invoke/InvokeDiffsCommon.scala (checkCallResultLimits)
 */
import { Feature } from "../../../network/features.ts";
import type { LogEntry } from "../../../ride/evaluator/evaluation-log.ts";
import { actionsOf, type CallableAction } from "../../../ride/results/callable-action.ts";
import type { StateView } from "../../state/state-view.ts";
import { dAppFailure, FailOrReject } from "../failed-transaction.ts";
import { writtenBytes } from "./data-actions.ts";
import { type ActionAllowance, maxTotalDataBytes } from "./limits.ts";
import { countActions } from "./process-actions.ts";

/** Part of the allowance that the actions of a call use. */
export function usageOf(actions: readonly CallableAction[], view: StateView): ActionAllowance {
  const { data, balance, asset, other } = countActions(actions);
  return {
    actions: other,
    balanceActions: balance,
    assetActions: asset,
    dataEntries: data,
    dataBytes: writtenBytes(actionsOf(actions, "data"), view),
  };
}

export interface CallLimitOptions {
  readonly used: ActionAllowance;
  readonly allowance: ActionAllowance;
  readonly libraryVersion: number;
  readonly rootVersion: number;
  readonly spentComplexity: number;
  readonly log: readonly LogEntry[];
}

/** @throws FailedTransaction, FailOrReject */
export function checkCallLimits(options: CallLimitOptions, view: StateView): void {
  const { used, allowance, libraryVersion, rootVersion, spentComplexity, log } = options;
  const fail = (message: string): never => {
    throw dAppFailure(message, spentComplexity, log);
  };
  if (used.dataEntries > allowance.dataEntries) fail("Stored data count limit is exceeded");
  if (used.dataBytes > allowance.dataBytes) {
    const actual = maxTotalDataBytes + used.dataBytes - allowance.dataBytes;
    const message = `Storing data size should not exceed ${maxTotalDataBytes}, actual: ${actual} bytes`;
    if (view.has(Feature.RideV6)) fail(message);
    const { enforceTransferValidationAfter } = view.settings.functionality;
    if (view.has(Feature.SynchronousCalls) && view.height >= enforceTransferValidationAfter) {
      throw new FailOrReject(message);
    }
    // Older transactions were allowed to exceed this limit, and with it all others.
    return;
  }
  const version = view.has(Feature.BlockRewardDistribution) ? rootVersion : libraryVersion;
  if (version >= 6) {
    if (used.balanceActions > allowance.balanceActions) {
      fail("ScriptTransfer, Lease, LeaseCancel actions count limit is exceeded");
    }
    if (used.assetActions > allowance.assetActions) {
      fail("Issue, Reissue, Burn, SponsorFee actions count limit is exceeded");
    }
  } else if (used.actions > allowance.actions) {
    fail("Actions count limit is exceeded");
  }
}
