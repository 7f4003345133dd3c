/** Default library version of sources. @source Waves: api/http/utils/UtilsApiRoute.scala (defaultStdlibVersion) */
import { Feature, type FeatureActivation } from "../../network/features.ts";

/** Not always the newest version, nor always an allowed one: the reference changes it with these two features. */
export function defaultLibraryVersion(features: FeatureActivation, height: number): number {
  if (features.isActive(Feature.SynchronousCalls, height)) return 5;
  return features.isActive(Feature.Ride4DApps, height) ? 4 : 3;
}
