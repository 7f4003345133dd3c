/**
 * Versions of the standard library of scripts.
 * @source Waves: features/RideVersionProvider.scala, lang/directives/values/StdLibVersion.scala
 */
import { Feature, type FeatureId } from "../../network/features.ts";

/** Feature that enables each version. */
export const featureOfLibraryVersion: ReadonlyMap<number, FeatureId> = new Map<number, FeatureId>([
  [1, Feature.SmartAccounts],
  [2, Feature.SmartAccounts],
  [3, Feature.Ride4DApps],
  [4, Feature.BlockV5],
  [5, Feature.SynchronousCalls],
  [6, Feature.RideV6],
  [7, Feature.BlockRewardDistribution],
  [8, Feature.LightNode],
  [9, Feature.DeterministicFinality],
]);

/** All versions, ascending. */
export const libraryVersions: readonly number[] = [...featureOfLibraryVersion.keys()];

export const newestLibraryVersion = Math.max(...libraryVersions);

/** From this version on a script may be a dApp. */
export const firstDAppVersion = 3;

/** First version that can still be set once feature 22 is active. */
export const firstVersionOfLightNode = 4;
