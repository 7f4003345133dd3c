/**
 * Policy of a call: the differences between calls of transactions, of dApps and of evaluations. The reference has three
 * orchestrations. Here `makeCall` is the only one, with the differences in `RootPolicy`, `NestedPolicy` and
 * `EvaluationPolicy`.
 * @source Waves: state/diffs/invoke/InvokeScriptTransactionDiff.scala, InvokeScriptDiff.scala;
 *   api/http/utils/UtilsEvaluator.scala
 */
import type { Snapshot } from "../../../protocol/snapshots/snapshot.ts";
import type { LogEntry } from "../../../ride/evaluator/evaluation-log.ts";
import type { CallResult } from "../../../ride/results/call-result.ts";
import type { TraceStep } from "../scripts/trace.ts";
import type { CallContext } from "./call-context.ts";
import type { CompletedCall } from "./call-request.ts";
import type { Callee } from "./callee.ts";
import type { CallAllowance } from "./limits.ts";
import type { CallableRequest, CallableRun } from "./run-callable.ts";

/** Budget of a call. */
export interface CallBudget {
  /** Complexity limit of the callable. */
  readonly complexity: number;
  /** Complexity that the scripts of paid assets have spent before. */
  readonly spentOnPayments: number;
  /** The part of it that counts in the result. */
  readonly countedForPayments: number;
  /** Allowance for the nested calls, and for the actions of all. */
  readonly allowance: CallAllowance;
}

/** Members in the order of their calls. An omitted one does nothing. */
export interface CallPolicy {
  /** The called dApp, after the checks that the call is allowed. @throws RuleError, FailOrReject */
  callee(): Callee;
  /** Context of all calls of the transaction. */
  context(callee: Callee): CallContext;
  /** @throws FailedTransaction the script of a paid asset refuses */
  budget(callee: Callee, context: CallContext): CallBudget;
  /**
   * First library version whose callables see their payments on the account; before, payments are credited with the
   * actions.
   */
  readonly paymentsCreditedSince: number;
  /** @throws FailedTransaction, FailOrReject */
  checkPayments?(payments: Snapshot): void;
  /** @throws FailedTransaction, FailOrReject, RuleError for a failing callable */
  run(callable: CallableRequest): CallableRun;
  /** @param calls changes by the payments and the nested calls @throws FailedTransaction, FailOrReject */
  checkCalls?(calls: Snapshot, run: CallableRun): void;
  /**
   * Counted complexity of a call that ended without a result and therefore without actions.
   * @returns undefined: its actions are not checked either
   * @throws FailedTransaction, RuleError such a call is refused
   */
  complexityWithoutResult(run: CallableRun, budget: CallBudget, context: CallContext): number | undefined;
  /** Whether its actions count for the limits that the calls of a transaction share. */
  readonly hasSharedLimits: boolean;
  /** Time for the checks of actions, ms. */
  actionsTimestamp(): bigint;
  /**
   * Assets issued by nested calls that the fee must pay for, in addition to the call's own. Omitted: no fee is paid.
   */
  issuesPaidFor?(callsBelow: CallResult): CallResult["issues"];
  traceActions?(steps: readonly TraceStep[]): void;
  /** @throws FailedTransaction, FailOrReject, RuleError */
  checkResult?(outcome: CompletedCall, parts: ResultParts): void;
}

export interface ResultParts {
  readonly payments: Snapshot;
  /** Changes by the call's own actions. */
  readonly actions: Snapshot;
  readonly log: readonly LogEntry[];
}
