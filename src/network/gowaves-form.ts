/**
 * Settings files in the form of the Go node: snake_case keys at the top, including the whole genesis block. The form
 * has only network settings, so this node's own settings get defaults that let it run alone.
 * @source gowaves: pkg/settings/blockchain_settings.go
 */
import * as z from "zod";
import { functionalityDefaults, maximumHeight, minerDefaults, nodeDefaults, rewardsDefaults } from "./defaults.ts";
import { Feature } from "./features.ts";
import {
  address,
  amount,
  blocks,
  durationMs,
  featureIds,
  field,
  flag,
  integer,
  readInteger,
  section,
  signature,
  someBlocks,
} from "./setting-fields.ts";
import type { BlockchainSettings, NodeSettings } from "./settings.ts";

const defaults = functionalityDefaults;

/** Height of 64 bits in the file; everything past 32 bits means never. */
const wideHeight = field("an integer from 0", (value) => {
  const read = readInteger(value);
  if (read === undefined || read < 0n) return undefined;
  return read > BigInt(maximumHeight) ? maximumHeight : Number(read);
});

const genesisBlock = section({
  timestamp: amount,
  signature: signature.optional(),
  "nxt-consensus": section({ "base-target": amount }),
  transactions: z.array(section({ recipient: address, amount, timestamp: amount.optional() }), {
    error: () => "a list of genesis transactions",
  }),
});

/** Activation heights: every listed feature is active from height 1, since the form has no heights. */
function preActivated(options: { features: readonly number[]; period: number; sponsorshipAtOnce: boolean }) {
  const heights = new Map(options.features.map((feature) => [feature, 1]));
  // Sponsorship starts one voting window after its feature, unless the settings skip that window.
  if (options.sponsorshipAtOnce && heights.has(Feature.FeeSponsorship)) {
    heights.set(Feature.FeeSponsorship, 1 - options.period);
  }
  return heights;
}

export const gowavesForm = section({
  features_voting_period: someBlocks,
  votes_for_feature_activation: someBlocks,
  preactivated_features: featureIds.default([]),
  double_features_periods_after_height: wideHeight.default(maximumHeight),
  sponsorship_single_activation_period: flag.default(false),
  generation_balance_depth_from_50_to_1000_after_height: blocks.default(0),
  block_version_3_after_height: blocks.default(0),
  reset_effective_balance_at_height: blocks.default(0),
  minimal_generating_balance_check_after_time: amount.default(0n),
  payments_fix_after_height: blocks.default(0),
  internal_invoke_payments_validation_after_height: blocks.default(0),
  invoke_no_zero_payments_after_height: blocks.default(0),
  max_tx_time_back_offset: amount.default(defaults.maxTransactionTimeBackOffsetMs),
  max_tx_time_forward_offset: amount.default(defaults.maxTransactionTimeForwardOffsetMs),
  address_scheme_character: integer(0, 255),
  average_block_delay_seconds: blocks.default(60),
  delay_delta: blocks.default(defaults.delayDelta),
  min_block_time: durationMs.default(defaults.minBlockTimeMs),
  block_reward_term: someBlocks.default(rewardsDefaults.term),
  block_reward_term_after_20: someBlocks.default(rewardsDefaults.termAfterCappedRewardFeature),
  initial_block_reward: amount.default(rewardsDefaults.initial),
  block_reward_increment: amount.default(rewardsDefaults.minIncrement),
  block_reward_voting_period: someBlocks.default(rewardsDefaults.votingInterval),
  reward_addresses: z
    .array(address, { error: () => "a list of addresses" })
    .max(2, "at most two addresses")
    .default([]),
  min_xtn_buy_back_period: wideHeight.default(maximumHeight),
  block_reward_boost_period: blocks.default(defaults.blockRewardBoostPeriod),
  min_update_asset_info_interval: blocks.default(defaults.minAssetInfoUpdateInterval),
  light_node_block_fields_absence_interval: blocks.default(defaults.lightNodeBlockFieldsAbsenceInterval),
  generation_period: someBlocks.default(defaults.generationPeriodLength),
  max_endorsements: blocks.default(defaults.maxValidEndorsements),
  genesis: genesisBlock,
}).transform((values): { blockchain: BlockchainSettings; node: NodeSettings } => {
  const { genesis } = values;
  return {
    blockchain: {
      schemeCharacter: String.fromCharCode(values.address_scheme_character),
      chainId: values.address_scheme_character,
      functionality: {
        ...defaults,
        featureCheckBlocksPeriod: values.features_voting_period,
        blocksForFeatureActivation: values.votes_for_feature_activation,
        generationBalanceDepthFrom50To1000AfterHeight: values.generation_balance_depth_from_50_to_1000_after_height,
        blockVersion3AfterHeight: values.block_version_3_after_height,
        preActivatedFeatures: preActivated({
          features: values.preactivated_features,
          period: values.features_voting_period,
          sponsorshipAtOnce: values.sponsorship_single_activation_period,
        }),
        doubleFeaturesPeriodsAfterHeight: values.double_features_periods_after_height,
        maxTransactionTimeBackOffsetMs: values.max_tx_time_back_offset,
        maxTransactionTimeForwardOffsetMs: values.max_tx_time_forward_offset,
        lastTimeBasedForkParameter: values.minimal_generating_balance_check_after_time,
        resetEffectiveBalancesAtHeight: values.reset_effective_balance_at_height,
        minAssetInfoUpdateInterval: values.min_update_asset_info_interval,
        minBlockTimeMs: values.min_block_time,
        delayDelta: values.delay_delta,
        enforceTransferValidationAfter: values.internal_invoke_payments_validation_after_height,
        ethInvokePaymentsCheckHeight: values.invoke_no_zero_payments_after_height,
        paymentsCheckHeight: values.payments_fix_after_height,
        daoAddress: values.reward_addresses[0],
        xtnBuybackAddress: values.reward_addresses[1],
        xtnBuybackRewardPeriod: values.min_xtn_buy_back_period,
        lightNodeBlockFieldsAbsenceInterval: values.light_node_block_fields_absence_interval,
        blockRewardBoostPeriod: values.block_reward_boost_period,
        generationPeriodLength: values.generation_period,
        maxValidEndorsements: values.max_endorsements,
      },
      rewards: {
        term: values.block_reward_term,
        termAfterCappedRewardFeature: values.block_reward_term_after_20,
        initial: values.initial_block_reward,
        minIncrement: values.block_reward_increment,
        votingInterval: values.block_reward_voting_period,
      },
      genesis: {
        blockTimestampMs: genesis.timestamp,
        timestampMs: genesis.transactions[0]?.timestamp ?? genesis.timestamp,
        initialBalance: genesis.transactions.reduce((sum, { amount }) => sum + amount, 0n),
        initialBaseTarget: genesis["nxt-consensus"]["base-target"],
        averageBlockDelayMs: values.average_block_delay_seconds * 1_000,
        signature: genesis.signature,
        transactions: genesis.transactions.map(({ recipient, amount }) => ({ recipient, amount })),
      },
    },
    node: { ...nodeDefaults, minimumPeers: 0, miner: { ...minerDefaults, quorum: 0 }, storeSnapshots: true },
  };
});
