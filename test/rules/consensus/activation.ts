/** Features in force for tests: heights as given, everything else undecided. */

import { functionalityDefaults } from "../../../src/network/defaults.ts";
import type { FeatureActivation } from "../../../src/network/features.ts";
import { featureActivation } from "../../../src/rules/consensus/feature-voting.ts";

export function activeFrom(heights: Readonly<Record<number, number>>): FeatureActivation {
  const preActivatedFeatures = new Map(Object.entries(heights).map(([feature, height]) => [Number(feature), height]));
  return featureActivation({ ...functionalityDefaults, preActivatedFeatures }, new Map());
}
