/**
 * Settings of a network and of this node, in the form the code uses. The names follow the reference's configuration
 * (kebab-case there, camelCase with units here); `parse-network.ts` reads them from a `network.json`.
 * @source Waves: settings/BlockchainSettings.scala; docs/protocol/consensus-and-finality.md 1.1
 */
import type { Address, Signature } from "../crypto/identities.ts";
import type { PeerSettings, SynchronizationSettings } from "./peer-settings.ts";

/** Heights, periods and times that differ from network to network. All times are milliseconds. */
export interface FunctionalitySettings {
  readonly featureCheckBlocksPeriod: number;
  readonly blocksForFeatureActivation: number;
  readonly generationBalanceDepthFrom50To1000AfterHeight: number;
  readonly blockVersion3AfterHeight: number;
  /** Feature id to activation height (0 or negative: from the start). */
  readonly preActivatedFeatures: ReadonlyMap<number, number>;
  readonly doubleFeaturesPeriodsAfterHeight: number;
  readonly maxTransactionTimeBackOffsetMs: bigint;
  readonly maxTransactionTimeForwardOffsetMs: bigint;
  /** Switch of mainnet in 2018: time until which several historical irregularities were allowed. */
  readonly lastTimeBasedForkParameter: bigint;
  readonly resetEffectiveBalancesAtHeight: number;
  readonly leaseExpiration: number;
  readonly minAssetInfoUpdateInterval: number;
  readonly minBlockTimeMs: number;
  readonly delayDelta: number;
  readonly estimatorPreCheckHeight: number;
  readonly estimationOverflowFixHeight: number;
  readonly estimatorSumOverflowFixHeight: number;
  readonly enforceTransferValidationAfter: number;
  readonly ethInvokePaymentsCheckHeight: number;
  readonly paymentsCheckHeight: number;
  readonly daoAddress: Address | undefined;
  readonly xtnBuybackAddress: Address | undefined;
  readonly xtnBuybackRewardPeriod: number;
  readonly lightNodeBlockFieldsAbsenceInterval: number;
  readonly blockRewardBoostPeriod: number;
  /** Blocks for which generators commit, from feature 25 on. */
  readonly generationPeriodLength: number;
  /** Maximum of endorsers in a voting, in addition to the generator. */
  readonly maxValidEndorsements: number;
}

/** Block reward: amounts in wavelets, periods in blocks. */
export interface RewardsSettings {
  readonly term: number;
  readonly termAfterCappedRewardFeature: number;
  readonly initial: bigint;
  readonly minIncrement: bigint;
  readonly votingInterval: number;
}

export interface GenesisSettings {
  readonly blockTimestampMs: bigint;
  readonly timestampMs: bigint;
  readonly initialBalance: bigint;
  readonly initialBaseTarget: bigint;
  readonly averageBlockDelayMs: number;
  /** Undefined only while a new network is created. */
  readonly signature: Signature | undefined;
  /** Name of a dev chain, which replaces the signature. Settings files cannot set it. */
  readonly devChain?: string;
  readonly transactions: readonly { readonly recipient: Address; readonly amount: bigint }[];
}

/** Settings on which all nodes of a network must agree. */
export interface BlockchainSettings {
  /** `waves` + scheme character names the network to its peers. */
  readonly schemeCharacter: string;
  /** Code of the scheme character. */
  readonly chainId: number;
  readonly functionality: FunctionalitySettings;
  readonly rewards: RewardsSettings;
  readonly genesis: GenesisSettings;
}

/** Block production of this node. */
export interface MinerSettings {
  readonly enable: boolean;
  readonly quorum: number;
  readonly intervalAfterLastBlockThenGenerationIsAllowedMs: number;
  readonly maxTransactionsInMicroBlock: number;
  readonly microBlockIntervalMs: number;
  readonly minMicroBlockAgeMs: number;
}

/** The UTX pool of this node. Accounts are addresses in base58, or aliases with their prefix. */
export interface UtxSettings {
  /** Maximum of transactions. */
  readonly maxSize: number;
  readonly maxBytesSize: number;
  /** Maximum of transactions that run scripts. */
  readonly maxScriptedSize: number;
  /** Senders whose transactions are refused. */
  readonly blacklistSenderAddresses: ReadonlySet<string>;
  /** Recipients to which these senders may still send. */
  readonly allowBlacklistedTransferTo: ReadonlySet<string>;
  /** Senders whose transactions take precedence and fit into a full pool. */
  readonly fastLaneAddresses: ReadonlySet<string>;
  readonly allowTransactionsFromSmartAccounts: boolean;
  /** Whether a transaction that pays more than all others fits into a full pool. */
  readonly allowSkipChecks: boolean;
}

/** Settings of this node. Secrets (wallet seed, API key) are in bindings instead. */
export interface NodeSettings {
  readonly apiKeyHash: string;
  readonly minimumPeers: number;
  readonly miner: MinerSettings;
  readonly utx: UtxSettings;
  readonly peers: PeerSettings;
  readonly synchronization: SynchronizationSettings;
  /** Features this node votes for. */
  readonly supportedFeatures: readonly number[];
  /** Block reward this node votes for, wavelets; undefined: no vote. */
  readonly desiredReward: bigint | undefined;
  /** Number of the wallet seed's accounts that exist from the start. */
  readonly walletAccounts: number;
  /** Maximum depth in blocks of balance requests, and of a rollback by the owner. */
  readonly maxRollbackDepth: number;
  /** Whether the older state hash of each block is stored, for `/debug/stateHash`. */
  readonly storeStateHashes: boolean;
  /** Whether the state snapshot of every transaction is stored; from feature 22 on it always is. */
  readonly storeSnapshots: boolean;
  /**
   * Light node: transactions of other generators' blocks are not run; their state snapshots are applied if a header
   * proves them.
   */
  readonly isLight: boolean;
}

export interface NetworkSettings {
  /** `mainnet`, `testnet`, `stagenet`, `private`, or the name of the file it came from. */
  readonly name: string;
  /** The owner controls its blocks, time and state; only `devSettings` sets it. */
  readonly isDevChain?: true;
  /** For a dev chain: the time between blocks of the original network, ms. */
  readonly networkBlockDelayMs?: number;
  readonly blockchain: BlockchainSettings;
  readonly node: NodeSettings;
}
