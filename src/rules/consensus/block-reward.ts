/**
 * The block reward before boost and split: how much it is, and when and how generators vote on it.
 * @source docs/protocol/consensus-and-finality.md 2.1; Waves: state/BlockchainUpdaterImpl.scala computeNextReward,
 *   settings/BlockchainSettings.scala RewardsSettings, api/http/RewardApiRoute.scala
 */
import { Feature, type FeatureActivation } from "../../network/features.ts";
import type { RewardsSettings } from "../../network/settings.ts";
import type { HeightRange } from "./generating-balance.ts";

/** How many blocks a reward stays the same; shorter from feature 20 on. */
export function rewardTerm(height: number, features: FeatureActivation, rewards: RewardsSettings): number {
  return features.isActive(Feature.CappedReward, height) ? rewards.termAfterCappedRewardFeature : rewards.term;
}

/** How many votes in one direction change the reward. */
export function rewardVotingThreshold(rewards: RewardsSettings): number {
  return Math.floor(rewards.votingInterval / 2) + 1;
}

export interface RewardVoting {
  readonly term: number;
  /** Last height of the term, after which votes are counted. */
  readonly termEnd: number;
  /** The blocks that vote: the last ones of the term. */
  readonly interval: HeightRange;
  readonly threshold: number;
}

/** The term that a height belongs to; undefined before the reward (feature 14) is in force. */
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
 * Votes up to a height, compared with the reward at that height.
 * @param voteAt reward vote of the block at a height, wavelets; negative = none
 */
export function countRewardVotes(facts: {
  readonly height: number;
  readonly reward: bigint;
  readonly features: FeatureActivation;
  readonly rewards: RewardsSettings;
  readonly voteAt: (height: number) => bigint;
}): RewardVoteCount {
  const { height, reward, voteAt } = facts;
  const voting = rewardVoting(height, facts.features, facts.rewards);
  let increase = 0;
  let decrease = 0;
  // A network with a voting interval as long as its first terms may start to count before its first block.
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
 * @param voteAt reward vote of the block at a height, asked only when a term ends
 * @returns undefined while there is no reward
 */
export function nextBlockReward(facts: {
  readonly parentHeight: number;
  readonly parentReward: bigint | undefined;
  readonly features: FeatureActivation;
  readonly rewards: RewardsSettings;
  readonly voteAt: (height: number) => bigint;
}): bigint | undefined {
  const { parentHeight, parentReward, features, rewards, voteAt } = facts;
  const height = parentHeight + 1;
  const activation = features.activationHeight(Feature.BlockReward);
  // The genesis block of a network that starts with feature 18 has no reward.
  if (height === 1 && features.isActive(Feature.ConsensusImprovements, 1)) return undefined;
  if (activation === undefined || activation > height) return undefined;
  if (parentReward === undefined) return rewards.initial;

  // The term is that of the parent here, although the height is the new block's.
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
