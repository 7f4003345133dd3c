/**
 * Recipients of the block reward: the generator, the DAO and the buy-back of XTN (features 19, 20, 21); ten times the
 * amounts during the boost (feature 23).
 * @source docs/protocol/consensus-and-finality.md 2.2; Waves: state/BlockRewardCalculator.scala
 */
import { compareBytes } from "../../crypto/bytes.ts";
import type { Address } from "../../crypto/identities.ts";
import { Feature, type FeatureActivation } from "../../network/features.ts";
import type { FunctionalitySettings } from "../../network/settings.ts";

/** One WAVES, in wavelets. */
const waves = 100_000_000n;
/** Minimum share of the generator when the reward is at least this high. */
const guaranteedToGenerator = 2n * waves;
/** From this reward on, each address gets its maximum. */
const fullReward = 6n * waves;
const maximumToAddress = 2n * waves;
const boost = 10n;

/** Amounts paid out, wavelets, boost included. */
export interface RewardShares {
  readonly generator: bigint;
  readonly dao: bigint;
  readonly xtnBuyback: bigint;
}

export interface RewardShareOptions {
  readonly height: number;
  /** Reward of the block, before boost. */
  readonly reward: bigint;
  readonly features: FeatureActivation;
  readonly functionality: FunctionalitySettings;
}

/** Share of each of the two addresses, before boost. */
function shareOfAddress({ height, reward, features }: RewardShareOptions): bigint {
  if (!features.isActive(Feature.BlockRewardDistribution, height)) return 0n;
  if (!features.isActive(Feature.CappedReward, height)) return reward / 3n;
  if (reward < guaranteedToGenerator) return 0n;
  return reward < fullReward ? (reward - guaranteedToGenerator) / 2n : maximumToAddress;
}

/** Whether the buy-back is over: after feature 21, but not before its own period after feature 19. */
function isBuybackOver({ height, features, functionality }: RewardShareOptions): boolean {
  const distribution = features.activationHeight(Feature.BlockRewardDistribution);
  if (distribution === undefined || !features.isActive(Feature.CeaseXtnBuyback, height)) return false;
  // A 32-bit integer, as in the reference: with the default period, the highest integer, the sum wraps around.
  return height >= ((distribution + functionality.xtnBuybackRewardPeriod) | 0);
}

/** Factor of the payout at the height: 10 for some time after feature 23, otherwise 1. */
export function rewardBoost(height: number, features: FeatureActivation, functionality: FunctionalitySettings): bigint {
  const activation = features.activationHeight(Feature.BoostBlockReward);
  if (activation === undefined) return 1n;
  // A 32-bit integer, as above.
  return height >= activation && height < ((activation + functionality.blockRewardBoostPeriod) | 0) ? boost : 1n;
}

/** WAVES that a block issues, wavelets. */
export function issuedWithBlock({
  reward,
  height,
  features,
  functionality,
}: {
  /** Before boost; undefined before feature 14. */
  readonly reward: bigint | undefined;
} & Omit<RewardShareOptions, "reward">): bigint {
  return (reward ?? 0n) * rewardBoost(height, features, functionality);
}

/** Splits the reward of a block. Without an address its share stays with the generator. */
export function rewardShares(options: RewardShareOptions): RewardShares {
  const { daoAddress, xtnBuybackAddress } = options.functionality;
  const share = shareOfAddress(options);
  const dao = daoAddress === undefined ? 0n : share;
  const xtnBuyback = xtnBuybackAddress === undefined || isBuybackOver(options) ? 0n : share;
  const factor = rewardBoost(options.height, options.features, options.functionality);
  return {
    generator: (options.reward - dao - xtnBuyback) * factor,
    dao: dao * factor,
    xtnBuyback: xtnBuyback * factor,
  };
}

/**
 * Payouts above zero in the order of address bytes, as responses list them. An address with two roles (a generator that
 * is the DAO) is listed twice.
 */
export function sortedRewardShares(
  options: RewardShareOptions & { readonly generator: Address },
): readonly { readonly address: Address; readonly amount: bigint }[] {
  const { daoAddress, xtnBuybackAddress } = options.functionality;
  const shares = rewardShares(options);
  return [
    { address: options.generator, amount: shares.generator },
    { address: daoAddress, amount: shares.dao },
    { address: xtnBuybackAddress, amount: shares.xtnBuyback },
  ]
    .filter((share): share is { address: Address; amount: bigint } => share.address !== undefined && share.amount > 0n)
    .sort((left, right) => compareBytes(left.address, right.address));
}
