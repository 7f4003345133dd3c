/** What the state of the chain says of scripts: which estimator, whose checks cost a fee. */
import { Feature } from "../network/features.ts";
import type { FunctionalitySettings } from "../network/settings.ts";
import { type ActivationHeights, featureActivationOf } from "../read-model/feature.ts";
import { estimatorAt } from "../ride/estimator/estimator-at.ts";
import type { Estimator } from "../ride/estimator/script-complexity.ts";

/** Fee for the check by a script, wavelets. */
const scriptFee = 400_000;
/** A verifier that costs no more is free of it. */
const freeComplexity = 200n;

/** The estimator at a height. */
export function estimatorOf(
  heights: ActivationHeights,
  height: number,
  { estimatorSumOverflowFixHeight }: FunctionalitySettings,
): Estimator {
  const { isActive } = featureActivationOf(heights);
  return estimatorAt({ isActive: (feature) => isActive(feature, height), height, estimatorSumOverflowFixHeight });
}

/**
 * The estimator whose complexities of callables are shown: that of the height where the script was set, or, where the
 * chain has gone on to a later one, that one as it was foreseen then.
 * @source Waves: state/diffs/SetScriptTransactionDiff.scala (estimateNext), api/http/AddressApiRoute.scala (scriptInfo)
 */
export function estimatorOfCallables(
  heights: ActivationHeights,
  { setAt, tip }: { readonly setAt: number; readonly tip: number },
  functionality: FunctionalitySettings,
): Estimator {
  const now = estimatorOf(heights, tip, functionality);
  const then = estimatorOf(heights, setAt, functionality);
  if (versionOf(now) === versionOf(then)) return then;
  if (typeof now === "number") return now;
  const fixesOverflow = setAt >= functionality.estimationOverflowFixHeight;
  return { fixesOverflow, hasOverhead: false, fixesArguments: true };
}

function versionOf(estimator: Estimator): number {
  return typeof estimator === "number" ? estimator : 3;
}

/** What a verifier adds to the fee, wavelets. @source Waves: api/http/utils/UtilsApiRoute.scala (extraFee) */
export function extraFee(verifierComplexity: bigint, heights: ActivationHeights, height: number): number {
  const isFree = featureActivationOf(heights).isActive(Feature.SynchronousCalls, height);
  return isFree && verifierComplexity <= freeComplexity ? 0 : scriptFee;
}

/** Version of the library where a source names none. */
export function defaultLibraryVersion(heights: ActivationHeights, height: number): number {
  const { isActive } = featureActivationOf(heights);
  if (isActive(Feature.SynchronousCalls, height)) return 5;
  return isActive(Feature.Ride4DApps, height) ? 4 : 3;
}

/** The newest version that the chain's features know. */
export function newestLibraryVersion(heights: ActivationHeights, height: number): number {
  return featureActivationOf(heights).isActive(Feature.DeterministicFinality, height) ? 9 : 8;
}
