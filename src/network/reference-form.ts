/**
 * Settings files in the form of the reference's configuration, as JSON: kebab-case keys under `waves`. Keys that this
 * node has no use for are passed over.
 * @source Waves: settings/*.scala, resources/application.conf, resources/custom-defaults.conf
 */
import * as z from "zod";
import { functionalityDefaults, minerDefaults, nodeDefaults, rewardsDefaults, utxDefaults } from "./defaults.ts";
import { namedNetworks } from "./named-networks.ts";
import {
  address,
  amount,
  base58Bytes,
  blocks,
  durationMs,
  featureIds,
  flag,
  heightByFeature,
  integer,
  schemeCharacter,
  section,
  signature,
  someBlocks,
  text,
  textSet,
} from "./setting-fields.ts";
import type {
  BlockchainSettings,
  FunctionalitySettings,
  NodeSettings,
  RewardsSettings,
  UtxSettings,
} from "./settings.ts";

const defaults = functionalityDefaults;

const functionality = section({
  "feature-check-blocks-period": someBlocks.default(10_000),
  "blocks-for-feature-activation": someBlocks.default(9_000),
  "generation-balance-depth-from-50-to-1000-after-height": blocks.default(
    defaults.generationBalanceDepthFrom50To1000AfterHeight,
  ),
  "block-version-3-after-height": blocks.default(defaults.blockVersion3AfterHeight),
  "pre-activated-features": heightByFeature.default(defaults.preActivatedFeatures),
  "double-features-periods-after-height": blocks.default(defaults.doubleFeaturesPeriodsAfterHeight),
  "max-transaction-time-back-offset": durationMs.default(Number(defaults.maxTransactionTimeBackOffsetMs)),
  "max-transaction-time-forward-offset": durationMs.default(Number(defaults.maxTransactionTimeForwardOffsetMs)),
  "last-time-based-fork-parameter": amount.default(defaults.lastTimeBasedForkParameter),
  "reset-effective-balances-at-height": blocks.default(defaults.resetEffectiveBalancesAtHeight),
  "lease-expiration": blocks.default(defaults.leaseExpiration),
  "min-asset-info-update-interval": blocks.default(defaults.minAssetInfoUpdateInterval),
  "min-block-time": durationMs.default(defaults.minBlockTimeMs),
  "delay-delta": blocks.default(defaults.delayDelta),
  "estimator-pre-check-height": blocks.default(defaults.estimatorPreCheckHeight),
  "estimation-overflow-fix-height": blocks.default(defaults.estimationOverflowFixHeight),
  "estimator-sum-overflow-fix-height": blocks.default(defaults.estimatorSumOverflowFixHeight),
  "enforce-transfer-validation-after": blocks.default(defaults.enforceTransferValidationAfter),
  "eth-invoke-payments-check-height": blocks.default(defaults.ethInvokePaymentsCheckHeight),
  "payments-check-height": blocks.default(defaults.paymentsCheckHeight),
  "dao-address": address.optional(),
  "xtn-buyback-address": address.optional(),
  "xtn-buyback-reward-period": blocks.default(defaults.xtnBuybackRewardPeriod),
  "light-node-block-fields-absence-interval": blocks.default(defaults.lightNodeBlockFieldsAbsenceInterval),
  "block-reward-boost-period": blocks.default(defaults.blockRewardBoostPeriod),
}).transform(
  (values): FunctionalitySettings => ({
    featureCheckBlocksPeriod: values["feature-check-blocks-period"],
    blocksForFeatureActivation: values["blocks-for-feature-activation"],
    generationBalanceDepthFrom50To1000AfterHeight: values["generation-balance-depth-from-50-to-1000-after-height"],
    blockVersion3AfterHeight: values["block-version-3-after-height"],
    preActivatedFeatures: values["pre-activated-features"],
    doubleFeaturesPeriodsAfterHeight: values["double-features-periods-after-height"],
    maxTransactionTimeBackOffsetMs: BigInt(values["max-transaction-time-back-offset"]),
    maxTransactionTimeForwardOffsetMs: BigInt(values["max-transaction-time-forward-offset"]),
    lastTimeBasedForkParameter: values["last-time-based-fork-parameter"],
    resetEffectiveBalancesAtHeight: values["reset-effective-balances-at-height"],
    leaseExpiration: values["lease-expiration"],
    minAssetInfoUpdateInterval: values["min-asset-info-update-interval"],
    minBlockTimeMs: values["min-block-time"],
    delayDelta: values["delay-delta"],
    estimatorPreCheckHeight: values["estimator-pre-check-height"],
    estimationOverflowFixHeight: values["estimation-overflow-fix-height"],
    estimatorSumOverflowFixHeight: values["estimator-sum-overflow-fix-height"],
    enforceTransferValidationAfter: values["enforce-transfer-validation-after"],
    ethInvokePaymentsCheckHeight: values["eth-invoke-payments-check-height"],
    paymentsCheckHeight: values["payments-check-height"],
    daoAddress: values["dao-address"],
    xtnBuybackAddress: values["xtn-buyback-address"],
    xtnBuybackRewardPeriod: values["xtn-buyback-reward-period"],
    lightNodeBlockFieldsAbsenceInterval: values["light-node-block-fields-absence-interval"],
    blockRewardBoostPeriod: values["block-reward-boost-period"],
  }),
);

