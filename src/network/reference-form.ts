/**
 * Settings files in the form of the reference's configuration, as JSON: kebab-case keys under `waves`. Keys that this
 * node has no use for are passed over.
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
  "feature-check-blocks-period": someBlocks.default(10_000).describe("Blocks of a voting period for features."),
  "blocks-for-feature-activation": someBlocks.default(9_000).describe("Votes in one period that approve a feature."),
  "generation-balance-depth-from-50-to-1000-after-height": blocks
    .default(defaults.generationBalanceDepthFrom50To1000AfterHeight)
    .describe("Up to this height the generating balance is the lowest of 50 blocks, then of 1,000."),
  "block-version-3-after-height": blocks
    .default(defaults.blockVersion3AfterHeight)
    .describe("Height after which blocks have version 3."),
  "pre-activated-features": heightByFeature
    .default(defaults.preActivatedFeatures)
    .describe("Height from which a feature is in force without votes, by its id."),
  "double-features-periods-after-height": blocks
    .default(defaults.doubleFeaturesPeriodsAfterHeight)
    .describe("Height after which a voting period is twice as long."),
  "max-transaction-time-back-offset": durationMs
    .default(Number(defaults.maxTransactionTimeBackOffsetMs))
    .describe("Maximum age of a transaction before the previous block."),
  "max-transaction-time-forward-offset": durationMs
    .default(Number(defaults.maxTransactionTimeForwardOffsetMs))
    .describe("Maximum time of a transaction ahead of its block."),
  "last-time-based-fork-parameter": amount
    .default(defaults.lastTimeBasedForkParameter)
    .describe("Time until which irregularities of mainnet's first years are allowed."),
  "reset-effective-balances-at-height": blocks
    .default(defaults.resetEffectiveBalancesAtHeight)
    .describe("Height at which leases are cancelled once."),
  "lease-expiration": blocks.default(defaults.leaseExpiration).describe("Of no effect: leases expire on no network."),
  "min-asset-info-update-interval": blocks
    .default(defaults.minAssetInfoUpdateInterval)
    .describe("Blocks between two changes of an asset's name."),
  "min-block-time": durationMs.default(defaults.minBlockTimeMs).describe("The least time between two blocks."),
  "delay-delta": blocks
    .default(defaults.delayDelta)
    .describe("Narrowing of the band of delays without a change of difficulty."),
  "estimator-pre-check-height": blocks
    .default(defaults.estimatorPreCheckHeight)
    .describe("Height after which, until feature 15, verifiers must pass estimator 1 and 2."),
  "estimation-overflow-fix-height": blocks
    .default(defaults.estimationOverflowFixHeight)
    .describe("Height from which overflowing estimates are refused."),
  "estimator-sum-overflow-fix-height": blocks
    .default(defaults.estimatorSumOverflowFixHeight)
    .describe("Height from which overflowing sums of estimates are refused."),
  "enforce-transfer-validation-after": blocks
    .default(defaults.enforceTransferValidationAfter)
    .describe("Height after which transfers of scripts are checked in full."),
  "eth-invoke-payments-check-height": blocks
    .default(defaults.ethInvokePaymentsCheckHeight)
    .describe("Height from which payments of Ethereum-style calls are checked."),
  "payments-check-height": blocks
    .default(defaults.paymentsCheckHeight)
    .describe("Height from which payments inside calls are checked."),
  "dao-address": address.optional().describe("Account that takes part in block rewards from feature 19 on."),
  "xtn-buyback-address": address.optional().describe("The second such account."),
  "xtn-buyback-reward-period": blocks
    .default(defaults.xtnBuybackRewardPeriod)
    .describe("Blocks from feature 19 on after which feature 21 ends the second account's share."),
  "light-node-block-fields-absence-interval": blocks
    .default(defaults.lightNodeBlockFieldsAbsenceInterval)
    .describe("Blocks from feature 22 on until headers must have a state hash."),
  "block-reward-boost-period": blocks
    .default(defaults.blockRewardBoostPeriod)
    .describe("Blocks for which feature 23 multiplies the reward."),
  "generation-period-length": someBlocks
    .default(defaults.generationPeriodLength)
    .describe("Blocks for which generators commit themselves, from feature 25 on."),
  "max-valid-endorsers": blocks
    .default(defaults.maxValidEndorsements)
    .describe("How many endorsers a block may name beside its generator."),
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
  term: someBlocks.default(rewardsDefaults.term).describe("Blocks for which a reward holds before it may change."),
  "term-after-capped-reward-feature": someBlocks
    .default(rewardsDefaults.termAfterCappedRewardFeature)
    .describe("The same from feature 20 on."),
  initial: amount.default(rewardsDefaults.initial).describe("The first block reward, wavelets."),
  "min-increment": amount.default(rewardsDefaults.minIncrement).describe("By how much a vote changes it, wavelets."),
  "voting-interval": someBlocks
    .default(rewardsDefaults.votingInterval)
    .describe("Blocks at the end of a term in which votes count."),
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
  timestamp: amount.default(1_460_678_400_000n).describe("Time of the genesis transactions, ms since the epoch."),
  "block-timestamp": amount.optional().describe("Time of the genesis block; by default the same."),
  signature: signature.optional().describe("Signature of the genesis block; without one it is made."),
  "initial-balance": amount.optional().describe("The whole supply, wavelets; by default the sum of the transactions."),
  "initial-base-target": amount.default(153_722_867n).describe("Difficulty of the first block."),
  "average-block-delay": durationMs.default(60_000).describe("Time between blocks that the difficulty aims at."),
  transactions: list("a list of recipients and amounts", section({ recipient: address, amount })).describe(
    "Who gets the supply.",
  ),
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
  "address-scheme-character": schemeCharacter
    .default("C")
    .describe("Character that every address of the network holds."),
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

/** The network that everybody knows, whose chain is long, if the settings are those of one. */
function publicNetworkWith(settings: BlockchainSettings): NetworkSettings | undefined {
  return Object.values<NetworkSettings>(namedNetworks).find(
    ({ blockchain, name }) => blockchain === settings && name !== "private",
  );
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
    .meta({
      expected: "MAINNET, TESTNET, STAGENET or CUSTOM",
      description: "A public network, or one of which `custom` says everything.",
    })
    .transform((settings): BlockchainSettings => settings),
);

