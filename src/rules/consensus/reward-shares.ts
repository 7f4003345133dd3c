/**
 * Who gets the block reward: the generator, the DAO and the buy-back of XTN (features 19, 20, 21), ten times as much
 * while it is boosted (feature 23).
 * @source docs/protocol/consensus-and-finality.md 2.2; Waves: state/BlockRewardCalculator.scala
 */
import { compareBytes } from "../../crypto/bytes.ts";
import type { Address } from "../../crypto/identities.ts";
import { Feature, type FeatureActivation } from "../../network/features.ts";
import type { FunctionalitySettings } from "../../network/settings.ts";

/** One WAVES, in wavelets. */
const waves = 100_000_000n;
/** What the generator keeps whenever the reward is that high. */
const guaranteedToGenerator = 2n * waves;
/** From this reward on, each address gets the most it can get. */
const fullReward = 6n * waves;
const maximumToAddress = 2n * waves;
const boost = 10n;

/** Amounts paid out, wavelets, boost included. */
export interface RewardShares {
  readonly generator: bigint;
  readonly dao: bigint;
  readonly xtnBuyback: bigint;
}

export interface RewardShareFacts {
  readonly height: number;
  /** Of the block, before boost. */
  readonly reward: bigint;
  readonly features: FeatureActivation;
  readonly functionality: FunctionalitySettings;
}

/** What each of the two addresses gets, before boost. */
function shareOfAddress({ height, reward, features }: RewardShareFacts): bigint {
  if (!features.isActive(Feature.BlockRewardDistribution, height)) return 0n;
  if (!features.isActive(Feature.CappedReward, height)) return reward / 3n;
  if (reward < guaranteedToGenerator) return 0n;
  return reward < fullReward ? (reward - guaranteedToGenerator) / 2n : maximumToAddress;
}

/** The buy-back ends with feature 21, but not before its own period after feature 19. */
function isBuybackOver({ height, features, functionality }: RewardShareFacts): boolean {
  const distribution = features.activationHeight(Feature.BlockRewardDistribution);
  if (distribution === undefined || !features.isActive(Feature.CeaseXtnBuyback, height)) return false;
  // As a 32-bit integer, like the reference: the default period, the highest of them, lets the sum wrap around.
  return height >= ((distribution + functionality.xtnBuybackRewardPeriod) | 0);
}

/** By how much the payout at the height is multiplied: 10 for some time after feature 23, otherwise 1. */
export function rewardBoost(height: number, features: FeatureActivation, functionality: FunctionalitySettings): bigint {
  const activation = features.activationHeight(Feature.BoostBlockReward);
  if (activation === undefined) return 1n;
  // As a 32-bit integer, as above.
  return height >= activation && height < ((activation + functionality.blockRewardBoostPeriod) | 0) ? boost : 1n;
}

/** WAVES that come into being with a block, wavelets. */
export function issuedWithBlock({
  reward,
  height,
  features,
  functionality,
}: {
  /** Before boost; undefined before feature 14. */
  readonly reward: bigint | undefined;
} & Omit<RewardShareFacts, "reward">): bigint {
  return (reward ?? 0n) * rewardBoost(height, features, functionality);
}

/** How the reward of a block is split. Without an address its share stays with the generator. */
export function rewardShares(facts: RewardShareFacts): RewardShares {
  const { daoAddress, xtnBuybackAddress } = facts.functionality;
  const share = shareOfAddress(facts);
  const dao = daoAddress === undefined ? 0n : share;
  const xtnBuyback = xtnBuybackAddress === undefined || isBuybackOver(facts) ? 0n : share;
  const factor = rewardBoost(facts.height, facts.features, facts.functionality);
  return {
    generator: (facts.reward - dao - xtnBuyback) * factor,
    dao: dao * factor,
    xtnBuyback: xtnBuyback * factor,
  };
}

/**
 * The payouts above zero in the order of address bytes, as answers list them. An address that stands for two parts (a
 * generator that is the DAO) appears twice.
 */
export function sortedRewardShares(
  facts: RewardShareFacts & { readonly generator: Address },
): readonly { readonly address: Address; readonly amount: bigint }[] {
  const { daoAddress, xtnBuybackAddress } = facts.functionality;
  const shares = rewardShares(facts);
  return [
    { address: facts.generator, amount: shares.generator },
    { address: daoAddress, amount: shares.dao },
    { address: xtnBuybackAddress, amount: shares.xtnBuyback },
  ]
    .filter((share): share is { address: Address; amount: bigint } => share.address !== undefined && share.amount > 0n)
    .sort((left, right) => compareBytes(left.address, right.address));
}
