/**
 * Activation of features: blocks vote, a window with enough votes approves, the feature is active one window later.
 * @source Waves: settings/BlockchainSettings.scala FunctionalitySettings, state/BlockchainUpdaterImpl.scala
 * featuresApprovedWithBlock, mining/Miner.scala blockFeatures; docs/protocol/rest-api.md 3.14
 */
import { Feature, type FeatureActivation, implementedFeatures } from "../../network/features.ts";
import type { FunctionalitySettings } from "../../network/settings.ts";
import { BlockVersion } from "../../protocol/blocks/block-version.ts";
import type { HeightRange } from "./generating-balance.ts";

/** Factor of windows and thresholds: they double at some height of the network. */
const growth = (height: number, functionality: FunctionalitySettings): number =>
  height <= functionality.doubleFeaturesPeriodsAfterHeight ? 1 : 2;

/** Number of blocks in a window. A 32-bit integer, as in the reference: twice a long period wraps around. */
export function votingWindowSize(height: number, functionality: FunctionalitySettings): number {
  return (functionality.featureCheckBlocksPeriod * growth(height, functionality)) | 0;
}

/** Votes in a window that approve a feature. */
export function votingThreshold(height: number, functionality: FunctionalitySettings): number {
  return functionality.blocksForFeatureActivation * growth(height, functionality);
}

/**
 * Window of a height; its last block decides. If windows double at a height that is no multiple of twice the period,
 * the first long window overlaps shorter ones, and counts their blocks' votes again.
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

/** Sums the votes of the windows, by feature. */
export function sumOfVotes(
  windows: readonly { readonly feature: number; readonly votes: number }[],
): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  for (const { feature, votes } of windows) sums.set(feature, (sums.get(feature) ?? 0) + votes);
  return sums;
}

/**
 * Features that the block at the height approves, ascending; none unless it ends a window.
 * @param earlierVotes of the earlier blocks of the window
 * @param blockVotes of this block
 * @param approvals heights of earlier approvals, which remain valid
 */
export function approvedFeatures(options: {
  readonly height: number;
  readonly earlierVotes: ReadonlyMap<number, number>;
  readonly blockVotes: readonly number[];
  readonly approvals: ReadonlyMap<number, number>;
  readonly functionality: FunctionalitySettings;
}): readonly number[] {
  const { height, earlierVotes, blockVotes, approvals, functionality } = options;
  if (!endsVotingWindow(height, functionality)) return [];
  const threshold = votingThreshold(height, functionality);
  // PERF: a generator may vote a million times in one block.
  const votedByBlock = new Set(blockVotes);
  const isDecided = (feature: number): boolean =>
    approvals.has(feature) || functionality.preActivatedFeatures.has(feature);
  // Only features with earlier votes: the last block's vote alone never approves, even with a threshold of one.
  return [...earlierVotes]
    .map(([feature, earlier]) => ({ feature, count: earlier + (votedByBlock.has(feature) ? 1 : 0) }))
    .filter(({ feature, count }) => count >= threshold && !isDecided(feature))
    .map(({ feature }) => feature)
    .sort((left, right) => left - right);
}

/** Activation height of a feature approved at a height: one window later, by the size of the approving window. */
export function activationHeightAfterApproval(approvalHeight: number, functionality: FunctionalitySettings): number {
  return approvalHeight + votingWindowSize(approvalHeight, functionality);
}

/**
 * Votes as the REST interface reports them. A block of version 5 may list a feature more than once; while it is the
 * tip, that counts as one vote.
 * @param counted votes of the window's blocks up to the tip, duplicates included
 * @param tipVotes of the tip
 * @source Waves: state/BlockchainUpdaterImpl.scala featureVotes
 */
export function reportedVotes(
  counted: ReadonlyMap<number, number>,
  tipVotes: readonly number[],
): ReadonlyMap<number, number> {
  const reported = new Map(counted);
  const seen = new Set<number>();
  for (const feature of tipVotes) {
    if (seen.has(feature)) reported.set(feature, (reported.get(feature) ?? 1) - 1);
    seen.add(feature);
  }
  return reported;
}

/** Features that a block of this node votes for, ascending: configured, implemented, undecided. */
export function featureVotesOfMiner(options: {
  readonly supportedFeatures: readonly number[];
  readonly approvals: ReadonlyMap<number, number>;
  readonly blockVersion: number;
  readonly functionality: FunctionalitySettings;
}): readonly number[] {
  if (options.blockVersion < BlockVersion.Ng) return [];
  const undecided = (feature: number): boolean =>
    !options.approvals.has(feature) && !options.functionality.preActivatedFeatures.has(feature);
  return [...new Set(options.supportedFeatures)]
    .filter((feature) => implementedFeatures.has(feature) && undecided(feature))
    .sort((left, right) => left - right);
}

/**
 * Height from which sponsored fees count as WAVES and minimum fees are enforced: one window after the activation of
 * feature 7; undefined while it has no activation height.
 * @source Waves: state/Sponsorship.scala sponsoredFeesSwitchHeight
 */
export function sponsorshipHeight(
  features: FeatureActivation,
  functionality: FunctionalitySettings,
): number | undefined {
  const activation = features.activationHeight(Feature.FeeSponsorship);
  return activation === undefined ? undefined : (activation + votingWindowSize(activation, functionality)) | 0;
}
