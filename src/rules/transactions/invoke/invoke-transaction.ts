/**
 * The call that a transaction makes: what it changes, what it gave, what its scripts spent.
 * @source Waves: state/diffs/invoke/InvokeScriptTransactionDiff.scala
 */
import { bytesKey } from "../../../crypto/bytes.ts";
import type { Address } from "../../../crypto/identities.ts";
import { Feature } from "../../../network/features.ts";
import { RuleError } from "../../../protocol/faults.ts";
import { mergeSnapshots } from "../../../protocol/snapshots/merge-snapshots.ts";
import type { Snapshot } from "../../../protocol/snapshots/snapshot.ts";
import { recipientText } from "../../../protocol/transactions/recipient.ts";
import { cachedScript } from "../../../ride/evaluator/dapp-program.ts";
import { NativeFailure } from "../../../ride/execution-error.ts";
import { findPaymentsFault, type ScriptInvoke } from "../../../ride/objects/invoke-object.ts";
import { type CallResult, issuesOf, joinCallResults } from "../../../ride/results/call-result.ts";
import type { CallableAction } from "../../../ride/results/callable-action.ts";
import { OverlayView } from "../../state/overlay-view.ts";
import type { AccountScript, StateView } from "../../state/state-view.ts";
import type { BlockContext } from "../block-context.ts";
import { resolveRecipient } from "../checks/recipients.ts";
import { dAppFailure, FailedTransaction, type FailOrReject, failFreeComplexity } from "../failed-transaction.ts";
import type { TraceStep } from "../scripts/trace.ts";
import { checkArguments } from "./call-arguments.ts";
import type { CallContext } from "./call-context.ts";
import { callDApp } from "./call-dapp.ts";
import { checkCallLimits, usageOf } from "./call-limits.ts";
import { callStep } from "./call-trace.ts";
import { CallTracker } from "./call-tracker.ts";
import { DAppEnvironment } from "./dapp-environment.ts";
import { type Call, paidAssetIds, rootCall } from "./invocation.ts";
import { fullAllowance, maxCalls, maxTotalComplexity, maxTotalPayments } from "./limits.ts";
import { paymentsSnapshot, processActions } from "./process-actions.ts";
import { CallableFailure, runCallable } from "./run-callable.ts";
import { inTableOrder } from "./snapshot-order.ts";

export interface InvokeEffect {
  readonly snapshot: Snapshot;
  readonly complexity: number;
  readonly result: CallResult;
}

/** Before the third estimator scripts ran as far as they went. */
const unlimited = 0x7fff_ffff;

/**
 * @throws FailedTransaction: the transaction may stand in a block as failed; FailOrReject, RuleError: it is refused
 */
export function applyInvoke(root: ScriptInvoke, view: StateView, context: BlockContext): InvokeEffect {
  const dApp = resolveRecipient(root.dApp, view);
  const { script, libraryVersion } = getDApp(root, dApp, view);
  const tracker = new CallTracker({ dApp, function: root.function, args: root.args, payments: root.payments });
  checkArguments(root.args, view);
  checkPaymentCount(root, libraryVersion, view);
  const call = rootCall(root, dApp);
  try {
    return run({ call, script, libraryVersion, view, context, tracker });
  } catch (error) {
    throw error instanceof FailedTransaction ? error.with({ invokes: tracker.toInvokedCalls() }) : error;
  }
}

interface InvokeRun {
  readonly call: Call;
  readonly script: AccountScript;
  readonly libraryVersion: number;
  readonly view: StateView;
  readonly context: BlockContext;
  readonly tracker: CallTracker;
}

