/**
 * Minimum fee of a transaction, by type, size, scripts and features.
 * @source Waves: state/diffs/FeeValidation.scala
 */

import { Feature } from "../../../network/features.ts";
import { RuleError } from "../../../protocol/errors.ts";
import type { Asset } from "../../../protocol/transactions/asset.ts";
import { type EthereumPayload, ethereumPayload } from "../../../protocol/transactions/ethereum.ts";
import { feeUnitWavelets, scriptExtraFeeWavelets } from "../../../protocol/transactions/fee-units.ts";
import { hasProofs } from "../../../protocol/transactions/signer.ts";
import { formatOf } from "../../../protocol/transactions/table.ts";
import type { Transaction } from "../../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../../protocol/transactions/transaction-type.ts";
import { isVerifierPaid } from "../../scripts/verifier-fee.ts";
import type { AssetDescription, StateView } from "../../state/state-view.ts";
import { isNonFungible } from "../non-fungible.ts";
import { senderAddress } from "../sender-address.ts";
import { assetFeeOfWaves, isSponsorshipActive } from "../sponsorship.ts";
import { dataPayloadBytes } from "./data-size.ts";
import { scriptedAssets } from "./scripted-assets.ts";

/** Fee units of issuing a non-fungible asset. */
const nonFungibleUnits = 1n;

export interface MinimumFee {
  readonly feeAsset: Asset;
  /** In units of `feeAsset`. */
  readonly required: bigint;
  readonly requiredWavelets: bigint;
  /** Number of asset scripts that the fee pays for. */
  readonly scriptedAssets: number;
  /** Whether the fee pays for the sender's account script. */
  readonly scriptedSender: boolean;
}

/**
 * @throws RuleError feeTooLow, feeMissing, feeAssetUnknown, feeAssetNotSponsored, feeConversionOverflow
 */
export function checkMinimumFee(transaction: Transaction, view: StateView): void {
  const { type, fee } = transaction;
  if (!isSponsorshipActive(view)) {
    // Before sponsorship each node's pool had its own minimum.
    if (fee <= 0n && formatOf(type).feeUnits > 0) throw new RuleError({ code: "feeMissing", fee });
    return;
  }
  const minimum = minimumFee(transaction, view);
  if (fee < minimum.required) throw new RuleError({ code: "feeTooLow", type, fee, ...minimum });
}

/**
 * Minimum fee of the transaction in its fee asset.
 * @throws RuleError feeAssetUnknown, feeAssetNotSponsored, feeConversionOverflow
 */
export function minimumFee(transaction: Transaction, view: StateView): MinimumFee {
  const units = unitsOf(transaction, view);
  const feeAsset = isSponsorshipActive(view) ? transaction.feeAsset : null;
  const sponsored = feeAsset === null ? undefined : getSponsoredAsset(feeAsset, view);
  const scripted = paidAssetScripts(transaction, view) + (sponsored?.script === undefined ? 0 : 1);
  const scriptedSender = hasPaidVerifier(transaction, view);
  const scripts = BigInt(scripted + (scriptedSender ? 1 : 0));
  const requiredWavelets = units * feeUnitWavelets + scripts * scriptExtraFeeWavelets;
  const required =
    sponsored === undefined ? requiredWavelets : assetFeeOfWaves(requiredWavelets, sponsored.minSponsoredAssetFee);
  return { feeAsset, required, requiredWavelets, scriptedAssets: scripted, scriptedSender };
}

/** Minimum fee of a transaction for an Ethereum wallet to sign, wavelets. */
export function minimumEthereumFee(payload: EthereumPayload, view: StateView): bigint {
  const scripts = BigInt(paidTokenScripts(payload, view));
  return ethereumUnits(payload, view) * feeUnitWavelets + scripts * scriptExtraFeeWavelets;
}

/**
 * Asset of a fee, which must be sponsored.
 * @throws RuleError feeAssetUnknown, feeAssetNotSponsored
 */
export function getSponsoredAsset(asset: NonNullable<Asset>, view: StateView): AssetDescription {
  const description = view.findAsset(asset);
  if (description === undefined) throw new RuleError({ code: "feeAssetUnknown", asset });
  if (description.minSponsoredAssetFee <= 0n) throw new RuleError({ code: "feeAssetNotSponsored", asset });
  return description;
}

function unitsOf(transaction: Transaction, view: StateView): bigint {
  const units = feeUnitsOf(transaction.type, view);
  switch (transaction.type) {
    case TransactionType.Issue:
      return isNonFungible(transaction, view) ? nonFungibleUnits : units;
    case TransactionType.MassTransfer:
      return units + BigInt((transaction.transfers.length + 1) >> 1);
    case TransactionType.Data:
      return units + BigInt(Math.max(0, dataPayloadBytes(transaction, view) - 1) >> 10);
    case TransactionType.SetScript:
      return view.has(Feature.RideV6) ? kibibytes(transaction.script?.length ?? 0) : units;
    case TransactionType.Ethereum:
      return ethereumUnits(ethereumPayload(transaction), view);
    default:
      return units;
  }
}

function ethereumUnits({ kind }: EthereumPayload, view: StateView): bigint {
  return feeUnitsOf(kind === "invocation" ? TransactionType.InvokeScript : TransactionType.Ethereum, view);
}

function paidTokenScripts(payload: EthereumPayload, view: StateView): number {
  if (payload.kind !== "transfer" || payload.token === null) return 0;
  return view.findAssetByErc20Address(payload.token)?.script === undefined ? 0 : 1;
}

function feeUnitsOf(type: TransactionType, view: StateView): bigint {
  const { feeUnits, laterFeeUnits } = formatOf(type);
  return BigInt(laterFeeUnits !== undefined && view.has(laterFeeUnits.since) ? laterFeeUnits.units : feeUnits);
}

/** Number of started kibibytes, at least one. */
function kibibytes(sizeBytes: number): bigint {
  return BigInt(Math.max(1, Math.ceil(sizeBytes / 1024)));
}

function paidAssetScripts(transaction: Transaction, view: StateView): number {
  switch (transaction.type) {
    case TransactionType.InvokeScript:
      // The complexity of the call includes the scripts of its payments.
      return view.has(Feature.SynchronousCalls) ? 0 : scriptedAssets(transaction, view).length;
    case TransactionType.Ethereum:
      return paidTokenScripts(ethereumPayload(transaction), view);
    default:
      return scriptedAssets(transaction, view).length;
  }
}

function hasPaidVerifier(transaction: Transaction, view: StateView): boolean {
  if (!hasProofs(transaction)) return false;
  const script = view.findAccountScript(senderAddress(transaction));
  return script !== undefined && isVerifierPaid(script.verifierComplexity, view, view.height);
}
