/** Library versions that the chain currently accepts. @source Waves: features/RideVersionProvider.scala */
import { Feature } from "../../../src/network/features.ts";
import {
  featureOfLibraryVersion,
  firstVersionOfLightNode,
  libraryVersions,
} from "../../../src/protocol/transactions/library-versions.ts";
import type { ChainWorld } from "../chain-world.ts";

export function acceptedVersions(world: ChainWorld, least = 1): readonly number[] {
  const floor = world.isActive(Feature.LightNode) ? Math.max(least, firstVersionOfLightNode) : least;
  return libraryVersions.filter((version) => {
    const feature = featureOfLibraryVersion.get(version);
    return version >= floor && feature !== undefined && world.isActive(feature);
  });
}