const rewards = section({
  term: someBlocks.default(rewardsDefaults.term),
  "term-after-capped-reward-feature": someBlocks.default(rewardsDefaults.termAfterCappedRewardFeature),
  initial: amount.default(rewardsDefaults.initial),
  "min-increment": amount.default(rewardsDefaults.minIncrement),
  "voting-interval": someBlocks.default(rewardsDefaults.votingInterval),
}).transform(
  (values): RewardsSettings => ({
    term: values.term,
    termAfterCappedRewardFeature: values["term-after-capped-reward-feature"],
    initial: values.initial,
    minIncrement: values["min-increment"],
    votingInterval: values["voting-interval"],
  }),
);

const genesis = section({
  timestamp: amount.default(1_460_678_400_000n),
  "block-timestamp": amount.optional(),
  signature: signature.optional(),
  "initial-balance": amount.optional(),
  "initial-base-target": amount.default(153_722_867n),
  "average-block-delay": durationMs.default(60_000),
  transactions: z.array(section({ recipient: address, amount }), { error: () => "a list of recipients and amounts" }),
}).transform((values) => ({
  blockTimestampMs: values["block-timestamp"] ?? values.timestamp,
  timestampMs: values.timestamp,
  initialBalance: values["initial-balance"] ?? values.transactions.reduce((sum, { amount }) => sum + amount, 0n),
  initialBaseTarget: values["initial-base-target"],
  averageBlockDelayMs: values["average-block-delay"],
  signature: values.signature,
  transactions: values.transactions,
}));

const custom = section({
  "address-scheme-character": schemeCharacter.default("C"),
  functionality: functionality.prefault({}),
  rewards: rewards.prefault({}),
  genesis,
}).transform(
  (values): BlockchainSettings => ({
    schemeCharacter: values["address-scheme-character"],
    chainId: values["address-scheme-character"].charCodeAt(0),
    functionality: values.functionality,
    rewards: values.rewards,
    genesis: values.genesis,
  }),
);

const publicNetworks = {
  MAINNET: namedNetworks.mainnet.blockchain,
  TESTNET: namedNetworks.testnet.blockchain,
  STAGENET: namedNetworks.stagenet.blockchain,
} as const;

/** Whether the settings are those of a network that everybody knows, whose chain is long. */
function isPublicNetwork(settings: BlockchainSettings): boolean {
  return Object.values(publicNetworks).includes(settings);
}

/** The type of a network is written in capitals, but need not be. */
function withCapitalType(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("type" in value) || typeof value.type !== "string") return value;
  return { ...value, type: value.type.toUpperCase() };
}

/** `waves.blockchain`: a public network by its type, or a custom one with all its facts. */
const blockchain = z.preprocess(
  withCapitalType,
  z
    .discriminatedUnion(
      "type",
      [
        section({ type: z.enum(["MAINNET", "TESTNET", "STAGENET"]) }).transform(({ type }) => publicNetworks[type]),
        section({ type: z.literal("CUSTOM"), custom }).transform((values) => values.custom),
      ],
      { error: () => "MAINNET, TESTNET, STAGENET or CUSTOM" },
    )
    .transform((settings): BlockchainSettings => settings),
);

