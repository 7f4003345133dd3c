/**
 * A call that a dApp makes to another one, or to itself: run to its end before the caller goes on.
 * @source Waves: state/diffs/invoke/InvokeScriptDiff.scala
 */
import { addressText } from "../../../crypto/address.ts";
import { encodeBase58 } from "../../../crypto/base58.ts";
import { Feature } from "../../../network/features.ts";
import { RuleError } from "../../../protocol/faults.ts";
import { mergeSnapshots } from "../../../protocol/snapshots/merge-snapshots.ts";
import { cachedScript } from "../../../ride/evaluator/dapp-program.ts";
import { findPaymentsFault } from "../../../ride/objects/invoke-object.ts";
import { joinCallResults } from "../../../ride/results/call-result.ts";
import type { CallableAction } from "../../../ride/results/callable-action.ts";
import { unit } from "../../../ride/values/value.ts";
import { OverlayView } from "../../state/overlay-view.ts";
import { dAppFailure, FailOrReject } from "../failed-transaction.ts";
import { askAsset, assetFailure } from "../scripts/asset-verdict.ts";
import { checkListsOfPrimitives } from "./call-arguments.ts";
import { checkCallLimits, usageOf } from "./call-limits.ts";
import type { DAppCallOutcome, DAppCallRequest } from "./dapp-call.ts";
import { DAppEnvironment } from "./dapp-environment.ts";
import { checkIntermediateBalances } from "./intermediate-balances.ts";
import { maxCalls, maxTotalPayments, reduced } from "./limits.ts";
import { findAssetFault } from "./payment-checks.ts";
import { paymentsSnapshot, processActions } from "./process-actions.ts";
import { type Actor, pseudoCall, pseudoTransfer } from "./pseudo-transactions.ts";
import { isCallError } from "./refusal-text.ts";
import { CallableFailure, runCallable } from "./run-callable.ts";

const oldestCallee = 5;

/** @throws FailedTransaction, FailOrReject, RuleError */
export function callDApp(request: DAppCallRequest): DAppCallOutcome {
  try {
    return call(request);
  } catch (error) {
    if (isCallError(error)) request.tracker.error = error;
    throw error;
  }
}

function call(request: DAppCallRequest): DAppCallOutcome {
  const { call: invoked, context, view, availableComplexity, tracker } = request;
  const { script, libraryVersion } = checkCallee(request);
  const afterPayments = complexityAfterPayments(request, libraryVersion);
  const payments = paymentsSnapshot(invoked, view);
  const environment = new DAppEnvironment({
    context,
    view,
    payments,
    dApp: invoked.dApp,
    dAppKey: script.publicKey,
    libraryVersion,
    allowance: request.allowance,
    remainingCalls: request.remainingCalls - 1,
    remainingPayments: request.remainingPayments - invoked.payments.length,
    calledAddresses: request.calledAddresses,
    tracker,
    callDApp,
  });
  const isLightNode = view.has(Feature.LightNode);
  if (isLightNode && view.height >= view.settings.functionality.paymentsCheckHeight) {
    checkIntermediateBalances(payments, view, 0, []);
  }
  const run = runOf(request, script.script, libraryVersion, environment, afterPayments.limit);
  const { result, unusedComplexity, log } = run;
  tracker.log = log;
  const snapshotOfCalls = environment.currentSnapshot();
  if (!isLightNode) {
    checkIntermediateBalances(snapshotOfCalls, view, availableComplexity - Math.max(unusedComplexity, 0), log);
  }
  if (result === undefined && !context.isLimited) {
    const error = `Invoke complexity limit = ${context.totalComplexityLimit} is exceeded`;
    throw dAppFailure(error, availableComplexity - unusedComplexity, log);
  }
  const actions: readonly CallableAction[] = result?.actions ?? [];
  let { allowance } = environment;
  if (result !== undefined) {
    const used = usageOf(actions, view);
    const spentComplexity = availableComplexity - unusedComplexity;
    const facts = { used, allowance, libraryVersion, rootVersion: context.rootVersion, spentComplexity, log };
    checkCallLimits(facts, view);
    allowance = reduced(allowance, used);
  }
  const viewAfterCalls = new OverlayView(view, { height: view.height });
  viewAfterCalls.apply(snapshotOfCalls);
  const effect = processActions({
    call: invoked,
    context,
    actions,
    libraryVersion,
    dAppKey: script.publicKey,
    view: viewAfterCalls,
    viewBefore: view,
    // Calls of dApps by dApps are judged at a time after the irregularities of old.
    blockTimestamp: view.settings.functionality.lastTimeBasedForkParameter + 1n,
    complexity: afterPayments.limit - (result === undefined ? 0 : unusedComplexity),
    otherIssues: undefined,
    log,
  });
  const snapshot = mergeSnapshots(snapshotOfCalls, effect.snapshot);
  const complexity = effect.complexity + afterPayments.estimated;
  if (!isLightNode) checkIntermediateBalances(snapshot, view, complexity, log);
  tracker.actions = actions;
  return {
    snapshot,
    complexity,
    result: joinCallResults(environment.currentResult(), effect.result),
    value: result?.returned ?? unit,
    allowance,
    remainingPayments: environment.remainingPayments,
  };
}

