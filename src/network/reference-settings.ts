/**
 * Settings in the form of the reference's configuration: what `reference-form.ts` reads. Without secrets: the wallet's seed,
 * and the hash of the API key.
 */

import { addressText } from "../crypto/address.ts";
import { encodeBase58 } from "../crypto/base58.ts";
import type { Address } from "../crypto/identities.ts";
import { isNetworkName } from "./named-networks.ts";
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

/** The group `waves`. A public network has its facts beside its type. */
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
    ...addressSetting("dao-address", values.daoAddress),
    ...addressSetting("xtn-buyback-address", values.xtnBuybackAddress),
    "xtn-buyback-reward-period": values.xtnBuybackRewardPeriod,
    "light-node-block-fields-absence-interval": values.lightNodeBlockFieldsAbsenceInterval,
    "block-reward-boost-period": values.blockRewardBoostPeriod,
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
    miner: minerSection(values.miner),
    utx: utxSection(values.utx),
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

function duration(ms: number | bigint): string {
  return `${ms}ms`;
}

function addressSetting(name: string, address: Address | undefined): Readonly<Record<string, string>> {
  return address === undefined ? {} : { [name]: addressText(address) };
}