function run(facts: InvokeRun): InvokeEffect {
  const { call, script, libraryVersion, view, context, tracker } = facts;
  const callContext: CallContext = {
    root: call.root,
    rootVersion: libraryVersion,
    isLimited: context.execution === "limited" && view.has(Feature.BlockV5),
    totalComplexityLimit: maxTotalComplexity(libraryVersion),
    isLogged: context.trace !== undefined,
  };
  const environment = new DAppEnvironment({
    context: callContext,
    view,
    payments: libraryVersion < 5 ? {} : paymentsSnapshot(call, view),
    dApp: call.dApp,
    dAppKey: script.publicKey,
    libraryVersion,
    allowance: fullAllowance(libraryVersion),
    remainingCalls: maxCalls,
    remainingPayments: maxTotalPayments - call.payments.length,
    calledAddresses: new Set([bytesKey(call.sender)]),
    tracker,
    callDApp,
  });
  const { limit, run: done } = runScript(facts, callContext, environment);
  const { result, unusedComplexity, log } = done;
  const snapshotOfCalls = environment.currentSnapshot();
  const resultOfCalls = environment.currentResult();
  if (result === undefined && !callContext.isLimited) {
    const message = `Evaluation was uncompleted with unused complexity = ${unusedComplexity}`;
    throw new RuleError({ code: "generic", message });
  }
  const actions: readonly CallableAction[] = result?.actions ?? [];
  const complexity = result === undefined ? 0 : limit - unusedComplexity;
  if (result !== undefined) {
    const used = usageOf(actions, view);
    const { allowance } = environment;
    const limits = { used, allowance, libraryVersion, rootVersion: libraryVersion, spentComplexity: complexity, log };
    checkCallLimits(limits, view);
  }
  const viewAfterCalls = new OverlayView(view, { height: view.height });
  viewAfterCalls.apply(snapshotOfCalls);
  const effect = processActions({
    call,
    context: callContext,
    actions,
    libraryVersion,
    dAppKey: script.publicKey,
    view: viewAfterCalls,
    viewBefore: view,
    blockTimestamp: context.blockTimestamp,
    complexity,
    otherIssues: issuesOf(resultOfCalls),
    log,
    trace: (steps: readonly TraceStep[]) => context.trace?.push(...steps),
  });
  return {
    snapshot: inTableOrder(mergeSnapshots(snapshotOfCalls, effect.snapshot)),
    complexity: effect.complexity,
    result: joinCallResults(resultOfCalls, effect.result),
  };
}

/** @throws FailedTransaction, RuleError callRejected */
function runScript(
  { call, script, libraryVersion, view, context, tracker }: InvokeRun,
  { isLimited, totalComplexityLimit, isLogged, root }: CallContext,
  environment: DAppEnvironment,
) {
  const isBlockV5 = view.has(Feature.BlockV5);
  const hasSecondEstimator = !isBlockV5 && view.has(Feature.BlockReward);
  const whole = isLimited ? failFreeComplexity : totalComplexityLimit;
  const fullLimit = hasSecondEstimator ? unlimited : whole;
  const failFreeLimit = isBlockV5 ? failFreeComplexity : fullLimit;
  const paid = paymentsComplexity(call, view);
  const limit = fullLimit - paid;
  const facts = { call, script: script.script, libraryVersion, environment, view, complexityLimit: limit, isLogged };
  try {
    const done = runCallable(facts);
    context.trace?.push(callStep(root, { actions: done.result?.actions, log: done.log }, tracker));
    return { limit, run: done };
  } catch (error) {
    const failure = asCallableFailure(error);
    const used = limit - Math.max(failure.unusedComplexity, 0);
    const mayFail = used > failFreeLimit && !failure.refusal?.rejects;
    const refusal = mayFail
      ? dAppFailure(failure.error, used + paid, failure.log)
      : new RuleError({ code: "callRejected", message: failure.error }, { cause: failure });
    context.trace?.push(callStep(root, { error: refusal, log: failure.log }, tracker));
    throw refusal;
  }
}

/** The reference's virtual machine fails: everything counts as spent. */
function asCallableFailure(error: unknown): CallableFailure {
  if (error instanceof CallableFailure) return error;
  if (!(error instanceof NativeFailure)) throw error;
  return new CallableFailure({ error: error.message, unusedComplexity: 0, log: [] });
}

/** What the scripts of the paid assets are estimated to cost: they run after the call. */
function paymentsComplexity(call: Call, view: StateView): number {
  return paidAssetIds(call).reduce((sum, asset) => sum + Number(view.findAsset(asset)?.script?.complexity ?? 0n), 0);
}

/** @throws RuleError generic */
function getDApp(root: ScriptInvoke, dApp: Address, view: StateView) {
  const script = view.findAccountScript(dApp);
  if (script === undefined) {
    throw new RuleError({ code: "generic", message: `No contract at address ${recipientText(root.dApp)}` });
  }
  const { content, libraryVersion } = cachedScript(script.script);
  if (content !== "dApp") {
    throw new RuleError({ code: "generic", message: "Trying to call dApp on the account with expression script" });
  }
  return { script, libraryVersion };
}

/** @throws RuleError generic */
function checkPaymentCount({ payments }: ScriptInvoke, libraryVersion: number, view: StateView): void {
  const allowsSeveral = view.activationHeight(Feature.BlockV5) !== undefined;
  const message = findPaymentsFault(payments.length, { libraryVersion, allowsSeveral, script: "DApp" });
  if (message !== undefined) throw new RuleError({ code: "generic", message });
}

/** A rule of old that no block may break, as the fault of a transaction. */
export function asRuleError(error: FailOrReject): RuleError {
  return new RuleError({ code: "callBreaksRule", message: error.message }, { cause: error });
}
