/**
 * A dApp's code evaluated for somebody who wants to know, with the changes that a call would make.
 * @source Waves: api/http/utils/UtilsEvaluator.scala
 */
import { RuleError } from "../../protocol/faults.ts";
import { emptyCallResult } from "../../ride/results/call-result.ts";
import { OverlayView } from "../state/overlay-view.ts";
import type { StateView } from "../state/state-view.ts";
import { FailedTransaction, FailOrReject } from "../transactions/failed-transaction.ts";
import type { CallRequest } from "../transactions/invoke/call-request.ts";
import { CallTracker } from "../transactions/invoke/call-tracker.ts";
import { rootCall } from "../transactions/invoke/invocation.ts";
import { makeCall } from "../transactions/invoke/make-call.ts";
import { asRuleError } from "../transactions/invoke/refusal-text.ts";
import { askedInvoke } from "./asked-invocation.ts";
import { AskedPolicy, NoValue } from "./asked-policy.ts";
import type { AnsweredDApp, DAppQuestion } from "./dapp-question.ts";

/** @throws RuleError what the dApp's actions break */
export function askDApp(question: DAppQuestion, published: StateView): AnsweredDApp {
  const view = new OverlayView(published, { height: published.height });
  view.apply({ balances: question.balances });
  const call = rootCall(askedInvoke(question, view.settings.chainId), question.dApp);
  // Who asks is no dApp on the way: it, too, may be called.
  const request: CallRequest = { call, view, calledAddresses: new Set(), tracker: new CallTracker(call) };
  const policy = new AskedPolicy(request, question);
  try {
    const { result } = makeCall(request, policy);
    return { answer: policy.answer, result };
  } catch (error) {
    if (error instanceof NoValue) return { answer: policy.answer, result: emptyCallResult };
    if (error instanceof FailedTransaction) throw new RuleError({ code: "generic", message: error.asText });
    throw error instanceof FailOrReject ? asRuleError(error) : error;
  }
}
