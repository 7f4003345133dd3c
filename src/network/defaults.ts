/**
 * Default settings, used if neither the network nor the settings file sets a value.
 * @source Waves: settings/BlockchainSettings.scala, resources/application.conf, resources/custom-defaults.conf
 */
import { defaultPeerSettings, defaultSynchronizationSettings } from "./peer-settings.ts";
import type { FunctionalitySettings, MinerSettings, NodeSettings, RewardsSettings, UtxSettings } from "./settings.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Maximum height: "never". */
export const maximumHeight = 0x7fff_ffff;

export const functionalityDefaults: FunctionalitySettings = {
  featureCheckBlocksPeriod: 1_000,
  blocksForFeatureActivation: 800,
  generationBalanceDepthFrom50To1000AfterHeight: 0,
  blockVersion3AfterHeight: 0,
  preActivatedFeatures: new Map(),
  doubleFeaturesPeriodsAfterHeight: maximumHeight,
  maxTransactionTimeBackOffsetMs: BigInt(120 * minuteMs),
  maxTransactionTimeForwardOffsetMs: BigInt(90 * minuteMs),
  lastTimeBasedForkParameter: 0n,
  resetEffectiveBalancesAtHeight: 0,
  leaseExpiration: 1_000_000,
  minAssetInfoUpdateInterval: 100_000,
  minBlockTimeMs: 15_000,
  delayDelta: 8,
  estimatorPreCheckHeight: 0,
  estimationOverflowFixHeight: 0,
  estimatorSumOverflowFixHeight: 0,
  enforceTransferValidationAfter: 0,
  ethInvokePaymentsCheckHeight: 0,
  paymentsCheckHeight: 0,
  daoAddress: undefined,
  xtnBuybackAddress: undefined,
  xtnBuybackRewardPeriod: maximumHeight,
  lightNodeBlockFieldsAbsenceInterval: 1_000,
  blockRewardBoostPeriod: 1_000,
  generationPeriodLength: 1_000,
  maxValidEndorsements: 5,
};

/** Rewards of the public networks, and of custom ones without their own. */
export const rewardsDefaults: RewardsSettings = {
  term: 100_000,
  termAfterCappedRewardFeature: 50_000,
  initial: 600_000_000n,
  minIncrement: 50_000_000n,
  votingInterval: 10_000,
};

export const minerDefaults: MinerSettings = {
  enable: true,
  quorum: 3,
  intervalAfterLastBlockThenGenerationIsAllowedMs: dayMs,
  maxTransactionsInMicroBlock: 255,
  microBlockIntervalMs: 2_000,
  minMicroBlockAgeMs: 500,
};

export const utxDefaults: UtxSettings = {
  maxSize: 100_000,
  maxBytesSize: 52_428_800,
  maxScriptedSize: 5_000,
  blacklistSenderAddresses: new Set(),
  allowBlacklistedTransferTo: new Set(),
  fastLaneAddresses: new Set(),
  allowTransactionsFromSmartAccounts: true,
  allowSkipChecks: true,
};

export const nodeDefaults: NodeSettings = {
  apiKeyHash: "",
  minimumPeers: 1,
  miner: minerDefaults,
  utx: utxDefaults,
  peers: defaultPeerSettings,
  synchronization: defaultSynchronizationSettings,
  supportedFeatures: [],
  desiredReward: undefined,
  walletAccounts: 1,
  maxRollbackDepth: 2_000,
  storeStateHashes: false,
  storeSnapshots: false,
  isLight: false,
};

/** Maximum of wallet accounts: each start derives the keys of all of them, about 2 ms each. */
export const maxWalletAccounts = 1_000;
