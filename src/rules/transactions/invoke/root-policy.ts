/**
 * Policy of a transaction's own call. Errors of its scripts refuse the transaction, or make it fail if the scripts have
 * run long.
 * @source Waves: state/diffs/invoke/InvokeScriptTransactionDiff.scala
 */
import { Feature } from "../../../network/features.ts";
import { RuleError } from "../../../protocol/errors.ts";
import { recipientText } from "../../../protocol/transactions/recipient.ts";
import { NativeFailure } from "../../../ride/execution-error.ts";
import { type CallResult, issuesOf } from "../../../ride/results/call-result.ts";
import type { StateView } from "../../state/state-view.ts";
import type { BlockContext } from "../block-context.ts";
import { dAppFailure, failFreeComplexity } from "../failed-transaction.ts";
import type { TraceStep } from "../scripts/trace.ts";
import { checkArguments } from "./call-arguments.ts";
import type { CallContext, RemainingComplexity } from "./call-context.ts";
import type { CallBudget, CallPolicy } from "./call-policy.ts";
import type { CallRequest } from "./call-request.ts";
import { callStep } from "./call-trace.ts";
import { type Callee, checkPaymentCount, getCallee } from "./callee.ts";
import { type Call, paidAssetIds } from "./invocation.ts";
import { fullAllowance, maxTotalComplexity } from "./limits.ts";
import { CallableFailure, type CallableRequest, type CallableRun, runCallable } from "./run-callable.ts";

/** Limit before the third estimator: scripts with more than their estimated complexity ran to their end. */
const unlimited = 0x7fff_ffff;

export class RootPolicy implements CallPolicy {
  /** Before version 5, payments are credited with the fee, after the callable has ended. */
  readonly paymentsCreditedSince = 5;
  readonly hasSharedLimits = true;
  readonly #request: CallRequest;
  readonly #block: BlockContext;
  readonly #remaining: RemainingComplexity = { least: undefined };

  constructor(request: CallRequest, block: BlockContext) {
    this.#request = request;
    this.#block = block;
  }

  callee(): Callee {
    const { call, view } = this.#request;
    const callee = getCallee(call.dApp, view, `No contract at address ${recipientText(call.root.dApp)}`);
    checkArguments(call.args, view);
    checkPaymentCount(call, callee, view);
    return callee;
  }

  /** The version of the first dApp holds for its nested calls. */
  context({ libraryVersion }: Callee): CallContext {
    const { call, view } = this.#request;
    return {
      root: call.root,
      rootVersion: libraryVersion,
      isLimited: this.#block.execution === "limited" && view.has(Feature.BlockV5),
      totalComplexityLimit: maxTotalComplexity(libraryVersion),
      isLogged: this.#block.trace !== undefined,
      remaining: this.#remaining,
    };
  }

  /** Scripts of paid assets run after the call: their estimated complexity is reserved. */
  budget({ libraryVersion }: Callee, { isLimited, totalComplexityLimit }: CallContext): CallBudget {
    const { call, view } = this.#request;
    const hasSecondEstimator = view.has(Feature.BlockReward) && !view.has(Feature.BlockV5);
    const limit = isLimited ? failFreeComplexity : totalComplexityLimit;
    return {
      complexity: (hasSecondEstimator ? unlimited : limit) - paymentsComplexity(call, view),
      spentOnPayments: 0,
      countedForPayments: 0,
      allowance: fullAllowance(libraryVersion, call.payments.length),
    };
  }

  /** @throws FailedTransaction, RuleError callRejected */
  run(callable: CallableRequest): CallableRun {
    const { root } = callable.call;
    const { tracker, view } = this.#request;
    const { trace } = this.#block;
    try {
      const run = runCallable(callable);
      trace?.push(callStep(root, { actions: run.result?.actions, log: run.log }, tracker, view));
      return run;
    } catch (error) {
      const failure = asCallableFailure(error);
      const refusal = refusalOf(failure, callable);
      trace?.push(callStep(root, { error: refusal, log: failure.log }, tracker, view));
      throw refusal;
    } finally {
      this.#recordEffort(callable);
    }
  }

  /**
   * Records the spent complexity. If the remaining one is unknown, the virtual machine has failed: everything counts as
   * spent.
   */
  #recordEffort({ complexityLimit, libraryVersion }: CallableRequest): void {
    const { effort } = this.#block;
    const { least } = this.#remaining;
    if (effort === undefined) return;
    effort.complexity +=
      least === undefined ? maxTotalComplexity(libraryVersion) : complexityLimit - Math.max(0, least);
  }

  /** A limited run ends here: its later parts count nothing. @throws RuleError generic */
  complexityWithoutResult({ unusedComplexity }: CallableRun, _: CallBudget, { isLimited }: CallContext): number {
    if (isLimited) return 0;
    const message = `Evaluation was uncompleted with unused complexity = ${unusedComplexity}`;
    throw new RuleError({ code: "generic", message });
  }

  actionsTimestamp(): bigint {
    return this.#block.blockTimestamp;
  }

  issuesPaidFor(callsBelow: CallResult): CallResult["issues"] {
    return issuesOf(callsBelow);
  }

  traceActions(steps: readonly TraceStep[]): void {
    this.#block.trace?.push(...steps);
  }
}

/** Estimated complexity of the paid assets' scripts. */
function paymentsComplexity(call: Call, view: StateView): number {
  return paidAssetIds(call).reduce((sum, asset) => sum + Number(view.findAsset(asset)?.script?.complexity ?? 0n), 0);
}

/** Failure of the reference's virtual machine: everything counts as spent. */
function asCallableFailure(error: unknown): CallableFailure {
  if (error instanceof CallableFailure) return error;
  if (!(error instanceof NativeFailure)) throw error;
  return new CallableFailure({ error: error.message, unusedComplexity: 0, log: [] });
}

function refusalOf(failure: CallableFailure, { call, view, complexityLimit }: CallableRequest) {
  const paid = paymentsComplexity(call, view);
  // Before feature 15 no transaction failed, however much it had spent.
  const failFreeLimit = view.has(Feature.BlockV5) ? failFreeComplexity : complexityLimit + paid;
  const used = complexityLimit - Math.max(failure.unusedComplexity, 0);
  return used > failFreeLimit && !failure.refusal?.rejects
    ? dAppFailure(failure.error, used + paid, failure.log)
    : new RuleError({ code: "callRejected", message: failure.error }, { cause: failure });
}
