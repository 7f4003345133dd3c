/** Request of a call by any caller, and its result. */
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
  /** State at the start of the call, without its payments. */
  readonly view: StateView;
  /** dApps that nested calls must not call, unless a dApp calls itself. */
  readonly calledAddresses: ReadonlySet<BytesKey>;
  readonly tracker: CallTracker;
}

/** Call by a dApp, with the remaining limits of its caller. */
export interface NestedCallRequest extends CallRequest {
  readonly context: CallContext;
  readonly availableComplexity: number;
  readonly allowance: CallAllowance;
}

export interface CompletedCall {
  /** Changes of the call and of its nested calls. */
  readonly snapshot: Snapshot;
  /** Counted complexity, including the scripts of its actions' assets. */
  readonly complexity: number;
  readonly result: CallResult;
  /** Return value for the caller. */
  readonly value: Value;
  /** Remaining allowance of the call. */
  readonly allowance: CallAllowance;
}

/** @throws FailedTransaction, FailOrReject, RuleError */
export type CallDApp = (request: NestedCallRequest) => CompletedCall;
