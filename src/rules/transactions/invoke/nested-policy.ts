/**
 * Policy of a call by a dApp, of another one or of itself, which runs to its end before the caller continues. It shares
 * its limits with the transaction's other calls, pays no fee, and leaves no negative balance.
 * @source Waves: state/diffs/invoke/InvokeScriptDiff.scala
 */
import { addressText } from "../../../crypto/address.ts";
import { Feature } from "../../../network/features.ts";
import type { Snapshot } from "../../../protocol/snapshots/snapshot.ts";
import { dAppFailure, FailOrReject } from "../failed-transaction.ts";
import type { CallContext } from "./call-context.ts";
import type { CallBudget, CallPolicy, ResultParts } from "./call-policy.ts";
import type { CompletedCall, NestedCallRequest } from "./call-request.ts";
import { type Callee, getCallee } from "./callee.ts";
import { checkIntermediateBalances } from "./intermediate-balances.ts";
import { checkNestedCall, oldestNestedCallee } from "./nested-call-checks.ts";
import { runNestedPaymentScripts } from "./nested-payments.ts";
import { CallableFailure, type CallableRequest, type CallableRun, runCallable } from "./run-callable.ts";

export class NestedPolicy implements CallPolicy {
  /** Always. */
  readonly paymentsCreditedSince = oldestNestedCallee;
  readonly hasSharedLimits = true;
  readonly #request: NestedCallRequest;

  constructor(request: NestedCallRequest) {
    this.#request = request;
  }

  callee(): Callee {
    const { call, view } = this.#request;
    const callee = getCallee(call.dApp, view, `No contract at address ${addressText(call.dApp)}`);
    checkNestedCall(this.#request, callee);
    return callee;
  }

  context(): CallContext {
    return this.#request.context;
  }

  /** Scripts of paid assets run before the call, within its limit; their estimates count as their complexity. */
  budget(callee: Callee): CallBudget {
    const { call, availableComplexity, allowance } = this.#request;
    const { spent, estimated } = runNestedPaymentScripts(this.#request, callee);
    return {
      complexity: availableComplexity - spent,
      spentOnPayments: spent,
      countedForPayments: estimated,
      allowance: {
        ...allowance,
        calls: allowance.calls - 1,
        payments: allowance.payments - call.payments.length,
      },
    };
  }

  checkPayments(payments: Snapshot): void {
    const { view } = this.#request;
    const isDue = this.#isLightNode() && view.height >= view.settings.functionality.paymentsCheckHeight;
    if (isDue) checkIntermediateBalances(payments, view, 0, []);
  }

  /** @throws FailedTransaction, FailOrReject */
  run(callable: CallableRequest): CallableRun {
    try {
      return runCallable(callable);
    } catch (error) {
      if (!(error instanceof CallableFailure)) throw error;
      const { refusal, unusedComplexity, log } = error;
      // Outside this call it makes the transaction fail; if the callable's own actions are wrong, it still refuses it.
      if (refusal?.rejects) throw new FailOrReject(refusal.message, error.isOwnResult);
      throw dAppFailure(error.error, this.#request.availableComplexity - unusedComplexity, log);
    }
  }

  checkCalls(calls: Snapshot, { unusedComplexity, log }: CallableRun): void {
    const { view, availableComplexity } = this.#request;
    const spent = availableComplexity - Math.max(unusedComplexity, 0);
    if (!this.#isLightNode()) checkIntermediateBalances(calls, view, spent, log);
  }

  /** A limited run continues with the caller, which has nothing left to spend. @throws FailedTransaction */
  complexityWithoutResult({ unusedComplexity, log }: CallableRun, budget: CallBudget, context: CallContext): number {
    if (context.isLimited) return budget.complexity;
    const error = `Invoke complexity limit = ${context.totalComplexityLimit} is exceeded`;
    throw dAppFailure(error, this.#request.availableComplexity - unusedComplexity, log);
  }

  /** Fixed time after the historical irregularities, whatever the block's time. */
  actionsTimestamp(): bigint {
    return this.#request.view.settings.functionality.lastTimeBasedForkParameter + 1n;
  }

  checkResult({ snapshot, complexity }: CompletedCall, { log }: ResultParts): void {
    if (!this.#isLightNode()) checkIntermediateBalances(snapshot, this.#request.view, complexity, log);
  }

  /**
   * From this feature on the caller checks the balances of the call as a whole, and only its payments are checked
   * before.
   */
  #isLightNode(): boolean {
    return this.#request.view.has(Feature.LightNode);
  }
}
