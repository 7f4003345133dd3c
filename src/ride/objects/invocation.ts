/**
 * Invocation object of callables.
 * @source Waves: lang/v1/evaluator/ctx/impl/waves/Bindings.scala (buildInvocation, buildPayments)
 */
import { List, Structure, unit, type Value } from "../values/value.ts";
import { FieldsReadLate } from "./fields-read-late.ts";
import { addressObject } from "./recipients.ts";

/** Id of the transaction that makes the call: an execution that reads it is not alike for other calls. */
export interface TransactionIdOfCall {
  readonly sizeBytes: number;
  readonly read: () => Uint8Array;
}

export function knownId(id: Uint8Array): TransactionIdOfCall {
  return { sizeBytes: id.length, read: () => id };
}

export interface Invocation {
  readonly caller: Uint8Array;
  readonly callerPublicKey: Uint8Array;
  /** Sender of the transaction; the caller may be a dApp. */
  readonly originCaller: Uint8Array;
  readonly originCallerPublicKey: Uint8Array;
  /** Read only if a script uses it. @see TransactionIdOfCall */
  readonly transactionId: TransactionIdOfCall;
  readonly feeWavelets: bigint;
  /** Null: WAVES. */
  readonly feeAssetId: Uint8Array | null;
  readonly payments: readonly { readonly assetId: Uint8Array | null; readonly amount: bigint }[];
  /** True for evaluations, which have a list of payments in every version. */
  readonly hasPaymentList?: boolean;
}

const idField = "transactionId";
const paymentsSince = 4;
const originSince = 5;

export function invocationObject(invocation: Invocation, libraryVersion: number): Structure {
  const fields: [string, Value][] = [
    ["caller", addressObject(invocation.caller)],
    ["callerPublicKey", invocation.callerPublicKey],
    [idField, new Uint8Array(invocation.transactionId.sizeBytes)],
    ["fee", invocation.feeWavelets],
    ["feeAssetId", invocation.feeAssetId ?? unit],
  ];
  if (libraryVersion >= originSince) {
    fields.push(["originCaller", addressObject(invocation.originCaller)]);
    fields.push(["originCallerPublicKey", invocation.originCallerPublicKey]);
  }
  const payments = invocation.payments.map(
    ({ assetId, amount }) =>
      new Structure(
        "AttachedPayment",
        new Map<string, Value>([
          ["amount", amount],
          ["assetId", assetId ?? unit],
        ]),
      ),
  );
  fields.push(
    libraryVersion >= paymentsSince || invocation.hasPaymentList
      ? ["payments", new List(payments)]
      : ["payment", payments[0] ?? unit],
  );
  const template = new Structure("Invocation", new Map(fields));
  const lateFields = new FieldsReadLate(fields, idField, invocation.transactionId.read);
  return new Structure(template.type, lateFields, template);
}
