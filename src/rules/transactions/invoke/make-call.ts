/**
 * Execution of one call: callee, budget, payments, run with its nested calls, actions, result. A `CallPolicy` has the
 * differences between callers.
 * @source Waves: state/diffs/invoke/InvokeScriptTransactionDiff.scala, InvokeScriptDiff.scala
 */
import { mergeSnapshots } from "../../../protocol/snapshots/merge-snapshots.ts";
import type { Snapshot } from "../../../protocol/snapshots/snapshot.ts";
import { emptyCallResult, joinCallResults } from "../../../ride/results/call-result.ts";
import { unit } from "../../../ride/values/value.ts";
import { OverlayView } from "../../state/overlay-view.ts";
import type { CallContext } from "./call-context.ts";
import { checkCallLimits, usageOf } from "./call-limits.ts";
import type { CallBudget, CallPolicy } from "./call-policy.ts";
import type { CallDApp, CallRequest, CompletedCall } from "./call-request.ts";
import type { Callee } from "./callee.ts";
import { DAppEnvironment } from "./dapp-environment.ts";
import { type CallAllowance, reduced } from "./limits.ts";
import { NestedPolicy } from "./nested-policy.ts";
import { type CallEffect, paymentsSnapshot, processActions } from "./process-actions.ts";
import { isCallError } from "./refusal-text.ts";
import type { CallableRun } from "./run-callable.ts";

/** @throws FailedTransaction, FailOrReject, RuleError; further errors of the policy for a failing callable */
export function makeCall(request: CallRequest, policy: CallPolicy): CompletedCall {
  try {
    return carriedOut(request, policy);
  } catch (error) {
    if (isCallError(error)) request.tracker.error = error;
    throw error;
  }
}

const callDApp: CallDApp = (request) => makeCall(request, new NestedPolicy(request));

function carriedOut(request: CallRequest, policy: CallPolicy): CompletedCall {
  const begun = begin(request, policy);
  const { callee, context, budget, payments, environment } = begun;
  policy.checkPayments?.(payments);
  const run = policy.run({
    call: request.call,
    script: callee.account.script,
    libraryVersion: callee.libraryVersion,
    environment,
    view: request.view,
    complexityLimit: budget.complexity,
    isLogged: context.isLogged,
    remaining: context.remaining,
  });
  request.tracker.log = run.log;
  const calls = environment.currentSnapshot();
  policy.checkCalls?.(calls, run);
  const complexity =
    run.result === undefined
      ? policy.complexityWithoutResult(run, budget, context)
      : budget.complexity - run.unusedComplexity;
  const allowance = allowanceAfter(run, begun);
  const effect = complexity === undefined ? noEffect : effectOf(run, complexity, calls, begun);
  const completed = {
    snapshot: mergeSnapshots(calls, effect.snapshot),
    complexity: effect.complexity + budget.countedForPayments,
    result: joinCallResults(environment.currentResult(), effect.result),
    value: run.result?.returnValue ?? unit,
    allowance,
  };
  policy.checkResult?.(completed, { payments, actions: effect.snapshot, log: run.log });
  request.tracker.actions = run.result?.actions ?? [];
  return completed;
}

interface BegunCall {
  readonly request: CallRequest;
  readonly policy: CallPolicy;
  readonly callee: Callee;
  readonly context: CallContext;
  readonly budget: CallBudget;
  /** Changes of the payments, if the callable sees them. */
  readonly payments: Snapshot;
  readonly environment: DAppEnvironment;
}

function begin(request: CallRequest, policy: CallPolicy): BegunCall {
  const callee = policy.callee();
  const context = policy.context(callee);
  const budget = policy.budget(callee, context);
  const isCredited = callee.libraryVersion >= policy.paymentsCreditedSince;
  const payments = isCredited ? paymentsSnapshot(request.call, request.view) : {};
  const { allowance } = budget;
  const environment = new DAppEnvironment({ request, callee, context, payments, allowance, callDApp });
  return { request, policy, callee, context, budget, payments, environment };
}

/** Remaining allowance for later calls. @throws FailedTransaction, FailOrReject a limit is exceeded */
function allowanceAfter({ result, unusedComplexity, log }: CallableRun, begun: BegunCall): CallAllowance {
  const { request, policy, callee, context, budget, environment } = begun;
  const { allowance } = environment;
  if (result === undefined || !policy.hasSharedLimits) return allowance;
  const used = usageOf(result.actions, request.view);
  const { libraryVersion } = callee;
  const { rootVersion } = context;
  const spentComplexity = budget.spentOnPayments + budget.complexity - unusedComplexity;
  const options = { used, allowance: allowance.actions, libraryVersion, rootVersion, spentComplexity, log };
  checkCallLimits(options, request.view);
  return { ...allowance, actions: reduced(allowance.actions, used) };
}

/** Effect of a call whose actions are not checked. */
const noEffect: CallEffect = { snapshot: {}, complexity: 0, result: emptyCallResult };

/** @throws FailedTransaction, FailOrReject, RuleError */
function effectOf({ result, log }: CallableRun, complexity: number, calls: Snapshot, begun: BegunCall): CallEffect {
  const { request, policy, callee, context, environment } = begun;
  const { call, view } = request;
  const viewAfterCalls = new OverlayView(view, { height: view.height });
  viewAfterCalls.apply(calls);
  return processActions({
    call,
    context,
    actions: result?.actions ?? [],
    libraryVersion: callee.libraryVersion,
    dAppKey: callee.account.publicKey,
    view: viewAfterCalls,
    viewBefore: view,
    blockTimestamp: () => policy.actionsTimestamp(),
    complexity,
    otherIssues: policy.issuesPaidFor?.(environment.currentResult()),
    log,
    trace: (steps) => policy.traceActions?.(steps),
  });
}
