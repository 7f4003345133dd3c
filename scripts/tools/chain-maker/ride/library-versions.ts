/** Which versions of the library the chain takes now. @source Waves: features/RideVersionProvider.scala */
import { Feature, type FeatureId } from "../../../../src/network/features.ts";
import type { ChainWorld } from "../chain-world.ts";

const featureOfVersion: readonly (readonly [version: number, feature: FeatureId])[] = [
  [1, Feature.SmartAccounts],
  [2, Feature.SmartAccounts],
  [3, Feature.Ride4DApps],
  [4, Feature.BlockV5],
  [5, Feature.SynchronousCalls],
  [6, Feature.RideV6],
  [7, Feature.BlockRewardDistribution],
  [8, Feature.LightNode],
];
/** From feature 22 on older ones cannot be set any more. */
const leastNewVersion = 4;

export function takenVersions(world: ChainWorld, least = 1): readonly number[] {
  const floor = world.isActive(Feature.LightNode) ? Math.max(least, leastNewVersion) : least;
  return featureOfVersion
    .filter(([version, feature]) => version >= floor && world.isActive(feature))
    .map(([version]) => version);
}
