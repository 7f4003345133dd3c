/**
 * Where the calls of transactions, of dApps and of clients who only ask differ. The reference has three orchestrations;
 * here `makeCall` is the one, and what differs stands in `RootPolicy`, `NestedPolicy` and `AskedPolicy`.
 * @source Waves: state/diffs/invoke/InvokeScriptTransactionDiff.scala, InvokeScriptDiff.scala;
 *   api/http/utils/UtilsEvaluator.scala
 */
import type { Snapshot } from "../../../protocol/snapshots/snapshot.ts";
import type { LogEntry } from "../../../ride/evaluator/evaluation-log.ts";
import type { CallResult } from "../../../ride/results/call-result.ts";
import type { TraceStep } from "../scripts/trace.ts";
import type { CallContext } from "./call-context.ts";
import type { CallOutcome } from "./call-request.ts";
import type { Callee } from "./callee.ts";
import type { CallAllowance } from "./limits.ts";
import type { CallableRequest, CallableRun } from "./run-callable.ts";

/** What a call may spend and do. */
export interface CallBudget {
  /** What the callable may spend. */
  readonly complexity: number;
  /** What the scripts of paid assets have spent before it. */
  readonly spentOnPayments: number;
  /** What they count in the outcome. */
  readonly countedForPayments: number;
  /** For the calls below, and the actions of all. */
  readonly allowance: CallAllowance;
}

/** In the order in which the members are asked. Left out: nothing is done there. */
export interface CallPolicy {
  /** The called dApp, once it is sure that it may be called so. @throws RuleError, FailOrReject */
  callee(): Callee;
  /** What holds for all calls of the transaction. */
  context(callee: Callee): CallContext;
  /** @throws FailedTransaction the script of a paid asset says no */
  budget(callee: Callee, context: CallContext): CallBudget;
  /** Library version from which on the callable finds its payments on its account; before, they come with its actions. */
  readonly paymentsCreditedSince: number;
  /** @throws FailedTransaction, FailOrReject */
  checkPayments?(payments: Snapshot): void;
  /** @throws FailedTransaction, FailOrReject, RuleError what a callable that fails makes of the call */
  run(callable: CallableRequest): CallableRun;
  /** @param calls what changed by the payments and the calls below @throws FailedTransaction, FailOrReject */
  checkCalls?(calls: Snapshot, run: CallableRun): void;
  /**
   * What a call counts that ended without a result, and so without actions.
   * @returns undefined: its actions are not looked at either
   * @throws FailedTransaction, RuleError such a call is refused
   */
  complexityWithoutResult(run: CallableRun, budget: CallBudget, context: CallContext): number | undefined;
  /** Whether its actions count for what the calls of a transaction may do together. */
  readonly hasSharedLimits: boolean;
  /** Milliseconds; the time at which actions are judged. */
  actionsTimestamp(): bigint;
  /** Assets that calls below issued and that the fee must pay for beside the call's own. Left out: no fee is paid. */
  issuesPaidFor?(callsBelow: CallResult): CallResult["issues"];
  traceActions?(steps: readonly TraceStep[]): void;
  /** @throws FailedTransaction, FailOrReject, RuleError */
  checkOutcome?(outcome: CallOutcome, parts: OutcomeParts): void;
}

export interface OutcomeParts {
  readonly payments: Snapshot;
  /** What the call's own actions changed. */
  readonly actions: Snapshot;
  readonly log: readonly LogEntry[];
}
