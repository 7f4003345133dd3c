/**
 * Sizes of data transactions: the size for the fee, and limits.
 * @source Waves: transaction/validation/impl/DataTxValidator.scala; state/diffs/FeeValidation.scala
 */
import { Feature } from "../../../network/features.ts";
import { utf8Bytes } from "../../../protocol/codec/utf8.ts";
import { RuleError } from "../../../protocol/errors.ts";
import type { DataEntry, DataTransaction, DataValue } from "../../../protocol/transactions/transaction.ts";
import type { StateView } from "../../state/state-view.ts";

/** Limits of a whole data transaction, in bytes, by the counted size. */
const sizeLimits = { legacyTransaction: 153_600, protobufMessage: 165_890, payload: 165_835 } as const;
/** Keys of version 1 before feature 17, in UTF-16 units. */
const legacyKeyLimit = 100;
const keyLimitBytes = 400;
const protobufVersion = 2;

/** Size of a data transaction for its fee, bytes. */
export function dataPayloadBytes(transaction: DataTransaction, view: StateView): number {
  const { data, version, bodyBytes, bytes } = transaction;
  if (view.has(Feature.RideV6)) return payloadBytes(data);
  if (version >= protobufVersion) return protobufDataBytes(data);
  return view.has(Feature.SmartAccounts) ? bodyBytes.length : bytes.length;
}

/** @throws RuleError tooBig */
export function checkDataSize(transaction: DataTransaction, view: StateView): void {
  const { data, version, bytes } = transaction;
  const isRideV6 = view.has(Feature.RideV6);
  if (isRideV6) limit("data payload", payloadBytes(data), sizeLimits.payload);
  else if (version === 1) limit("data transaction", bytes.length, sizeLimits.legacyTransaction);
  // The reference has no limit for a future version, except the block's.
  else if (version === protobufVersion) limit("data message", protobufDataBytes(data), sizeLimits.protobufMessage);
  for (const { key } of data) {
    if (version === 1 && !isRideV6) limit("data key", key.length, legacyKeyLimit);
    else limit("data key", utf8Bytes(key).length, keyLimitBytes);
  }
}

/** Size of keys and values only. */
export function payloadBytes(data: readonly DataEntry[]): number {
  let sizeBytes = 0;
  for (const { key, value } of data) sizeBytes += utf8Bytes(key).length + valueBytes(value);
  return sizeBytes;
}

function valueBytes(value: DataValue): number {
  switch (value?.type) {
    case undefined:
      return 0;
    case "integer":
      return 8;
    case "boolean":
      return 1;
    case "binary":
      return value.value.length;
    case "string":
      return utf8Bytes(value.value).length;
  }
}

/** Size of the protobuf message `DataTransactionData`, in which each entry is a field with a one-byte tag. */
function protobufDataBytes(data: readonly DataEntry[]): number {
  let sizeBytes = 0;
  for (const entry of data) sizeBytes += 1 + prefixed(protobufEntryBytes(entry));
  return sizeBytes;
}

function protobufEntryBytes({ key, value }: DataEntry): number {
  const keyBytes = utf8Bytes(key).length;
  const keyField = keyBytes === 0 ? 0 : 1 + prefixed(keyBytes);
  switch (value?.type) {
    case undefined:
      return keyField;
    case "integer":
      return keyField + 1 + varintBytes(BigInt.asUintN(64, value.value));
    case "boolean":
      return keyField + 2;
    case "binary":
    case "string":
      return keyField + 1 + prefixed(valueBytes(value));
  }
}

/** Size of a length-delimited field's content with its length prefix. */
function prefixed(sizeBytes: number): number {
  return varintBytes(BigInt(sizeBytes)) + sizeBytes;
}

function varintBytes(value: bigint): number {
  let sizeBytes = 1;
  for (let rest = value >> 7n; rest > 0n; rest >>= 7n) sizeBytes++;
  return sizeBytes;
}

function limit(what: string, sizeBytes: number, allowed: number): void {
  if (sizeBytes > allowed) throw new RuleError({ code: "tooBig", what, sizeBytes, limit: allowed });
}
