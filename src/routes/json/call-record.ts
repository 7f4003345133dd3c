/** What calls did, as the interface prints it: with the present state of the leases that they made and ended. */
import type { JsonObject } from "../../protocol/json.ts";
import { leaseReferenceJson } from "../../protocol/transactions/lease-json.ts";
import { recipientText } from "../../protocol/transactions/recipient.ts";
import type { StoredLease } from "../../read-model/lease.ts";
import type { StoredTransaction } from "../../read-model/transaction.ts";
import {
  type CallRecord,
  isOmittedCallRecord,
  parseCallRecord,
  unknownCallRecord,
} from "../../ride/results/call-record.ts";
import type { CallResult, ResultLease } from "../../ride/results/call-result.ts";
import { callResultJson, leaseIdsOf } from "../../ride/results/call-result-json.ts";

export function callRecordOf({ callRecord }: StoredTransaction, chainId: number): CallRecord | undefined {
  return callRecord === undefined || isOmittedCallRecord(callRecord) ? undefined : parseCallRecord(callRecord, chainId);
}

/** What follows the state changes where they are not known: there are too many, or they are another network's. The reference keeps all. */
export function omissionJson({ callRecord }: StoredTransaction): JsonObject {
  if (callRecord === undefined || !isOmittedCallRecord(callRecord)) return {};
  const isOfFork = callRecord[0] === unknownCallRecord[0];
  return {
    stateChangesOmitted: isOfFork
      ? "what the call did is known by the network behind the fork"
      : "what the call did is larger than the node keeps",
  };
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
