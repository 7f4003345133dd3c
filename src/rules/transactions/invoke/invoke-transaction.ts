/** The transaction's own call. @source Waves: state/diffs/invoke/InvokeScriptTransactionDiff.scala */
import { bytesKey } from "../../../crypto/bytes.ts";
import type { Snapshot } from "../../../protocol/snapshots/snapshot.ts";
import type { ScriptInvoke } from "../../../ride/objects/invoke-object.ts";
import type { CallResult } from "../../../ride/results/call-result.ts";
import type { StateView } from "../../state/state-view.ts";
import type { BlockContext } from "../block-context.ts";
import { resolveRecipient } from "../checks/recipients.ts";
import { FailedTransaction } from "../failed-transaction.ts";
import type { CallRequest } from "./call-request.ts";
import { CallTracker } from "./call-tracker.ts";
import { rootCall } from "./invocation.ts";
import { makeCall } from "./make-call.ts";
import { RootPolicy } from "./root-policy.ts";
import { inTableOrder } from "./snapshot-order.ts";

export interface InvokeEffect {
  readonly snapshot: Snapshot;
  /** Complexity that the scripts spent. */
  readonly complexity: number;
  readonly result: CallResult;
}

/** @throws FailedTransaction: the transaction may be included as failed; FailOrReject, RuleError: it is refused */
export function applyInvoke(root: ScriptInvoke, view: StateView, context: BlockContext): InvokeEffect {
  const call = rootCall(root, resolveRecipient(root.dApp, view));
  const tracker = new CallTracker(call);
  const request: CallRequest = { call, view, calledAddresses: new Set([bytesKey(call.sender)]), tracker };
  try {
    const { snapshot, complexity, result } = makeCall(request, new RootPolicy(request, context));
    return { snapshot: inTableOrder(snapshot), complexity, result };
  } catch (error) {
    throw error instanceof FailedTransaction ? error.with({ invokes: tracker.toInvokedCalls() }) : error;
  }
}
