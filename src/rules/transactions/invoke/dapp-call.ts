/** A call that a dApp makes, with all that it may use, and what comes of it. */
import type { BytesKey } from "../../../crypto/bytes.ts";
import type { Snapshot } from "../../../protocol/snapshots/snapshot.ts";
import type { CallResult } from "../../../ride/results/call-result.ts";
import type { Value } from "../../../ride/values/value.ts";
import type { StateView } from "../../state/state-view.ts";
import type { CallContext } from "./call-context.ts";
import type { CallTracker } from "./call-tracker.ts";
import type { Call } from "./invocation.ts";
import type { ActionAllowance } from "./limits.ts";

export interface DAppCallRequest {
  readonly call: Call;
  readonly context: CallContext;
  readonly view: StateView;
  readonly availableComplexity: number;
  readonly remainingCalls: number;
  readonly allowance: ActionAllowance;
  readonly remainingPayments: number;
  readonly calledAddresses: ReadonlySet<BytesKey>;
  readonly tracker: CallTracker;
}

export interface DAppCallOutcome {
  readonly snapshot: Snapshot;
  readonly complexity: number;
  readonly result: CallResult;
  /** What the caller gets. */
  readonly value: Value;
  readonly allowance: ActionAllowance;
  readonly remainingPayments: number;
}

/** @throws FailedTransaction, FailOrReject, RuleError */
export type CallDApp = (request: DAppCallRequest) => DAppCallOutcome;
