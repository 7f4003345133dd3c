/**
 * Settings in the form of the reference's configuration, which `reference-form.ts` reads. Without secrets (wallet seed,
 * hash of the API key).
 */

import { addressText } from "../crypto/address.ts";
import { encodeBase58 } from "../crypto/base58.ts";
import { isNetworkName } from "./named-networks.ts";
import type { PeerSettings, SynchronizationSettings } from "./peer-settings.ts";
import type {
  BlockchainSettings,
  FunctionalitySettings,
  GenesisSettings,
  MinerSettings,
  NetworkSettings,
  NodeSettings,
  RewardsSettings,
  UtxSettings,
} from "./settings.ts";

/** The group `waves`. For a public network it has the custom settings in addition to the type. */
export function referenceSettings({ name, blockchain, node }: NetworkSettings) {
  return {
    blockchain: { type: typeOf(name), custom: customNetwork(blockchain) },
    ...nodeSections(node),
  };
}

function typeOf(name: string): string {
  return isNetworkName(name) && name !== "private" ? name.toUpperCase() : "CUSTOM";
}

function customNetwork({ schemeCharacter, functionality, rewards, genesis }: BlockchainSettings) {
  return {
    "address-scheme-character": schemeCharacter,
    functionality: functionalitySection(functionality),
    rewards: rewardsSection(rewards),
    genesis: genesisSection(genesis),
  };
}

function functionalitySection(values: FunctionalitySettings) {
  return {
    "feature-check-blocks-period": values.featureCheckBlocksPeriod,
    "blocks-for-feature-activation": values.blocksForFeatureActivation,
    "generation-balance-depth-from-50-to-1000-after-height": values.generationBalanceDepthFrom50To1000AfterHeight,
    "block-version-3-after-height": values.blockVersion3AfterHeight,
    "pre-activated-features": Object.fromEntries(values.preActivatedFeatures),
    "double-features-periods-after-height": values.doubleFeaturesPeriodsAfterHeight,
    "max-transaction-time-back-offset": duration(values.maxTransactionTimeBackOffsetMs),
    "max-transaction-time-forward-offset": duration(values.maxTransactionTimeForwardOffsetMs),
    "last-time-based-fork-parameter": values.lastTimeBasedForkParameter,
    "reset-effective-balances-at-height": values.resetEffectiveBalancesAtHeight,
    "lease-expiration": values.leaseExpiration,
    "min-asset-info-update-interval": values.minAssetInfoUpdateInterval,
    "min-block-time": duration(values.minBlockTimeMs),
    "delay-delta": values.delayDelta,
    "estimator-pre-check-height": values.estimatorPreCheckHeight,
    "estimation-overflow-fix-height": values.estimationOverflowFixHeight,
    "estimator-sum-overflow-fix-height": values.estimatorSumOverflowFixHeight,
    "enforce-transfer-validation-after": values.enforceTransferValidationAfter,
    "eth-invoke-payments-check-height": values.ethInvokePaymentsCheckHeight,
    "payments-check-height": values.paymentsCheckHeight,
    ...setting("dao-address", values.daoAddress && addressText(values.daoAddress)),
    ...setting("xtn-buyback-address", values.xtnBuybackAddress && addressText(values.xtnBuybackAddress)),
    "xtn-buyback-reward-period": values.xtnBuybackRewardPeriod,
    "light-node-block-fields-absence-interval": values.lightNodeBlockFieldsAbsenceInterval,
    "block-reward-boost-period": values.blockRewardBoostPeriod,
    "generation-period-length": values.generationPeriodLength,
    "max-valid-endorsers": values.maxValidEndorsements,
  };
}

function rewardsSection(values: RewardsSettings) {
  return {
    term: values.term,
    "term-after-capped-reward-feature": values.termAfterCappedRewardFeature,
    initial: values.initial,
    "min-increment": values.minIncrement,
    "voting-interval": values.votingInterval,
  };
}

function genesisSection({ signature, transactions, ...values }: GenesisSettings) {
  return {
    "average-block-delay": duration(values.averageBlockDelayMs),
    "initial-base-target": values.initialBaseTarget,
    timestamp: values.timestampMs,
    "block-timestamp": values.blockTimestampMs,
    ...(signature !== undefined && { signature: encodeBase58(signature) }),
    "initial-balance": values.initialBalance,
    transactions: transactions.map(({ recipient, amount }) => ({ recipient: addressText(recipient), amount })),
  };
}

