/** Features in force for tests: as given, or by the votes of recorded blocks. */
import { type FeatureActivation, featureActivationOf } from "../../../src/network/features.ts";
import type { FunctionalitySettings } from "../../../src/network/settings.ts";
import { activationHeightAfterApproval } from "../../../src/rules/consensus/feature-voting.ts";

/** Activation heights as given; all other features are undecided. */
export function activeFrom(heights: Readonly<Record<number, number>>): FeatureActivation {
  return featureActivationOf(new Map(Object.entries(heights).map(([feature, height]) => [Number(feature), height])));
}

/** @param approvals feature id to the height that approved it */
export function activeByApproval(
  functionality: FunctionalitySettings,
  approvals: ReadonlyMap<number, number>,
): FeatureActivation {
  const heights = new Map(functionality.preActivatedFeatures);
  for (const [feature, approval] of approvals)
    if (!heights.has(feature)) heights.set(feature, activationHeightAfterApproval(approval, functionality));
  return featureActivationOf(heights);
}

/** Number of votes by feature. */
export function countVotes(votesOfBlocks: Iterable<readonly number[]>): ReadonlyMap<number, number> {
  const votes = new Map<number, number>();
  for (const features of votesOfBlocks)
    for (const feature of features) votes.set(feature, (votes.get(feature) ?? 0) + 1);
  return votes;
}
