/**
 * Calls of dApps as objects of verifiers and asset scripts.
 * @source Waves: lang/v1/evaluator/ctx/impl/waves/Bindings.scala (invokeScriptTransactionObject, buildPayments),
 *   transaction/smart/AttachedPaymentExtractor.scala
 */

import type { Asset } from "../../protocol/transactions/asset.ts";
import type { Payment, Recipient } from "../../protocol/transactions/transaction.ts";
import { Text } from "../values/text.ts";
import { List, limitedObject, Structure, unit, type Value } from "../values/value.ts";
import { type Entity, type EntityShape, entityFields } from "./entity-fields.ts";
import { recipientObject } from "./recipients.ts";

/** Call by a transaction or a dApp. */
export interface ScriptInvoke extends Entity {
  readonly dApp: Recipient;
  readonly feeAsset: Asset;
  readonly function: string;
  /** Set if the function is the id of a native function. */
  readonly nativeId?: number | undefined;
  readonly args: readonly Value[];
  readonly payments: readonly Payment[];
}

/** First version whose scripts see a list of payments; before, one or none. */
const paymentListSince = 4;
const morePaymentsSince = 5;
const maxPayments = { first: 2, later: 10 } as const;

/**
 * @param paymentVersion library version that decides the form of the payments
 * @throws NativeFailure the body is too long for the version, the object is too heavy
 */
export function invokeObject(
  invoke: ScriptInvoke,
  shape: EntityShape,
  paymentVersion = shape.libraryVersion,
): Structure {
  const { dApp, feeAsset, args, payments } = invoke;
  const attached = payments.map(attachedPayment);
  return limitedObject(
    new Structure(
      "InvokeScriptTransaction",
      new Map<string, Value>([
        ["dApp", recipientObject(dApp)],
        ["feeAssetId", feeAsset ?? unit],
        ["function", new Text(invoke.function)],
        ["args", new List(args)],
        paymentVersion >= paymentListSince ? ["payments", new List(attached)] : ["payment", attached[0] ?? unit],
        ...entityFields(invoke, shape),
      ]),
    ),
  );
}

function attachedPayment({ amount, asset }: Payment): Structure {
  return new Structure(
    "AttachedPayment",
    new Map<string, Value>([
      ["amount", amount],
      ["assetId", asset ?? unit],
    ]),
  );
}

/** The reference's error for a number of payments that a script cannot see; undefined if it can. */
export function findPaymentsError(
  count: number,
  { libraryVersion, allowsSeveral, script }: { libraryVersion: number; allowsSeveral: boolean; script: string },
): string | undefined {
  if (count <= 1) return undefined;
  if (!allowsSeveral) return "Multiple payments isn't allowed now";
  if (libraryVersion < paymentListSince) {
    return `${script} version ${libraryVersion} < ${paymentListSince} doesn't support multiple payment attachment`;
  }
  const limit = libraryVersion < morePaymentsSince ? maxPayments.first : maxPayments.later;
  return count > limit ? `Script payment amount=${count} should not exceed ${limit}` : undefined;
}
