/**
 * Evaluation of a dApp's code without a transaction, with the changes that a call would make.
 * @source Waves: api/http/utils/UtilsEvaluator.scala
 */
import { RuleError } from "../../protocol/errors.ts";
import { emptyCallResult } from "../../ride/results/call-result.ts";
import { OverlayView } from "../state/overlay-view.ts";
import type { StateView } from "../state/state-view.ts";
import { FailedTransaction, FailOrReject } from "../transactions/failed-transaction.ts";
import type { CallRequest } from "../transactions/invoke/call-request.ts";
import { CallTracker } from "../transactions/invoke/call-tracker.ts";
import { rootCall } from "../transactions/invoke/invocation.ts";
import { makeCall } from "../transactions/invoke/make-call.ts";
import { asRuleError } from "../transactions/invoke/refusal-text.ts";
import type { DAppEvaluation, DAppEvaluationRequest } from "./dapp-evaluation.ts";
import { evaluatedInvoke } from "./evaluated-invocation.ts";
import { EvaluationPolicy, NoValue } from "./evaluation-policy.ts";

/** @throws RuleError violation of the dApp's actions */
export function evaluateDApp(request: DAppEvaluationRequest, published: StateView): DAppEvaluation {
  const view = new OverlayView(published, { height: published.height });
  view.apply({ balances: request.balances });
  const call = rootCall(evaluatedInvoke(request, view.settings.chainId), request.dApp);
  // The client is no dApp in the call chain, and may be called as well.
  const callRequest: CallRequest = { call, view, calledAddresses: new Set(), tracker: new CallTracker(call) };
  const policy = new EvaluationPolicy(callRequest, request);
  try {
    const { result } = makeCall(callRequest, policy);
    return { evaluation: policy.evaluation, result };
  } catch (error) {
    if (error instanceof NoValue) return { evaluation: policy.evaluation, result: emptyCallResult };
    if (error instanceof FailedTransaction) throw new RuleError({ code: "generic", message: error.asText });
    throw error instanceof FailOrReject ? asRuleError(error) : error;
  }
}