/** @throws RuleError, FailOrReject */
function checkCallee({ call: invoked, view, remainingCalls, remainingPayments }: DAppCallRequest) {
  const { sender, dApp, args, payments } = invoked;
  const refuse = (message: string): never => {
    throw new RuleError({ code: "generic", message });
  };
  const script = view.findAccountScript(dApp) ?? refuse(`No contract at address ${addressText(dApp)}`);
  const { content, libraryVersion } = cachedScript(script.script);
  if (content !== "dApp") refuse("Trying to call dApp on the account with expression script");
  const isRideV6 = view.has(Feature.RideV6);
  if (isRideV6) checkListsOfPrimitives(args);
  const caller = `DApp ${addressText(sender)} invoked DApp ${addressText(dApp)}`;
  if (libraryVersion < oldestCallee) {
    refuse(`${caller} that uses RIDE V${libraryVersion}, but dApp-to-dApp invocation requires version 5 or higher`);
  }
  if (remainingCalls <= 0) throw new RuleError({ code: "callsExceeded", limit: maxCalls });
  if (isRideV6 && remainingPayments < payments.length) {
    refuse(`Invoke payments limit = ${maxTotalPayments} is exceeded`);
  }
  const negative = payments.find(({ amount }) => amount < 0n);
  if (negative !== undefined) {
    const asset = negative.asset === null ? "WAVES" : `token ${encodeBase58(negative.asset)}`;
    const message = `${caller} with attached ${asset} amount = ${negative.amount}`;
    if (isRideV6) refuse(message);
    const { enforceTransferValidationAfter } = view.settings.functionality;
    if (view.has(Feature.SynchronousCalls) && view.height >= enforceTransferValidationAfter) {
      throw new FailOrReject(message);
    }
  }
  const allowsSeveral = view.activationHeight(Feature.BlockV5) !== undefined;
  const fault = findPaymentsFault(payments.length, { libraryVersion, allowsSeveral, script: "DApp" });
  if (fault !== undefined) refuse(fault);
  for (const { asset } of payments) {
    const assetFault = asset === null ? undefined : findAssetFault(asset, view);
    if (assetFault !== undefined) refuse(assetFault);
  }
  return { script, libraryVersion };
}

/**
 * Asks the scripts of the assets that are paid.
 * @returns what is left for the call; what the scripts were estimated to cost, which the call is said to have spent
 * @throws FailedTransaction
 */
function complexityAfterPayments(request: DAppCallRequest, libraryVersion: number) {
  const { call: invoked, context, view, availableComplexity } = request;
  const { root, sender, senderKey, dApp, payments } = invoked;
  const actor: Actor = {
    sender,
    senderPublicKey: senderKey,
    transactionId: root.id,
    timestamp: root.timestamp,
  };
  const asked = payments.flatMap(({ asset, amount }) => {
    const script = asset === null ? undefined : view.findAsset(asset)?.script;
    return asset === null || script === undefined ? [] : [{ asset, amount, script }];
  });
  let limit = availableComplexity;
  for (const { asset, amount, script } of asked) {
    const recipient = { kind: "address", bytes: dApp } as const;
    const show = view.has(Feature.RideV6)
      ? pseudoCall(actor, { ...invoked, dAppVersion: libraryVersion })
      : pseudoTransfer(actor, { recipient, amount, assetId: asset });
    const { complexity, refusal } = askAsset({
      assetId: asset,
      script,
      entity: { kind: "action", transactionId: root.id, show },
      view,
      complexityLimit: limit,
      isLogged: context.isLogged,
    });
    if (refusal !== undefined) {
      throw assetFailure({ assetId: asset, refusal }, "payment", context.totalComplexityLimit - limit + complexity);
    }
    limit -= complexity;
  }
  return { limit, estimated: asked.reduce((sum, { script }) => sum + Number(script.complexity), 0) };
}

/** @throws FailedTransaction, FailOrReject */
function runOf(
  { call: invoked, context, view, availableComplexity }: DAppCallRequest,
  script: Parameters<typeof runCallable>[0]["script"],
  libraryVersion: number,
  environment: DAppEnvironment,
  complexityLimit: number,
) {
  try {
    const { isLogged } = context;
    return runCallable({ call: invoked, script, libraryVersion, environment, view, complexityLimit, isLogged });
  } catch (error) {
    if (!(error instanceof CallableFailure)) throw error;
    const { refusal, unusedComplexity, log } = error;
    if (refusal?.rejects) throw new FailOrReject(refusal.message, error.isOwnResult);
    throw dAppFailure(error.error, availableComplexity - unusedComplexity, log);
  }
}
