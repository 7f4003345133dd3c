/** Estimator of scripts by active features. @source Waves: features/EstimatorProvider.scala */
import type { FeatureActivation } from "../../network/features.ts";
import type { FunctionalitySettings } from "../../network/settings.ts";
import { estimatorAt } from "../../ride/estimator/estimator-at.ts";
import type { Estimator } from "../../ride/estimator/script-complexity.ts";

/** Estimator at a height. */
export function estimatorInForce(
  features: FeatureActivation,
  height: number,
  { estimatorSumOverflowFixHeight }: FunctionalitySettings,
): Estimator {
  return estimatorAt({
    isActive: (feature) => features.isActive(feature, height),
    height,
    estimatorSumOverflowFixHeight,
  });
}

/**
 * Estimator for the reported complexities of callables: the one at the height where the script was set, or, if the
 * chain has a later one by now, that one as it was expected then.
 * @source Waves: state/diffs/SetScriptTransactionDiff.scala (estimateNext), api/http/AddressApiRoute.scala (scriptInfo)
 */
export function estimatorOfCallables(
  features: FeatureActivation,
  { setAt, tip }: { readonly setAt: number; readonly tip: number },
  functionality: FunctionalitySettings,
): Estimator {
  const now = estimatorInForce(features, tip, functionality);
  const then = estimatorInForce(features, setAt, functionality);
  if (numberOf(now) === numberOf(then)) return then;
  if (typeof now === "number") return now;
  const fixesOverflow = setAt >= functionality.estimationOverflowFixHeight;
  return { fixesOverflow, hasOverhead: false, fixesArguments: true };
}

function numberOf(estimator: Estimator): number {
  return typeof estimator === "number" ? estimator : 3;
}
