/**
 * Record of the calls of a transaction: for the result of a failed transaction, and for traces.
 * @source Waves: transaction/smart/WavesEnvironment.scala (InvocationTreeTracker)
 */
import type { LogEntry } from "../../../ride/evaluator/evaluation-log.ts";
import { emptyCallResult, type InvokedCall } from "../../../ride/results/call-result.ts";
import type { CallableAction } from "../../../ride/results/callable-action.ts";
import { FailedTransaction } from "../failed-transaction.ts";
import type { Call } from "./invocation.ts";
import { asFailure, type CallError, causeText } from "./refusal-text.ts";

export type TrackedCall = Pick<Call, "dApp" | "function" | "args" | "payments">;

export class CallTracker {
  readonly call: TrackedCall;
  readonly calls: CallTracker[] = [];
  /** Actions of its result; undefined for an error, or before it ended. */
  actions: readonly CallableAction[] | undefined;
  error: CallError | undefined;
  log: readonly LogEntry[] = [];

  constructor(call: TrackedCall) {
    this.call = call;
  }

  record(call: TrackedCall): CallTracker {
    const tracker = new CallTracker(call);
    this.calls.push(tracker);
    return tracker;
  }

  /** Calls made from here, each with its own error if the error began there. */
  toInvokedCalls(): readonly InvokedCall[] {
    return this.calls.map((tracker) => ({
      dApp: tracker.call.dApp,
      function: tracker.call.function,
      args: tracker.call.args,
      payments: tracker.call.payments,
      result: { ...emptyCallResult, invokes: tracker.toInvokedCalls(), error: tracker.#ownError() },
    }));
  }

  #ownError(): InvokedCall["result"]["error"] {
    if (this.actions !== undefined) return undefined;
    const { error } = this;
    if (error === undefined) return { code: 1, text: "No result" };
    if (this.calls.some((nested) => nested.error !== undefined && isSameError(nested.error, error))) return undefined;
    const failure = asFailure(error);
    return { code: failure.code, text: failure.message };
  }
}

function isSameError(left: CallError, right: CallError): boolean {
  if (left instanceof FailedTransaction && right instanceof FailedTransaction) {
    return left.info.error === right.info.error;
  }
  return causeText(left) === causeText(right);
}