function nodeSections(values: NodeSettings) {
  return {
    "enable-light-mode": values.isLight,
    miner: minerSection(values.miner),
    utx: utxSection(values.utx),
    network: networkSection(values.peers),
    synchronization: synchronizationSection(values.synchronization),
    "rest-api": { "minimum-peers": values.minimumPeers },
    features: { supported: values.supportedFeatures },
    rewards: values.desiredReward === undefined ? {} : { desired: values.desiredReward },
    wallet: { "accounts-generated": values.walletAccounts },
    db: {
      "max-rollback-depth": values.maxRollbackDepth,
      "store-state-hashes": values.storeStateHashes,
      "store-snapshots": values.storeSnapshots,
    },
  };
}

function minerSection(values: MinerSettings) {
  return {
    enable: values.enable,
    quorum: values.quorum,
    "interval-after-last-block-then-generation-is-allowed": duration(
      values.intervalAfterLastBlockThenGenerationIsAllowedMs,
    ),
    "max-transactions-in-micro-block": values.maxTransactionsInMicroBlock,
    "micro-block-interval": duration(values.microBlockIntervalMs),
    "min-micro-block-age": duration(values.minMicroBlockAgeMs),
  };
}

function utxSection(values: UtxSettings) {
  return {
    "max-size": values.maxSize,
    "max-bytes-size": values.maxBytesSize,
    "max-scripted-size": values.maxScriptedSize,
    "blacklist-sender-addresses": [...values.blacklistSenderAddresses],
    "allow-blacklisted-transfer-to": [...values.allowBlacklistedTransferTo],
    "fast-lane-addresses": [...values.fastLaneAddresses],
    "allow-transactions-from-smart-accounts": values.allowTransactionsFromSmartAccounts,
    "allow-skip-checks": values.allowSkipChecks,
  };
}

function networkSection(values: PeerSettings) {
  return {
    ...setting("bind-address", values.bindAddress),
    ...setting("port", values.port),
    ...setting("declared-address", values.declaredAddress),
    ...setting("node-name", values.nodeName),
    ...setting("nonce", values.nonce),
    "known-peers": values.knownPeers,
    "peers-data-residence-time": duration(values.peersDataResidenceTimeMs),
    "black-list-residence-time": duration(values.blackListResidenceTimeMs),
    "break-idle-connections-timeout": duration(values.breakIdleConnectionsTimeoutMs),
    "max-inbound-connections": values.maxInboundConnections,
    "max-outbound-connections": values.maxOutboundConnections,
    "max-single-host-connections": values.maxSingleHostConnections,
    "connection-timeout": duration(values.connectionTimeoutMs),
    "max-unverified-peers": values.maxUnverifiedPeers,
    "enable-peers-exchange": values.enablePeersExchange,
    "enable-blacklisting": values.enableBlacklisting,
    "peers-broadcast-interval": duration(values.peersBroadcastIntervalMs),
    "handshake-timeout": duration(values.handshakeTimeoutMs),
    "suspension-residence-time": duration(values.suspensionResidenceTimeMs),
    "received-txs-cache-timeout": duration(values.receivedTxsCacheTimeoutMs),
  };
}

function synchronizationSection(values: SynchronizationSettings) {
  const { invalidBlocksStorage, microBlockSynchronizer, historyReplier } = values;
  return {
    "max-rollback": values.maxRollback,
    "synchronization-timeout": duration(values.synchronizationTimeoutMs),
    "processed-blocks-cache-timeout": duration(values.processedBlocksCacheTimeoutMs),
    "score-ttl": duration(values.scoreTtlMs),
    "invalid-blocks-storage": {
      "max-size": invalidBlocksStorage.maxSize,
      timeout: duration(invalidBlocksStorage.timeoutMs),
    },
    "micro-block-synchronizer": {
      "wait-response-timeout": duration(microBlockSynchronizer.waitResponseTimeoutMs),
      "processed-micro-blocks-cache-timeout": duration(microBlockSynchronizer.processedMicroBlocksCacheTimeoutMs),
      "inv-cache-timeout": duration(microBlockSynchronizer.invCacheTimeoutMs),
    },
    "history-replier": {
      "max-micro-block-cache-size": historyReplier.maxMicroBlockCacheSize,
      "max-block-cache-size": historyReplier.maxBlockCacheSize,
    },
  };
}

function duration(ms: number | bigint): string {
  return `${ms}ms`;
}

/** An entry, or none for an undefined setting. */
function setting<Value>(name: string, value: Value | undefined): Readonly<Record<string, Value>> {
  return value === undefined ? {} : { [name]: value };
}
