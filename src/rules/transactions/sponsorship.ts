/**
 * Sponsored fees: value of an asset fee in WAVES.
 * @source Waves: state/Sponsorship.scala
 */
import { I64_MAX } from "../../protocol/codec/i64.ts";
import { RuleError } from "../../protocol/errors.ts";
import { feeUnitWavelets } from "../../protocol/transactions/fee-units.ts";
import { sponsorshipHeight } from "../consensus/feature-voting.ts";
import type { StateView } from "../state/state-view.ts";

/** Whether sponsorship is active at the height of the view. */
export function isSponsorshipActive(view: StateView): boolean {
  const height = sponsorshipHeight(view, view.settings.functionality);
  return height !== undefined && view.height >= height;
}

/**
 * Value of an asset fee, wavelets.
 * @param minSponsoredAssetFee units of the asset for one fee unit; 0 (not sponsored) gives the highest value
 * @throws RuleError feeConversionOverflow
 */
export function wavesOfAssetFee(assetFee: bigint, minSponsoredAssetFee: bigint): bigint {
  if (minSponsoredAssetFee === 0n) return I64_MAX;
  return fitting((assetFee * feeUnitWavelets) / minSponsoredAssetFee);
}

/**
 * Units of the asset for a fee in wavelets.
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
