/**
 * Result of a call in JSON.
 * @source docs/protocol/rest-api.md 3.7; Waves: state/InvokeScriptResult.scala,
 *   api/http/TransactionJsonSerializer.scala
 */
import { addressText } from "../../crypto/address.ts";
import { encodeBase58 } from "../../crypto/base58.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Asset } from "../../protocol/transactions/asset.ts";
import { dataEntryJson } from "../../protocol/transactions/data-entry.ts";
import { recipientText } from "../../protocol/transactions/recipient.ts";
import { valueJson } from "../values/value-json.ts";
import { bytesText } from "../values/value-text.ts";
import type { CallResult, InvokedCall, ResultLease } from "./call-result.ts";

export interface CallResultStyle {
  /** Prints a lease; default: data of the action, and only the id for a cancellation. */
  readonly lease?: (leaseId: Uint8Array, made: ResultLease | undefined) => JsonObject;
  /** Whether the result is in a list of an account's transactions, where issues have another order of members. */
  readonly isListed?: boolean;
}

export function callResultJson(result: CallResult, style: CallResultStyle = {}): JsonObject {
  const { lease = plainLease } = style;
  return {
    data: result.data.map(dataEntryJson),
    transfers: result.transfers.map(({ address, asset, amount }) => ({
      address: addressText(address),
      asset: assetText(asset),
      amount,
    })),
    issues: result.issues.map(style.isListed ? listedIssue : plainIssue),
    reissues: result.reissues.map(({ assetId, isReissuable, quantity }) => ({
      assetId: bytesText(assetId),
      isReissuable,
      quantity,
    })),
    burns: result.burns.map(({ assetId, quantity }) => ({ assetId: bytesText(assetId), quantity })),
    sponsorFees: result.sponsorFees.map(({ assetId, minSponsoredAssetFee }) => ({
      assetId: bytesText(assetId),
      ...(minSponsoredAssetFee !== undefined && { minSponsoredAssetFee }),
    })),
    leases: result.leases.map((resultLease) => lease(resultLease.leaseId, resultLease)),
    leaseCancels: result.leaseCancels.map(({ leaseId }) => lease(leaseId, undefined)),
    invokes: result.invokes.map((call) => invokedJson(call, style)),
    ...(result.error && { error: { code: result.error.code, text: result.error.text } }),
  };
}

function invokedJson(call: InvokedCall, style: CallResultStyle): JsonObject {
  return {
    dApp: addressText(call.dApp),
    call: { function: call.function, args: call.args.map(valueJson) },
    payment: call.payments.map(({ asset, amount }) => ({ assetId: assetText(asset), amount })),
    // Alternative form of the requirements (docs/protocol/rest-api.md 6, row 2).
    payments: call.payments.map(({ asset, amount }) => ({ asset: assetText(asset), amount })),
    stateChanges: callResultJson(call.result, style),
  };
}

type Issue = CallResult["issues"][number];

function plainIssue({ assetId, name, description, quantity, decimals, isReissuable, nonce }: Issue): JsonObject {
  const id = bytesText(assetId);
  return { assetId: id, name, description, quantity, decimals, isReissuable, compiledScript: null, nonce };
}

function listedIssue({ assetId, name, description, quantity, decimals, isReissuable, nonce }: Issue): JsonObject {
  return { assetId: bytesText(assetId), decimals, description, isReissuable, name, quantity, nonce };
}

/** Prints the action's data of a lease, and only the id for a cancellation. */
export function plainLease(leaseId: Uint8Array, made: ResultLease | undefined): JsonObject {
  if (made === undefined) return { id: encodeBase58(leaseId) };
  const { recipient, amount, nonce } = made;
  return { recipient: recipientText(recipient), amount, nonce, id: encodeBase58(leaseId) };
}

function assetText(asset: Asset): string | null {
  return asset === null ? null : encodeBase58(asset);
}

/** Leases that the call and its nested calls created or cancelled. */
export function leaseIdsOf(result: CallResult): readonly Uint8Array[] {
  return [
    ...result.leases.map(({ leaseId }) => leaseId),
    ...result.leaseCancels.map(({ leaseId }) => leaseId),
    ...result.invokes.flatMap((call) => leaseIdsOf(call.result)),
  ];
}
