/**
 * Processing of the actions of one call, in order: each sees the changes of the previous ones.
 * @source Waves: state/diffs/invoke/InvokeDiffsCommon.scala (foldActions)
 */
import type { PublicKey } from "../../../crypto/identities.ts";
import { Feature } from "../../../network/features.ts";
import { mergeSnapshots } from "../../../protocol/snapshots/merge-snapshots.ts";
import type { Snapshot } from "../../../protocol/snapshots/snapshot.ts";
import type { AssetId } from "../../../protocol/transactions/asset.ts";
import type { TransactionId } from "../../../protocol/transactions/transaction.ts";
import type { LogEntry } from "../../../ride/evaluator/evaluation-log.ts";
import type { CallableAction } from "../../../ride/results/callable-action.ts";
import { OverlayView } from "../../state/overlay-view.ts";
import type { StateView } from "../../state/state-view.ts";
import { hasAssetScript } from "../checks/assets.ts";
import { checkBalances } from "../checks/balances.ts";
import { FailedTransaction } from "../failed-transaction.ts";
import type { AssetRole, TraceStep } from "../scripts/trace.ts";
import { type ActionEffect, effectOfAction } from "./action-effects.ts";
import type { CallContext } from "./call-context.ts";
import type { Call } from "./invocation.ts";
import { asFailure, asStepFailure, isCallError } from "./refusal-text.ts";

export interface FoldedActions {
  readonly call: Call;
  readonly context: CallContext;
  readonly actions: readonly CallableAction[];
  /** Public key of the called dApp. */
  readonly dAppKey: PublicKey;
  /** State after the nested calls of this call. */
  readonly view: StateView;
  /** Milliseconds. */
  readonly blockTimestamp: () => bigint;
  /** Complexity of the call itself. */
  readonly complexity: number;
  readonly log: readonly LogEntry[];
  readonly trace?: (steps: readonly TraceStep[]) => void;
}

/**
 * @param start changes of the call before its actions
 * @param remainingLimit complexity limit of all asset scripts together; undefined: each has its own
 * @returns changes, including `start`, and the complexity of the asset scripts
 * @throws FailedTransaction, FailOrReject, RuleError
 */
export function foldActions(
  request: FoldedActions,
  start: Snapshot,
  remainingLimit: number | undefined,
): { readonly snapshot: Snapshot; readonly complexity: number } {
  const { call, context, actions, dAppKey, blockTimestamp, view, log } = request;
  const overlay = new OverlayView(view, { height: view.height });
  overlay.apply(start);
  const snapshots = [start];
  const steps = new AssetSteps();
  let complexity = 0;
  try {
    for (const action of actions) {
      const effect = steps.traced(action, overlay, (onAsked) =>
        effectOfAction(action, overlay, {
          transactionId: () => context.root.id as TransactionId,
          timestamp: () => context.root.timestamp,
          blockTimestamp,
          dApp: call.dApp,
          dAppKey,
          complexityLimit: remainingLimit === undefined ? undefined : remainingLimit - complexity,
          isLogged: context.isLogged,
          onScriptedAsset: onAsked,
        }),
      );
      if (view.has(Feature.RideV6)) checkOwnBalances(effect, overlay);
      overlay.apply(effect.snapshot);
      snapshots.push(effect.snapshot);
      complexity += effect.complexity;
    }
  } catch (error) {
    throw error instanceof FailedTransaction ? error.after(complexity + request.complexity).with({ log }) : error;
  } finally {
    request.trace?.(steps.steps);
  }
  return { snapshot: mergeSnapshots(...snapshots), complexity };
}

const roles: { readonly [Kind in CallableAction["kind"]]?: AssetRole } = {
  transfer: "transfer",
  reissue: "reissue",
  burn: "burn",
  sponsorFee: "sponsor",
};

/** Trace steps of the scripts of the actions' assets. An action without a script discards the earlier steps. */
class AssetSteps {
  #steps: readonly TraceStep[] = [];

  get steps(): readonly TraceStep[] {
    return this.#steps;
  }

  /** @param run receives the function to call if the action's script runs, or would run without the action's error */
  traced(action: CallableAction, view: StateView, run: (onAsked: () => void) => ActionEffect): ActionEffect {
    const before = this.#steps;
    const step = stepOf(action, view);
    this.#steps = [];
    let wouldRun = false;
    try {
      const effect = run(() => {
        wouldRun = true;
      });
      if (step !== undefined) this.#steps = [...before, { ...step, failure: undefined }];
      return effect;
    } catch (error) {
      if (step !== undefined && wouldRun && isCallError(error))
        this.#steps = [...before, { ...step, failure: asStepFailure(error) }];
      throw error;
    }
  }
}

function stepOf(action: CallableAction, view: StateView) {
  const role = roles[action.kind];
  if (role === undefined || !("assetId" in action) || action.assetId === null) return undefined;
  const assetId = action.assetId as AssetId;
  return hasAssetScript(assetId, view) ? ({ kind: "asset", assetId, role } as const) : undefined;
}

/** @throws FailedTransaction */
function checkOwnBalances({ snapshot, complexity }: ActionEffect, view: StateView): void {
  try {
    checkBalances(snapshot, view);
  } catch (error) {
    if (isCallError(error)) throw asFailure(error).after(complexity);
    throw error;
  }
}
