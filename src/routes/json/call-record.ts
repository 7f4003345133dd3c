/** What calls did, as the interface prints it: with the present state of the leases that they made and ended. */
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
 * What stands in the place of the state changes, or follows them, where they are not known because there are too many (the reference
 * keeps them all), or are another network's and known only as it prints them.
 */
export function omissionJson({ callRecord }: StoredTransaction): JsonObject {
  if (callRecord === undefined) return {};
  const printed = findPrintedRecord(callRecord);
  if (printed !== undefined) return parseJson(printed) as JsonObject;
  if (!isOmittedCallRecord(callRecord)) return {};
  return { stateChangesOmitted: "what the call did is larger than the node keeps" };
}

/** Leases that the record's JSON shows. */
export function leaseIdsOfRecord(record: CallRecord | undefined): readonly Uint8Array[] {
  return record === undefined ? [] : leaseIdsOf(record.result);
}

export interface StateChangesFacts {
  /** By id; undefined where there is no such lease. */
  readonly findLease: (leaseId: Uint8Array) => StoredLease | undefined;
  readonly chainId: number;
  /** Whether it is for the list of an account's transactions. */
  readonly isListed: boolean;
}

export function stateChangesJson(result: CallResult, { findLease, chainId, isListed }: StateChangesFacts): JsonObject {
  const lease = (leaseId: Uint8Array, made: ResultLease | undefined): JsonObject => {
    const known = findLease(leaseId);
    const json = leaseReferenceJson(leaseId, known, chainId);
    if (known !== undefined || made === undefined) return json;
    const recipient = made.recipient.kind === "address" ? recipientText(made.recipient) : null;
    return { ...json, recipient, amount: made.amount };
  };
  return callResultJson(result, { lease, isListed });
}
