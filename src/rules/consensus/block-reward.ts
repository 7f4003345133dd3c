/**
 * Block reward before boost and split: amount, and voting.
 * @source docs/protocol/consensus-and-finality.md 2.1; Waves: state/BlockchainUpdaterImpl.scala computeNextReward,
 * settings/BlockchainSettings.scala RewardsSettings, api/http/RewardApiRoute.scala
 */
import { Feature, type FeatureActivation } from "../../network/features.ts";
import type { RewardsSettings } from "../../network/settings.ts";
import type { HeightRange } from "./generating-balance.ts";

/** Number of blocks with an unchanged reward; smaller from feature 20 on. */
export function rewardTerm(height: number, features: FeatureActivation, rewards: RewardsSettings): number {
  return features.isActive(Feature.CappedReward, height) ? rewards.termAfterCappedRewardFeature : rewards.term;
}

/** Votes in one direction that change the reward. */
export function rewardVotingThreshold(rewards: RewardsSettings): number {
  return Math.floor(rewards.votingInterval / 2) + 1;
}

export interface RewardVoting {
  readonly term: number;
  /** Last height of the term, after which votes are counted. */
  readonly termEnd: number;
  /** Heights of the voting blocks: the last ones of the term. */
  readonly interval: HeightRange;
  readonly threshold: number;
}

/** Term of a height; undefined before the reward (feature 14) is active. */
export function rewardVoting(
  height: number,
  features: FeatureActivation,
  rewards: RewardsSettings,
): RewardVoting | undefined {
  const activation = features.activationHeight(Feature.BlockReward);
  if (activation === undefined || height < activation) return undefined;
  const term = rewardTerm(height, features, rewards);
  const termEnd = activation + Math.ceil((height - activation + 1) / term) * term - 1;
  return {
    term,
    termEnd,
    interval: { from: termEnd - rewards.votingInterval + 1, to: termEnd },
    threshold: rewardVotingThreshold(rewards),
  };
}

export interface RewardVoteCount {
  readonly increase: number;
  readonly decrease: number;
}

/**
 * Counts votes up to a height, compared with the reward at that height.
 * @param voteAt reward vote of the block at a height, wavelets; negative = none
 */
export function countRewardVotes(options: {
  readonly height: number;
  readonly reward: bigint;
  readonly features: FeatureActivation;
  readonly rewards: RewardsSettings;
  readonly voteAt: (height: number) => bigint;
}): RewardVoteCount {
  const { height, reward, voteAt } = options;
  const voting = rewardVoting(height, options.features, options.rewards);
  let increase = 0;
  let decrease = 0;
  // A voting interval longer than the first term would start before the first block.
  const first = Math.max(voting?.interval.from ?? height + 1, 1);
  for (let voter = first; voter <= height; voter++) {
    const vote = voteAt(voter);
    if (vote < 0n) continue;
    if (vote > reward) increase += 1;
    else if (vote < reward) decrease += 1;
  }
  return { increase, decrease };
}

/**
 * Reward of the block after the parent, in wavelets before boost and split.
 * @param parentReward reward of the parent; undefined if it had none
 * @param voteAt reward vote of the block at a height, called only at the end of a term
 * @returns undefined while there is no reward
 */
export function nextBlockReward(options: {
  readonly parentHeight: number;
  readonly parentReward: bigint | undefined;
  readonly features: FeatureActivation;
  readonly rewards: RewardsSettings;
  readonly voteAt: (height: number) => bigint;
}): bigint | undefined {
  const { parentHeight, parentReward, features, rewards, voteAt } = options;
  const height = parentHeight + 1;
  const activation = features.activationHeight(Feature.BlockReward);
  // The genesis block of a network that starts with feature 18 has no reward.
  if (height === 1 && features.isActive(Feature.ConsensusImprovements, 1)) return undefined;
  if (activation === undefined || activation > height) return undefined;
  if (parentReward === undefined) return rewards.initial;

  // The term is the parent's here, although the height is the new block's.
  const age = height - activation;
  if (age === 0 || age % rewardTerm(parentHeight, features, rewards) !== 0) return parentReward;

  const votes = countRewardVotes({ height: parentHeight, reward: parentReward, features, rewards, voteAt });
  const threshold = rewardVotingThreshold(rewards);
  if (votes.decrease >= threshold) {
    const lowered = parentReward - rewards.minIncrement;
    return lowered < 0n ? 0n : lowered;
  }
  return votes.increase >= threshold ? parentReward + rewards.minIncrement : parentReward;
}
