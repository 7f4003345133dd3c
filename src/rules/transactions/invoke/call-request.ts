/** A call to be made, whoever makes it, and what comes of it. */
import type { BytesKey } from "../../../crypto/bytes.ts";
import type { Snapshot } from "../../../protocol/snapshots/snapshot.ts";
import type { CallResult } from "../../../ride/results/call-result.ts";
import type { Value } from "../../../ride/values/value.ts";
import type { StateView } from "../../state/state-view.ts";
import type { CallContext } from "./call-context.ts";
import type { CallTracker } from "./call-tracker.ts";
import type { Call } from "./invocation.ts";
import type { CallAllowance } from "./limits.ts";

export interface CallRequest {
  readonly call: Call;
  /** The state in which the call begins, without its payments. */
  readonly view: StateView;
  /** dApps that must not be called from below, unless by themselves. */
  readonly calledAddresses: ReadonlySet<BytesKey>;
  readonly tracker: CallTracker;
}

/** A call that a dApp makes, with what its caller leaves to it. */
export interface NestedCallRequest extends CallRequest {
  readonly context: CallContext;
  readonly availableComplexity: number;
  readonly allowance: CallAllowance;
}

export interface CallOutcome {
  /** Of the call and of those below it. */
  readonly snapshot: Snapshot;
  /** What the call counts, with the scripts of its actions' assets. */
  readonly complexity: number;
  readonly result: CallResult;
  /** What the caller gets. */
  readonly value: Value;
  /** What is left of the call's allowance. */
  readonly allowance: CallAllowance;
}

/** @throws FailedTransaction, FailOrReject, RuleError */
export type CallDApp = (request: NestedCallRequest) => CallOutcome;
