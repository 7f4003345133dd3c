/**
 * Sponsored fees: what a fee in an asset is worth in WAVES.
 * @source Waves: state/Sponsorship.scala
 */
import { I64_MAX } from "../../protocol/codec/i64.ts";
import { RuleError } from "../../protocol/faults.ts";
import { feeUnitWavelets } from "../../protocol/transactions/fee-units.ts";
import { sponsorshipHeight } from "../consensus/feature-voting.ts";
import type { StateView } from "../state/state-view.ts";

/** Whether sponsorship is in force at the height of the view. */
export function isSponsorshipActive(view: StateView): boolean {
  const height = sponsorshipHeight(view, view.settings.functionality);
  return height !== undefined && view.height >= height;
}

/**
 * Worth in wavelets of a fee in an asset.
 * @param minSponsoredAssetFee units of the asset that stand for one fee unit; 0 (not sponsored) makes it priceless
 * @throws RuleError feeConversionOverflow
 */
export function wavesOfAssetFee(assetFee: bigint, minSponsoredAssetFee: bigint): bigint {
  if (minSponsoredAssetFee === 0n) return I64_MAX;
  return fitting((assetFee * feeUnitWavelets) / minSponsoredAssetFee);
}

/**
 * Units of the asset that pay for a fee in wavelets.
 * @throws RuleError feeConversionOverflow
 */
export function assetFeeOfWaves(wavesFee: bigint, minSponsoredAssetFee: bigint): bigint {
  if (wavesFee === 0n || minSponsoredAssetFee === 0n) return 0n;
  return fitting((wavesFee * minSponsoredAssetFee) / feeUnitWavelets);
}

function fitting(amount: bigint): bigint {
  if (amount > I64_MAX) throw new RuleError({ code: "feeConversionOverflow" });
  return amount;
}
