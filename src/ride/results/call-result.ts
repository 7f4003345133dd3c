/**
 * Result of a dApp call for clients: actions by kind, nested calls, error.
 * @source docs/protocol/rest-api.md 3.7; Waves: state/InvokeScriptResult.scala
 */
import type { Address } from "../../crypto/identities.ts";
import type { Asset } from "../../protocol/transactions/asset.ts";
import type { DataEntry, Payment, Recipient } from "../../protocol/transactions/transaction.ts";
import type { Value } from "../values/value.ts";
import type { BurnAction, IssueAction, LeaseCancelAction, ReissueAction, SponsorFeeAction } from "./callable-action.ts";

export interface ResultTransfer {
  readonly address: Address;
  readonly asset: Asset;
  readonly amount: bigint;
}
export interface ResultLease {
  readonly leaseId: Uint8Array;
  readonly recipient: Recipient;
  readonly amount: bigint;
  readonly nonce: bigint;
}

export interface CallResult {
  readonly data: readonly DataEntry[];
  readonly transfers: readonly ResultTransfer[];
  readonly issues: readonly Omit<IssueAction, "kind">[];
  readonly reissues: readonly Omit<ReissueAction, "kind">[];
  readonly burns: readonly Omit<BurnAction, "kind">[];
  readonly sponsorFees: readonly Omit<SponsorFeeAction, "kind">[];
  readonly leases: readonly ResultLease[];
  readonly leaseCancels: readonly Omit<LeaseCancelAction, "kind">[];
  readonly invokes: readonly InvokedCall[];
  readonly error: { readonly code: number; readonly text: string } | undefined;
}

/** Nested call by a dApp. */
export interface InvokedCall {
  readonly dApp: Address;
  readonly function: string;
  readonly args: readonly Value[];
  readonly payments: readonly Payment[];
  readonly result: CallResult;
}

export const emptyCallResult: CallResult = {
  data: [],
  transfers: [],
  issues: [],
  reissues: [],
  burns: [],
  sponsorFees: [],
  leases: [],
  leaseCancels: [],
  invokes: [],
  error: undefined,
};

/** Concatenates both results, the first one first. */
export function joinCallResults(first: CallResult, second: CallResult): CallResult {
  return {
    data: [...first.data, ...second.data],
    transfers: [...first.transfers, ...second.transfers],
    issues: [...first.issues, ...second.issues],
    reissues: [...first.reissues, ...second.reissues],
    burns: [...first.burns, ...second.burns],
    sponsorFees: [...first.sponsorFees, ...second.sponsorFees],
    leases: [...first.leases, ...second.leases],
    leaseCancels: [...first.leaseCancels, ...second.leaseCancels],
    invokes: [...first.invokes, ...second.invokes],
    error: first.error ?? second.error,
  };
}

/** Assets that the call and its nested calls issued. */
export function issuesOf(result: CallResult): readonly CallResult["issues"][number][] {
  return [...result.issues, ...result.invokes.flatMap((call) => issuesOf(call.result))];
}
