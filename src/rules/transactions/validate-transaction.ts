/**
 * Validation of a transaction on the tip without changing anything. Ignores the priority pool, and does not check
 * whether the transaction is in the pool.
 * @source Waves: api/http/DebugApiRoute.scala (validate)
 */

import { Feature } from "../../network/features.ts";
import { RuleError } from "../../protocol/errors.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { type LeaseInfo, leaseReferenceJson } from "../../protocol/transactions/lease-json.ts";
import { recipientText } from "../../protocol/transactions/recipient.ts";
import type { LeaseId, Transaction } from "../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";
import type { TransactionViolation } from "../../protocol/transactions/transaction-violation.ts";
import { type CallResultStyle, callResultJson } from "../../ride/results/call-result-json.ts";
import { OverlayView } from "../state/overlay-view.ts";
import type { StateView } from "../state/state-view.ts";
import { type AppliedTransaction, applyTransaction } from "./apply-transaction.ts";
import { readAhead } from "./read-ahead.ts";
import { type TraceStep, traceStepJson } from "./scripts/trace.ts";
import { tipContext } from "./tip-context.ts";

export interface Validation {
  readonly height: number;
  readonly trace: readonly JsonObject[];
  readonly result:
    | { readonly isValid: true; readonly members: JsonObject }
    | { readonly isValid: false; readonly violation: TransactionViolation };
}

/**
 * @param view the tip
 * @param nowMs time of the validation
 * @returns `members`: further members for the transaction's JSON
 */
export function validateTransaction(transaction: Transaction, view: StateView, nowMs: number): Validation {
  readAhead(transaction, view);
  const { height } = view;
  const context = tipContext(view, nowMs, true);
  const steps: TraceStep[] = [];
  const after = new OverlayView(view, { height });
  const style = leaseStyle(after);
  const traceJson = () => steps.map((step) => traceStepJson(step, true, style));
  try {
    const applied = applyTransaction(transaction, view, { ...context, execution: "strict", trace: steps });
    after.apply(applied.snapshot);
    const members = { ...metaJson(applied, view), ...ownMembers(transaction, applied, after, style) };
    return { height, trace: traceJson(), result: { isValid: true, members } };
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    // A transaction cannot cause violations of blocks.
    return {
      height,
      trace: traceJson(),
      result: { isValid: false, violation: error.violation as TransactionViolation },
    };
  }
}

/** Complexity here includes verifiers and asset scripts, unlike on the chain. */
function metaJson({ totalComplexity }: AppliedTransaction, view: StateView): JsonObject {
  const hasStatus = view.has(Feature.BlockV5);
  return { ...(hasStatus && { applicationStatus: "succeeded" }), spentComplexity: totalComplexity };
}

function ownMembers(
  transaction: Transaction,
  { callResult }: AppliedTransaction,
  after: StateView,
  style: CallResultStyle,
): JsonObject {
  switch (transaction.type) {
    case TransactionType.Lease:
      return { status: "active" };
    case TransactionType.LeaseCancel:
      return { lease: leaseJsonOf(transaction.leaseId, after) };
    case TransactionType.InvokeScript:
      return { stateChanges: callResult === undefined ? null : callResultJson(callResult, style) };
    default:
      return {};
  }
}

/** Leases after the transaction. */
function leaseStyle(after: StateView): CallResultStyle {
  return {
    lease: (leaseId, made) => {
      const json = leaseJsonOf(leaseId, after);
      if (made === undefined || after.findLease(leaseId as LeaseId) !== undefined) return json;
      const recipient = made.recipient.kind === "address" ? recipientText(made.recipient) : null;
      return { ...json, recipient, amount: made.amount };
    },
  };
}

function leaseJsonOf(leaseId: Uint8Array, view: StateView): JsonObject {
  const lease = view.findLease(leaseId as LeaseId);
  const details: LeaseInfo | undefined = lease && { ...lease, id: leaseId };
  return leaseReferenceJson(leaseId, details, view.settings.chainId);
}
