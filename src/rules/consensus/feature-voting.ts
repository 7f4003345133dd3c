/**
 * How features come into force: blocks vote, a window with enough votes approves, the feature is active one window later.
 * @source Waves: settings/BlockchainSettings.scala FunctionalitySettings, state/BlockchainUpdaterImpl.scala
 *   featuresApprovedWithBlock, mining/Miner.scala blockFeatures; docs/protocol/rest-api.md 3.14
 */
import { Feature, type FeatureActivation, implementedFeatures } from "../../network/features.ts";
import type { FunctionalitySettings } from "../../network/settings.ts";
import { BlockVersion } from "../../protocol/blocks/block-version.ts";
import type { HeightRange } from "./generating-balance.ts";

/** Windows and thresholds double at some height of the network. */
const growth = (height: number, functionality: FunctionalitySettings): number =>
  height <= functionality.doubleFeaturesPeriodsAfterHeight ? 1 : 2;

/** How many blocks vote together. As a 32-bit integer, like the reference: twice a long period wraps around. */
export function votingWindowSize(height: number, functionality: FunctionalitySettings): number {
  return (functionality.featureCheckBlocksPeriod * growth(height, functionality)) | 0;
}

/** How many of them must vote for a feature to approve it. */
export function votingThreshold(height: number, functionality: FunctionalitySettings): number {
  return functionality.blocksForFeatureActivation * growth(height, functionality);
}

/**
 * The window that a height belongs to; its last block decides. Where windows double at a height that is no multiple of twice the
 * period, the first long one holds blocks of shorter ones once more, and the votes of all of them.
 */
export function votingWindow(height: number, functionality: FunctionalitySettings): HeightRange {
  const size = votingWindowSize(height, functionality);
  const windowsBefore = Math.trunc((height - 1) / size);
  return { from: windowsBefore * size + 1, to: (windowsBefore + 1) * size };
}

/** Whether the block at the height is the last one of its window. */
export function endsVotingWindow(height: number, functionality: FunctionalitySettings): boolean {
  return height % votingWindowSize(height, functionality) === 0;
}

/** Of each feature the votes of all windows that are given. */
export function sumOfVotes(
  windows: readonly { readonly feature: number; readonly votes: number }[],
): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  for (const { feature, votes } of windows) sums.set(feature, (sums.get(feature) ?? 0) + votes);
  return sums;
}

/**
 * Features that the block at the height approves, ascending; none unless it ends a window.
 * @param earlierVotes of the blocks of the window before this one
 * @param blockVotes of this block
 * @param approvals heights of earlier approvals, which stay
 */
export function approvedFeatures(facts: {
  readonly height: number;
  readonly earlierVotes: ReadonlyMap<number, number>;
  readonly blockVotes: readonly number[];
  readonly approvals: ReadonlyMap<number, number>;
  readonly functionality: FunctionalitySettings;
}): readonly number[] {
  const { height, earlierVotes, blockVotes, approvals, functionality } = facts;
  if (!endsVotingWindow(height, functionality)) return [];
  const threshold = votingThreshold(height, functionality);
  // PERF: a generator may vote a million times in one block.
  const named = new Set(blockVotes);
  const isDecided = (feature: number): boolean =>
    approvals.has(feature) || functionality.preActivatedFeatures.has(feature);
  // Only what earlier blocks voted for: a vote of the last block alone never approves, even where one vote is enough.
  return [...earlierVotes]
    .map(([feature, earlier]) => ({ feature, count: earlier + (named.has(feature) ? 1 : 0) }))
    .filter(({ feature, count }) => count >= threshold && !isDecided(feature))
    .map(({ feature }) => feature)
    .sort((left, right) => left - right);
}

/** Height at which a feature approved at a height comes into force: one window later, by the size of the approving window. */
export function activationHeightAfterApproval(approvalHeight: number, functionality: FunctionalitySettings): number {
  return approvalHeight + votingWindowSize(approvalHeight, functionality);
}

/**
 * Votes as the interface shows them: a block of version 5 may name a feature more than once, and while it is the tip that
 * counts as one vote.
 * @param counted of the blocks of the window with the tip, each vote counted
 * @param tipVotes of the tip
 * @source Waves: state/BlockchainUpdaterImpl.scala featureVotes
 */
export function shownVotes(
  counted: ReadonlyMap<number, number>,
  tipVotes: readonly number[],
): ReadonlyMap<number, number> {
  const shown = new Map(counted);
  const seen = new Set<number>();
  for (const feature of tipVotes) {
    if (seen.has(feature)) shown.set(feature, (shown.get(feature) ?? 1) - 1);
    seen.add(feature);
  }
  return shown;
}

/** Features that a block of this node votes for, ascending: wanted, implemented, not decided yet. */
export function featureVotesOfMiner(facts: {
  readonly supportedFeatures: readonly number[];
  readonly approvals: ReadonlyMap<number, number>;
  readonly blockVersion: number;
  readonly functionality: FunctionalitySettings;
}): readonly number[] {
  if (facts.blockVersion < BlockVersion.Ng) return [];
  const undecided = (feature: number): boolean =>
    !facts.approvals.has(feature) && !facts.functionality.preActivatedFeatures.has(feature);
  return [...new Set(facts.supportedFeatures)]
    .filter((feature) => implementedFeatures.has(feature) && undecided(feature))
    .sort((left, right) => left - right);
}

/**
 * Height from which sponsored fees count as WAVES and minimum fees are enforced: one window after the activation of
 * feature 7; undefined while it is not decided.
 * @source Waves: state/Sponsorship.scala sponsoredFeesSwitchHeight
 */
export function sponsorshipHeight(
  features: FeatureActivation,
  functionality: FunctionalitySettings,
): number | undefined {
  const activation = features.activationHeight(Feature.FeeSponsorship);
  return activation === undefined ? undefined : (activation + votingWindowSize(activation, functionality)) | 0;
}
