/**
 * Checks of calls by dApps. @source Waves: state/diffs/invoke/InvokeScriptDiff.scala (apply,
 * ensurePaymentsAreNotNegative)
 */
import { addressText } from "../../../crypto/address.ts";
import { encodeBase58 } from "../../../crypto/base58.ts";
import { Feature } from "../../../network/features.ts";
import { RuleError } from "../../../protocol/errors.ts";
import type { StateView } from "../../state/state-view.ts";
import { FailOrReject } from "../failed-transaction.ts";
import { checkListsOfPrimitives } from "./call-arguments.ts";
import type { NestedCallRequest } from "./call-request.ts";
import { type Callee, checkPaymentCount } from "./callee.ts";
import type { Call } from "./invocation.ts";
import { maxCalls, maxTotalPayments } from "./limits.ts";
import { checkPaidAssets } from "./payment-checks.ts";

/** Minimum library version. */
export const oldestNestedCallee = 5;

/** @throws RuleError generic, callsExceeded; FailOrReject */
export function checkNestedCall({ call, view, allowance }: NestedCallRequest, callee: Callee): void {
  const { args, payments } = call;
  const { libraryVersion } = callee;
  const isRideV6 = view.has(Feature.RideV6);
  if (isRideV6) checkListsOfPrimitives(args);
  if (libraryVersion < oldestNestedCallee) {
    refuse(
      `${callText(call)} that uses RIDE V${libraryVersion}, but dApp-to-dApp invocation requires version ${oldestNestedCallee} or higher`,
    );
  }
  if (allowance.calls <= 0) throw new RuleError({ code: "callsExceeded", limit: maxCalls });
  if (isRideV6 && allowance.payments < payments.length) {
    refuse(`Invoke payments limit = ${maxTotalPayments} is exceeded`);
  }
  checkNegativePayments(call, view);
  checkPaymentCount(call, callee, view);
  checkPaidAssets(payments, view);
}

/** @throws RuleError generic; FailOrReject, before feature 17 */
function checkNegativePayments(call: Call, view: StateView): void {
  const negative = call.payments.find(({ amount }) => amount < 0n);
  if (negative === undefined) return;
  const asset = negative.asset === null ? "WAVES" : `token ${encodeBase58(negative.asset)}`;
  const message = `${callText(call)} with attached ${asset} amount = ${negative.amount}`;
  if (view.has(Feature.RideV6)) refuse(message);
  const { enforceTransferValidationAfter } = view.settings.functionality;
  if (view.has(Feature.SynchronousCalls) && view.height >= enforceTransferValidationAfter) {
    throw new FailOrReject(message);
  }
}

function callText({ sender, dApp }: Call): string {
  return `DApp ${addressText(sender)} invoked DApp ${addressText(dApp)}`;
}

function refuse(message: string): never {
  throw new RuleError({ code: "generic", message });
}
