/**
 * Settings files in the form of the reference's configuration, as JSON: kebab-case keys under `waves`. Keys that this
 * node does not use are ignored.
 * @source Waves: settings/*.scala, resources/application.conf, resources/custom-defaults.conf
 */
import * as z from "zod";
import {
  functionalityDefaults,
  maxWalletAccounts,
  minerDefaults,
  nodeDefaults,
  rewardsDefaults,
  utxDefaults,
} from "./defaults.ts";
import { namedNetworks } from "./named-networks.ts";
import { networkForm, synchronizationForm } from "./peers-form.ts";
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
  list,
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
  NetworkSettings,
  NodeSettings,
  RewardsSettings,
  UtxSettings,
} from "./settings.ts";

const defaults = functionalityDefaults;

const functionality = section({
  "feature-check-blocks-period": someBlocks.default(10_000).describe("blocks of a voting period for features"),
  "blocks-for-feature-activation": someBlocks.default(9_000).describe("votes in one period that approve a feature"),
  "generation-balance-depth-from-50-to-1000-after-height": blocks.default(
    defaults.generationBalanceDepthFrom50To1000AfterHeight,
  ),
  "block-version-3-after-height": blocks.default(defaults.blockVersion3AfterHeight),
  "pre-activated-features": heightByFeature
    .default(defaults.preActivatedFeatures)
    .describe("heights by feature id, in force without votes"),
  "double-features-periods-after-height": blocks.default(defaults.doubleFeaturesPeriodsAfterHeight),
  "max-transaction-time-back-offset": durationMs
    .default(Number(defaults.maxTransactionTimeBackOffsetMs))
    .describe("maximum age before the previous block"),
  "max-transaction-time-forward-offset": durationMs
    .default(Number(defaults.maxTransactionTimeForwardOffsetMs))
    .describe("maximum time ahead of the block"),
  "last-time-based-fork-parameter": amount
    .default(defaults.lastTimeBasedForkParameter)
    .describe("time until which irregularities of mainnet's first years are allowed"),
  "reset-effective-balances-at-height": blocks
    .default(defaults.resetEffectiveBalancesAtHeight)
    .describe("leases are cancelled once"),
  "lease-expiration": blocks.default(defaults.leaseExpiration).describe("no effect: leases expire on no network"),
  "min-asset-info-update-interval": blocks
    .default(defaults.minAssetInfoUpdateInterval)
    .describe("blocks between two changes of an asset's name"),
  "min-block-time": durationMs.default(defaults.minBlockTimeMs),
  "delay-delta": blocks
    .default(defaults.delayDelta)
    .describe("narrowing of the band of delays without a change of difficulty"),
  "estimator-pre-check-height": blocks
    .default(defaults.estimatorPreCheckHeight)
    .describe("then, until feature 15, verifiers must pass estimators 1 and 2"),
  "estimation-overflow-fix-height": blocks.default(defaults.estimationOverflowFixHeight),
  "estimator-sum-overflow-fix-height": blocks.default(defaults.estimatorSumOverflowFixHeight),
  "enforce-transfer-validation-after": blocks
    .default(defaults.enforceTransferValidationAfter)
    .describe("transfers of scripts are checked in full"),
  "eth-invoke-payments-check-height": blocks.default(defaults.ethInvokePaymentsCheckHeight),
  "payments-check-height": blocks.default(defaults.paymentsCheckHeight).describe("of payments inside calls"),
  "dao-address": address.optional().describe("shares block rewards from feature 19 on"),
  "xtn-buyback-address": address.optional().describe("the second such account"),
  "xtn-buyback-reward-period": blocks
    .default(defaults.xtnBuybackRewardPeriod)
    .describe("blocks after feature 19 until feature 21 ends the second account's share"),
  "light-node-block-fields-absence-interval": blocks
    .default(defaults.lightNodeBlockFieldsAbsenceInterval)
    .describe("blocks after feature 22 until headers must have a state hash"),
  "block-reward-boost-period": blocks
    .default(defaults.blockRewardBoostPeriod)
    .describe("blocks for which feature 23 multiplies the reward"),
  "generation-period-length": someBlocks
    .default(defaults.generationPeriodLength)
    .describe("blocks for which generators commit, from feature 25 on"),
  "max-valid-endorsers": blocks.default(defaults.maxValidEndorsements).describe("of a block, beside its generator"),
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
    generationPeriodLength: values["generation-period-length"],
    maxValidEndorsements: values["max-valid-endorsers"],
  }),
);