const miner = section({
  enable: flag.default(minerDefaults.enable),
  quorum: blocks.default(minerDefaults.quorum),
  "interval-after-last-block-then-generation-is-allowed": durationMs.default(
    minerDefaults.intervalAfterLastBlockThenGenerationIsAllowedMs,
  ),
  "max-transactions-in-micro-block": integer(1, 500).default(minerDefaults.maxTransactionsInMicroBlock),
  "micro-block-interval": durationMs.default(minerDefaults.microBlockIntervalMs),
  "min-micro-block-age": durationMs.default(minerDefaults.minMicroBlockAgeMs),
}).transform((values) => ({
  enable: values.enable,
  quorum: values.quorum,
  intervalAfterLastBlockThenGenerationIsAllowedMs: values["interval-after-last-block-then-generation-is-allowed"],
  maxTransactionsInMicroBlock: values["max-transactions-in-micro-block"],
  microBlockIntervalMs: values["micro-block-interval"],
  minMicroBlockAgeMs: values["min-micro-block-age"],
}));

const count = integer(0, 0x7fff_ffff);

const utx = section({
  "max-size": count.default(utxDefaults.maxSize),
  "max-bytes-size": count.default(utxDefaults.maxBytesSize),
  "max-scripted-size": count.default(utxDefaults.maxScriptedSize),
  "blacklist-sender-addresses": textSet.default(utxDefaults.blacklistSenderAddresses),
  "allow-blacklisted-transfer-to": textSet.default(utxDefaults.allowBlacklistedTransferTo),
  "fast-lane-addresses": textSet.default(utxDefaults.fastLaneAddresses),
  "allow-transactions-from-smart-accounts": flag.default(utxDefaults.allowTransactionsFromSmartAccounts),
  "allow-skip-checks": flag.default(utxDefaults.allowSkipChecks),
}).transform(
  (values): UtxSettings => ({
    maxSize: values["max-size"],
    maxBytesSize: values["max-bytes-size"],
    maxScriptedSize: values["max-scripted-size"],
    blacklistSenderAddresses: values["blacklist-sender-addresses"],
    allowBlacklistedTransferTo: values["allow-blacklisted-transfer-to"],
    fastLaneAddresses: values["fast-lane-addresses"],
    allowTransactionsFromSmartAccounts: values["allow-transactions-from-smart-accounts"],
    allowSkipChecks: values["allow-skip-checks"],
  }),
);

/** Everything under `waves` but the blockchain: settings of this node. */
const nodeSections = {
  miner: miner.prefault({}),
  utx: utx.prefault({}),
  "rest-api": section({
    "api-key-hash": text.default(nodeDefaults.apiKeyHash),
    "minimum-peers": blocks.default(nodeDefaults.minimumPeers),
  }).prefault({}),
  features: section({ supported: featureIds.default([]) }).prefault({}),
  rewards: section({ desired: amount.optional() }).prefault({}),
  wallet: section({ "accounts-generated": integer(1, 10_000).default(nodeDefaults.walletAccounts) }).prefault({}),
  db: section({
    "max-rollback-depth": blocks.default(nodeDefaults.maxRollbackDepth),
    "store-state-hashes": flag.default(nodeDefaults.storeStateHashes),
    // Not of the reference, which keeps them always.
    "store-snapshots": flag.optional(),
  }).prefault({}),
};

/** A whole file. */
export const referenceForm = section({ waves: section({ blockchain, ...nodeSections }) }).transform(({ waves }) => ({
  blockchain: waves.blockchain,
  node: {
    apiKeyHash: waves["rest-api"]["api-key-hash"],
    minimumPeers: waves["rest-api"]["minimum-peers"],
    miner: waves.miner,
    utx: waves.utx,
    supportedFeatures: waves.features.supported,
    desiredReward: waves.rewards.desired,
    walletAccounts: waves.wallet["accounts-generated"],
    maxRollbackDepth: waves.db["max-rollback-depth"],
    storeStateHashes: waves.db["store-state-hashes"],
    storeSnapshots: waves.db["store-snapshots"] ?? !isPublicNetwork(waves.blockchain),
  } satisfies NodeSettings,
}));

/** The parts of a file that are nobody else's business. */
export const secretsForm = section({
  waves: section({
    wallet: section({ seed: base58Bytes.optional() }).prefault({}),
    "rest-api": section({ "api-key-hash": text.optional() }).prefault({}),
  }).prefault({}),
});
