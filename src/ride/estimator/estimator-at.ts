/** Active estimator. @source Waves: features/EstimatorProvider.scala */
import { Feature } from "../../network/features.ts";
import type { Estimator } from "./script-complexity.ts";

export interface EstimatorOptions {
  readonly isActive: (feature: number) => boolean;
  /** Height of the block. */
  readonly height: number;
  /** Height from which overflowing sums are errors. */
  readonly estimatorSumOverflowFixHeight: number;
}

export function estimatorAt({ isActive, height, estimatorSumOverflowFixHeight }: EstimatorOptions): Estimator {
  if (!isActive(Feature.BlockV5)) return isActive(Feature.BlockReward) ? 2 : 1;
  return {
    fixesOverflow: height >= estimatorSumOverflowFixHeight,
    hasOverhead: !isActive(Feature.RideV6),
    fixesArguments: isActive(Feature.LightNode),
  };
}