const rewards = section({
  term: someBlocks.default(rewardsDefaults.term).describe("blocks for which a reward holds"),
  "term-after-capped-reward-feature": someBlocks
    .default(rewardsDefaults.termAfterCappedRewardFeature)
    .describe("the same from feature 20 on"),
  initial: amount.default(rewardsDefaults.initial).describe("wavelets"),
  "min-increment": amount.default(rewardsDefaults.minIncrement).describe("change by a vote, wavelets"),
  "voting-interval": someBlocks
    .default(rewardsDefaults.votingInterval)
    .describe("last blocks of a term, in which votes count"),
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
  timestamp: amount.default(1_460_678_400_000n).describe("of the transactions, ms since 1970"),
  "block-timestamp": amount.optional().describe("by default the same"),
  signature: signature.optional().describe("of the block; without one it is made"),
  "initial-balance": amount.optional().describe("by default the sum of the transactions"),
  "initial-base-target": amount.default(153_722_867n),
  "average-block-delay": durationMs.default(60_000),
  transactions: list("a list of recipients and amounts", section({ recipient: address, amount })),
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

/** The public network that has these settings, if any. */
function publicNetworkWith(settings: BlockchainSettings): NetworkSettings | undefined {
  return Object.values<NetworkSettings>(namedNetworks).find(
    ({ blockchain, name }) => blockchain === settings && name !== "private",
  );
}

/** Network types in capitals; lower case is accepted too. */
function withCapitalType(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("type" in value) || typeof value.type !== "string") return value;
  return { ...value, type: value.type.toUpperCase() };
}

/** `waves.blockchain`: a public network by its type, or a custom one with all its settings. */
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
    .meta({
      expected: "MAINNET, TESTNET, STAGENET or CUSTOM",
      description: "a public network, or one that `custom` describes",
    })
    .transform((settings): BlockchainSettings => settings),
);

const miner = section({
  enable: flag.default(minerDefaults.enable),
  quorum: blocks.default(minerDefaults.quorum).describe("connected peers needed to forge"),
  "interval-after-last-block-then-generation-is-allowed": durationMs
    .default(minerDefaults.intervalAfterLastBlockThenGenerationIsAllowedMs)
    .describe("maximum age of the last block to forge on"),
  "max-transactions-in-micro-block": integer(1, 500).default(minerDefaults.maxTransactionsInMicroBlock),
  "micro-block-interval": durationMs.default(minerDefaults.microBlockIntervalMs),
  "min-micro-block-age": durationMs
    .default(minerDefaults.minMicroBlockAgeMs)
    .describe("for the next block to build on it"),
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
  "max-size": count.default(utxDefaults.maxSize).describe("transactions"),
  "max-bytes-size": count.default(utxDefaults.maxBytesSize),
  "max-scripted-size": count.default(utxDefaults.maxScriptedSize),
  "blacklist-sender-addresses": textSet.default(utxDefaults.blacklistSenderAddresses),
  "allow-blacklisted-transfer-to": textSet
    .default(utxDefaults.allowBlacklistedTransferTo)
    .describe("recipients to whom blacklisted senders may send"),
  "fast-lane-addresses": textSet
    .default(utxDefaults.fastLaneAddresses)
    .describe("senders that come first and fit into a full pool"),
  "allow-transactions-from-smart-accounts": flag.default(utxDefaults.allowTransactionsFromSmartAccounts),
  "allow-skip-checks": flag
    .default(utxDefaults.allowSkipChecks)
    .describe("a transaction that pays more than all others fits into a full pool"),
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

/** Groups under `waves` except the blockchain: settings of this node. */
const nodeSections = {
  "enable-light-mode": flag.default(nodeDefaults.isLight).describe("as `--light`"),
  miner: miner.prefault({}),
  utx: utx.prefault({}),
  network: networkForm.prefault({}),
  synchronization: synchronizationForm.prefault({}),
  "rest-api": section({
    "api-key-hash": text
      .default(nodeDefaults.apiKeyHash)
      .describe("base58 of the secure hash; `API_KEY_HASH` takes precedence, and on Cloudflare it alone counts"),
    "minimum-peers": blocks
      .default(nodeDefaults.minimumPeers)
      .describe("connected peers needed to accept transactions"),
  }).prefault({}),
  features: section({
    supported: featureIds.default([]).describe("features to vote for"),
  }).prefault({}),
  rewards: section({
    desired: amount.optional().describe("block reward to vote for, wavelets; by default no vote"),
  }).prefault({}),
  wallet: section({
    "accounts-generated": integer(1, maxWalletAccounts).default(nodeDefaults.walletAccounts).describe("at the start"),
  }).prefault({}),
  db: section({
    "max-rollback-depth": blocks
      .default(nodeDefaults.maxRollbackDepth)
      .describe("blocks, of balance requests and the owner's rollback"),
    "store-state-hashes": flag.default(nodeDefaults.storeStateHashes).describe("older ones, for `/debug/stateHash`"),
    // Not a setting of the reference, which always stores them.
    "store-snapshots": flag
      .optional()
      .describe("before feature 22 too, by default except on public networks; not of the reference"),
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
    peers: {
      ...waves.network,
      knownPeers: waves.network.knownPeers ?? publicNetworkWith(waves.blockchain)?.node.peers.knownPeers ?? [],
    },
    synchronization: waves.synchronization,
    supportedFeatures: waves.features.supported,
    desiredReward: waves.rewards.desired,
    walletAccounts: waves.wallet["accounts-generated"],
    maxRollbackDepth: waves.db["max-rollback-depth"],
    storeStateHashes: waves.db["store-state-hashes"],
    storeSnapshots: waves.db["store-snapshots"] ?? publicNetworkWith(waves.blockchain) === undefined,
    isLight: waves["enable-light-mode"],
  } satisfies NodeSettings,
}));

/** Secrets of a file. */
export const secretsForm = section({
  waves: section({
    wallet: section({
      seed: base58Bytes.optional().describe("`WALLET_SEED` takes precedence"),
    }).prefault({}),
    "rest-api": section({ "api-key-hash": text.optional() }).prefault({}),
  }).prefault({}),
});