const miner = section({
  enable: flag.default(minerDefaults.enable).describe("Whether the node forges."),
  quorum: blocks.default(minerDefaults.quorum).describe("Connected peers needed to forge."),
  "interval-after-last-block-then-generation-is-allowed": durationMs
    .default(minerDefaults.intervalAfterLastBlockThenGenerationIsAllowedMs)
    .describe("Age of the last block beyond which it does not forge."),
  "max-transactions-in-micro-block": integer(1, 500)
    .default(minerDefaults.maxTransactionsInMicroBlock)
    .describe("Transactions of a micro-block."),
  "micro-block-interval": durationMs.default(minerDefaults.microBlockIntervalMs).describe("Time between micro-blocks."),
  "min-micro-block-age": durationMs
    .default(minerDefaults.minMicroBlockAgeMs)
    .describe("Age from which a micro-block may be built upon by the next block."),
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
  "max-size": count.default(utxDefaults.maxSize).describe("Transactions in the pool."),
  "max-bytes-size": count.default(utxDefaults.maxBytesSize).describe("Their bytes."),
  "max-scripted-size": count
    .default(utxDefaults.maxScriptedSize)
    .describe("Transactions in the pool that run scripts."),
  "blacklist-sender-addresses": textSet
    .default(utxDefaults.blacklistSenderAddresses)
    .describe("Senders whose transactions are refused."),
  "allow-blacklisted-transfer-to": textSet
    .default(utxDefaults.allowBlacklistedTransferTo)
    .describe("Recipients to whom they may still send."),
  "fast-lane-addresses": textSet
    .default(utxDefaults.fastLaneAddresses)
    .describe("Accounts whose transactions come first and fit into a full pool."),
  "allow-transactions-from-smart-accounts": flag
    .default(utxDefaults.allowTransactionsFromSmartAccounts)
    .describe("Whether accounts with scripts may send."),
  "allow-skip-checks": flag
    .default(utxDefaults.allowSkipChecks)
    .describe("Whether a transaction that pays more than all others fits into a full pool."),
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
  "enable-light-mode": flag
    .default(nodeDefaults.isLight)
    .describe("Light mode: apply peers' state snapshots that a state hash proves (`--light`)."),
  miner: miner.prefault({}),
  utx: utx.prefault({}),
  network: networkForm.prefault({}),
  synchronization: synchronizationForm.prefault({}),
  "rest-api": section({
    "api-key-hash": text
      .default(nodeDefaults.apiKeyHash)
      .describe(
        "Base58 of the API key's secure hash, for local nodes; `API_KEY_HASH` takes precedence, and on Cloudflare it alone counts.",
      ),
    "minimum-peers": blocks
      .default(nodeDefaults.minimumPeers)
      .describe("Connected peers needed to accept transactions."),
  }).prefault({}),
  features: section({
    supported: featureIds.default([]).describe("Features that blocks of this node vote for."),
  }).prefault({}),
  rewards: section({
    desired: amount.optional().describe("Block reward to vote for, wavelets; by default no vote."),
  }).prefault({}),
  wallet: section({
    "accounts-generated": integer(1, maxWalletAccounts)
      .default(nodeDefaults.walletAccounts)
      .describe("Wallet accounts at the start."),
  }).prefault({}),
  db: section({
    "max-rollback-depth": blocks
      .default(nodeDefaults.maxRollbackDepth)
      .describe("Depth of balance requests and of the owner's rollback, in blocks."),
    "store-state-hashes": flag
      .default(nodeDefaults.storeStateHashes)
      .describe("Whether older state hashes are stored for `/debug/stateHash`."),
    // Not of the reference, which keeps them always.
    "store-snapshots": flag
      .optional()
      .describe("Whether state snapshots are stored before feature 22 too. Not of the reference."),
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

/** The parts of a file that are nobody else's business. */
export const secretsForm = section({
  waves: section({
    wallet: section({
      seed: base58Bytes.optional().describe("Base58 of the wallet's seed; `WALLET_SEED` takes precedence."),
    }).prefault({}),
    "rest-api": section({ "api-key-hash": text.optional() }).prefault({}),
  }).prefault({}),
});
