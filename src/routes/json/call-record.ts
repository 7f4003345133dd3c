/**
 * Effects of calls as the interface prints them, with the current status of the leases that they created or cancelled.
 */
import type { JsonObject } from "../../protocol/json.ts";
import { parseJson } from "../../protocol/parse-json.ts";
import { leaseReferenceJson } from "../../protocol/transactions/lease-json.ts";
import { recipientText } from "../../protocol/transactions/recipient.ts";
import type { StoredLease } from "../../read-model/lease.ts";
import type { StoredTransaction } from "../../read-model/transaction.ts";
import {
  type CallRecord,
  findPrintedRecord,
  isOmittedCallRecord,
  parseCallRecord,
} from "../../ride/results/call-record.ts";
import type { CallResult, ResultLease } from "../../ride/results/call-result.ts";
import { callResultJson, leaseIdsOf } from "../../ride/results/call-result-json.ts";

export function callRecordOf({ callRecord }: StoredTransaction, chainId: number): CallRecord | undefined {
  if (callRecord === undefined || isOmittedCallRecord(callRecord) || findPrintedRecord(callRecord) !== undefined)
    return undefined;
  return parseCallRecord(callRecord, chainId);
}

/**
 * Members that replace or follow the state changes, if those are too many to be stored (the reference stores all), or
 * belong to another network and are known only in printed form.
 */
export function omissionJson({ callRecord }: StoredTransaction): JsonObject {
  if (callRecord === undefined) return {};
  const printed = findPrintedRecord(callRecord);
  if (printed !== undefined) return parseJson(printed) as JsonObject;
  if (!isOmittedCallRecord(callRecord)) return {};
  return { stateChangesOmitted: "what the call did is larger than the node keeps" };
}

/** Ids of the leases in the record's JSON. */
export function leaseIdsOfRecord(record: CallRecord | undefined): readonly Uint8Array[] {
  return record === undefined ? [] : leaseIdsOf(record.result);
}

export interface StateChangesContext {
  /** Lease by id; undefined: unknown. */
  readonly findLease: (leaseId: Uint8Array) => StoredLease | undefined;
  readonly chainId: number;
  /** Whether it is for the list of an account's transactions. */
  readonly isListed: boolean;
}

export function stateChangesJson(
  result: CallResult,
  { findLease, chainId, isListed }: StateChangesContext,
): JsonObject {
  const lease = (leaseId: Uint8Array, created: ResultLease | undefined): JsonObject => {
    const known = findLease(leaseId);
    const json = leaseReferenceJson(leaseId, known, chainId);
    if (known !== undefined || created === undefined) return json;
    const recipient = created.recipient.kind === "address" ? recipientText(created.recipient) : null;
    return { ...json, recipient, amount: created.amount };
  };
  return callResultJson(result, { lease, isListed });
}
