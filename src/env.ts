/**
 * Bindings of the Worker, and the calls that it makes to the ChainState object: the only contact between the stateless
 * side and the object.
 */
import type { RemoteStateKey } from "./network/remote-state-key.ts";
import type { JsonObject } from "./protocol/json.ts";
import type { OrderFill } from "./protocol/snapshots/snapshot.ts";
import type { DataEntry } from "./protocol/transactions/transaction.ts";
import type { TransactionViolation } from "./protocol/transactions/transaction-violation.ts";

/** Result of submitting a transaction to the pool. `trace`: present if the client requested one. */
export type BroadcastResult =
  | { readonly accepted: true; readonly isNew: boolean; readonly trace?: readonly JsonObject[] }
  | { readonly accepted: false; readonly violation: TransactionViolation; readonly trace?: readonly JsonObject[] };

/**
 * A transaction submitted to the pool. The Worker computes the optional members beforehand to save the single object
 * work; the object computes those that are missing.
 */
export interface PoolSubmission {
  /** Protobuf `SignedTransaction`. */
  readonly signedTransaction: Uint8Array;
  readonly id?: Uint8Array;
  /** Everything that `hasValidSignatures` checks was found valid. */
  readonly areSignaturesVerified?: boolean;
  readonly isTraced?: boolean;
  /** Host whose refused-work budget its scripts spend; undefined: their work is not counted. */
  readonly host?: string;
}

/** A refused-work budget is spent (`src/platform/refused-work.ts`): no script of the transaction was run. */
export interface SubmissionOverBudget {
  readonly accepted: false;
  readonly exceeded: "sender" | "host" | "site" | "network" | "hosts";
  readonly retryAfterMs: number;
}

/** `failed`: an error that the transaction did not cause. It is not in the pool, and may be submitted again. */
export type SubmissionResult = BroadcastResult | SubmissionOverBudget | "failed";

/**
 * Transactions of the priority pool: a new key block removed them from the chain, and the next block takes them first.
 */
export interface PriorityTransactions {
  /** Id of the tip that the next block would extend. */
  readonly tipId: Uint8Array;
  /** Transactions in their order, each with its state snapshot in wire form. */
  readonly effects: readonly { readonly signedTransaction: Uint8Array; readonly stateSnapshot: Uint8Array }[];
}

/** Requests to the pool. Transactions travel as protobuf `SignedTransaction` bytes, ids as raw bytes. */
export interface PoolRpc {
  /**
   * Validates transactions in turn against the tip, and puts the valid ones into the UTX pool with one write.
   * @returns results of the first transactions, at least of one. The rest may be submitted again: their scripts cost
   *   too much to run at once while the chain waits
   */
  broadcastAll(offers: PoolSubmission[]): Promise<SubmissionResult[]>;
  /**
   * Ids in mining order, preceded by those of transactions that have left the pool but are not yet readable: an
   * `encodeIdList`.
   */
  unconfirmedIds(): Promise<Uint8Array>;
  /**
   * Transactions of the first ids, up to the limit but at least one; undefined for those that are no longer
   * unconfirmed.
   */
  someUnconfirmed(transactionIds: Uint8Array[], limitBytes: number): Promise<(Uint8Array | undefined)[]>;
  unconfirmedCount(): Promise<number>;
  findUnconfirmed(transactionId: Uint8Array): Promise<Uint8Array | undefined>;
  /** Whether each id waits in the pool (same order, same length). */
  areUnconfirmed(transactionIds: Uint8Array[]): Promise<boolean[]>;
  priorityTransactions(): Promise<PriorityTransactions>;
}

/** Resources that ChainState has used since its isolate began, in the units that Cloudflare charges for. */
export interface ObjectWork {
  /** Number of calls and alarms. */
  readonly requests: number;
  /** Time with at least one operation in progress; charged at 128 MB. */
  readonly activeMs: number;
  /** Rows read from the object's own database. */
  readonly sqlRowsRead: number;
  /** Rows written to the object's own database; setting an alarm counts as one. */
  readonly sqlRowsWritten: number;
  /** D1 batches of the publisher. */
  readonly d1Batches: number;
  readonly d1RowsRead: number;
  readonly d1RowsWritten: number;
  /** KV writes of final blocks. */
  readonly kvWrites: number;
  /** Number of KV writes that failed. */
  readonly kvErrors: number;
}

/** Progress of the node. */
export interface NodeStatus {
  readonly height: number;
  /** Timestamp of the tip, ms since the epoch. */
  readonly tipTimestampMs: number;
  /** Whether the owner has stopped the node: it makes no blocks. */
  readonly isStopped: boolean;
  /** Age of the oldest commit that the read model does not have yet; 0 when it has all. */
  readonly unpublishedMs: number;
  /** Number of transactions in the pool. */
  readonly unconfirmed: number;
  /** Undefined without an object. */
  readonly work?: ObjectWork;
}

/** Requests to the node as a whole. */
export interface NodeRpc {
  /** Makes sure that the node is running: a deployed object sleeps until a call. */
  wake(): Promise<void>;
  status(): Promise<NodeStatus>;
  /** Filled amounts of orders, which the read model does not have: an entry for each id. */
  orderFills(orderIds: Uint8Array[]): Promise<OrderFill[]>;
}

/** Public data of an account in the node's wallet. */
export interface WalletAccountInfo {
  readonly address: Uint8Array;
  readonly publicKey: Uint8Array;
}

/**
 * Requests to the wallet. Private keys stay in ChainState; seeds leave it only through the two methods named after
 * them, which serve two routes of the owner.
 */
export interface WalletRpc {
  /** Accounts in order of creation; empty if the node has no seed. */
  accounts(): Promise<WalletAccountInfo[]>;
  /** Creates the next account. @returns its address; undefined: there is no seed, or no room for more accounts */
  create(): Promise<Uint8Array | undefined>;
  /** @returns whether the wallet had the account */
  delete(address: Uint8Array): Promise<boolean>;
  /** Seed of the wallet. */
  seed(): Promise<Uint8Array | undefined>;
  /** Seed of an account, from which all its keys derive. */
  accountSeed(address: Uint8Array): Promise<Uint8Array | undefined>;
  /**
   * Signs a transaction; the wallet signs nothing else.
   * @param transaction protobuf `SignedTransaction`, without proofs
   * @returns the signature; undefined: the wallet has no such account
   */
  sign(signer: Uint8Array, transaction: Uint8Array): Promise<Uint8Array | undefined>;
  /** BLS key with which an account endorses blocks, 48 bytes; undefined: the wallet has no such account. */
  endorserKey(address: Uint8Array): Promise<Uint8Array | undefined>;
  /**
   * Key and proof with which an account commits itself to generate blocks in a period.
   * @param periodStart first height of the period
   * @returns undefined: the wallet has no such account
   */
  commitment(address: Uint8Array, periodStart: number): Promise<EndorserCommitment | undefined>;
}

export interface EndorserCommitment {
  /** BLS key, 48 bytes. */
  readonly endorserPublicKey: Uint8Array;
  /** Proof of possession of the key, 96 bytes. */
  readonly commitmentSignature: Uint8Array;
}

/** Activity of the node. */
export interface NodeActivity {
  readonly height: number;
  /** Sum of the weights of all blocks. */
  readonly score: bigint;
  /** `mining blocks`, `disabled`, or `error: ` and the reason why none of its accounts can mine. */
  readonly minerState: string;
}

/** An account of the wallet that may make the next block. */
export interface MiningAccount {
  readonly address: Uint8Array;
  /** Generating balance, wavelets. */
  readonly generatingBalance: bigint;
  /** Earliest time of its next block, ms since the epoch. */
  readonly timestampMs: number;
}

export type RollbackResult =
  | { readonly kind: "done"; readonly blockId: Uint8Array }
  | { readonly kind: "noBlock" }
  /** `reason`: a message. */
  | { readonly kind: "refused"; readonly reason: string };

/** Requests of the node's owner. */
export interface OwnerRpc {
  activity(): Promise<NodeActivity>;
  /** Empty as long as the node makes no blocks. */
  miningAccounts(): Promise<MiningAccount[]>;
  /**
   * Rolls the chain back to a height, final blocks included, and resolves once readers see it. Rejects if the read
   * model fails: the chain is rolled back nevertheless, and readers see it later.
   * @param returnsTransactions whether the transactions of the blocks return to the pool
   */
  rollBack(height: number, options: { readonly returnsTransactions: boolean }): Promise<RollbackResult>;
  /**
   * Stops making blocks until the node is started again (on a machine) or deployed again.
   * @returns which of the two
   */
  stop(): Promise<"untilStart" | "untilDeployment">;
}

/** Settings and status of a dev chain. */
export interface DevStatus {
  readonly height: number;
  /** Time of the chain's clock, ms since the epoch. */
  readonly timeMs: number;
  /** Addresses of the accounts whose transactions need no authorization. */
  readonly impersonated: readonly Uint8Array[];
  /** Whether each transaction gets a block at once. */
  readonly automine: boolean;
  /** Delay from a block to the next automatic one, in ms of real time; null: there are no automatic blocks. */
  readonly intervalMs: number | null;
  /** Saved states, oldest first. */
  readonly snapshots: readonly DevSnapshotInfo[];
  /** Origin of a fork: URL of the source node, and height of the last common block. */
  readonly fork?: { readonly url: string; readonly height: number };
}

/** A saved state of the chain. */
export interface DevSnapshotInfo {
  readonly name: string;
  /** Height of the saved chain. */
  readonly height: number;
}

/** Refusal of an operation on a dev chain. `reason`: a message. */
export interface DevRefusal {
  readonly kind: "refused";
  readonly reason: string;
}

export type DevResult<Value extends object> = ({ readonly kind: "done" } & Value) | DevRefusal;

/** Tip of a dev chain once readers see the change. */
export type DevTipResult = DevResult<Pick<DevStatus, "height" | "timeMs">>;

/** Block with the changed state, once readers see it. */
export type StateOverrideResult = DevResult<Pick<DevStatus, "height">>;

/** Time of a dev chain's clock, or the timestamp of the next block. */
export type DevTimeResult = DevResult<Pick<DevStatus, "timeMs">>;

/** Start of a part of a dump. The caller passes on the one that came with the part before. */
export interface DumpPosition {
  readonly copy: number;
  readonly table: number;
  readonly upTo?: string;
  /** Number of rows before it. */
  readonly rows: number;
}

/** Lines, each with its line end. `next`: start of the next part, undefined after the last one. */
export type DumpResult = DevResult<{ readonly lines: string; readonly next: DumpPosition | undefined }>;

/** The next lines of a dump. `load`: id from the result for the lines before. */
export interface LoadPart {
  readonly load: number | undefined;
  readonly lines: readonly string[];
  readonly isLast: boolean;
}

/**
 * `load`: id of an unfinished load; undefined: readers see the loaded chain. `height`: height of the chain after the
 * load.
 */
export type LoadResult = DevResult<{ readonly load: number | undefined; readonly height: number }>;

/** Requests of a dev chain's owner. */
export interface DevRpc {
  status(): Promise<DevStatus>;
  /** Saves the state. @param name by default an unused number */
  snapshot(name: string | undefined): Promise<DevResult<DevSnapshotInfo>>;
  /** Restores a saved state, and resolves once readers see it; snapshots taken later are dropped. */
  revert(name: string): Promise<DevTipResult>;
  /** Reverts to the state before the first transaction of a user. */
  reset(): Promise<DevTipResult>;
  /** Returns a part of the whole state as it was at the request for the first part. */
  dump(position: DumpPosition | undefined): Promise<DumpResult>;
  /** Takes lines of a dump. The last ones replace the chain; resolves once readers see it. */
  load(part: LoadPart): Promise<LoadResult>;
  /** Lets transactions of the account do without authorization, or requires it again, until the next such call. */
  impersonate(address: Uint8Array, isImpersonated: boolean): Promise<DevStatus>;
  /** Sets entries of an account's data; an entry without a value is deleted. */
  setData(address: Uint8Array, entries: readonly DataEntry[]): Promise<StateOverrideResult>;
  /**
   * Sets an account's script; null removes it.
   * @param account its address, or its key if the chain has not seen the key yet
   */
  setScript(
    account: { readonly address: Uint8Array } | { readonly publicKey: Uint8Array },
    script: Uint8Array | null,
  ): Promise<StateOverrideResult>;
  /** Sets a balance of WAVES or of an asset, in its smallest unit. */
  setBalance(address: Uint8Array, assetId: Uint8Array | null, amount: bigint): Promise<StateOverrideResult>;
  /**
   * Transfers wavelets from the wallet's richest account.
   * @returns id and height of the transfer, once it is in a block
   */
  fund(address: Uint8Array, amount: bigint): Promise<DevResult<{ readonly id: Uint8Array; readonly height: number }>>;
  /**
   * Makes blocks now, the first one with the transactions of the pool, and resolves once readers see them.
   * @param intervalMs least difference of their timestamps
   */
  mine(blocks: number, intervalMs: number): Promise<DevTipResult>;
  /** Sets the given options and keeps the others. Turning automine on also mines the transactions that wait. */
  setMiningMode(chosen: Partial<Pick<DevStatus, "automine" | "intervalMs">>): Promise<DevResult<DevStatus>>;
  /** Sets the clock, and the timestamp of the next block. Refused for a time before the tip. */
  setTime(timeMs: number): Promise<DevTimeResult>;
  /** Puts the clock forward. */
  increaseTime(byMs: number): Promise<DevTimeResult>;
}

/**
 * Result of fetching remote state: all keys are in the read model (`known`), the source node did not respond
 * (`unreachable`), or no node serves such state (`untold`). `sentence`: which state, and why.
 */
export type ForkFetchResult =
  | { readonly kind: "known" }
  | { readonly kind: "unreachable"; readonly message: string }
  | { readonly kind: "untold"; readonly message: string };

/** Requests to a fork. */
export interface ForkRpc {
  /** Fetches state of the source network that the fork does not have yet, and resolves once readers see it. */
  fetchState(remoteKeys: RemoteStateKey[]): Promise<ForkFetchResult>;
}

/**
 * Blocks that a checkpoint has besides those that the rules need: `all` that its writer has, since scripts may read
 * any, or `none`.
 */
export const checkpointPasts = ["all", "none"] as const;
export type CheckpointPast = (typeof checkpointPasts)[number];

/** Requests for checkpoint export, part by part, and import. Bytes travel as base64. */
export type CheckpointCall =
  /**
   * Stops the chain until the last part is written, or until a minute has passed without a request for a part. `past`:
   * `all` by default.
   */
  | { readonly call: "beginExport"; readonly past?: CheckpointPast }
  | { readonly call: "exportPart"; readonly place: CheckpointPosition }
  | { readonly call: "endExport" }
  | { readonly call: "standing" }
  /** Begins to read a checkpoint in, or continues. `isLast`: the texts so far make up the whole manifest. */
  | { readonly call: "begin"; readonly manifest: string; readonly isLast: boolean }
  /** Adds a part, or a piece of one. @see begin */
  | { readonly call: "add"; readonly number: number; readonly packed: string; readonly isLast: boolean }
  /** Verifies some more, once all parts are there. */
  | { readonly call: "goOn" }
  /** Drops everything that was read in. */
  | { readonly call: "giveUp" };

/** Start of a part in the tables. The caller passes on the one that came with the part before. */
export type CheckpointPosition = {
  /** Number of the table among those that a checkpoint has. */
  readonly table: number;
  /** Key of the last row before this part, as JSON. */
  readonly after?: string;
};

/** Summary of a part: its table, its number of rows, and the length and SHA-256 (hex) of their text. */
export type CheckpointPartInfo = {
  readonly table: string;
  readonly rows: number;
  readonly bytes: number;
  readonly digest: string;
};

/** Results of the calls; each call sets its own members. */
export type CheckpointResult = {
  /** JSON of the first members of the manifest. */
  readonly head?: string;
  readonly tables?: readonly { readonly name: string; readonly columns: readonly string[] }[];
  readonly part?: CheckpointPartInfo & { readonly packed: string };
  readonly next?: CheckpointPosition;
  /** Height of the chain; 0 as long as there is none. */
  readonly height?: number;
  /** Digest of the checkpoint from which the chain began. */
  readonly begunFrom?: string;
  /** Checkpoint that is being read in: its digest, and the numbers of missing parts. */
  readonly loading?: { readonly digest: string; readonly parts: number; readonly missing: readonly number[] };
  /** Progress of the verification as text; undefined: it is over. */
  readonly progress?: string;
};

export interface CheckpointRpc {
  call(call: CheckpointCall): Promise<DevResult<CheckpointResult>>;
}

/** Another node that this one knows. Addresses are `host:port` texts. */
export interface KnownPeer {
  readonly address: string;
  /** ms since the epoch. */
  readonly lastSeenMs: number;
}

/** A node that this one is connected to. */
export interface ConnectedPeer {
  readonly address: string;
  /** Address that the peer declares for incoming connections. */
  readonly declaredAddress: string | undefined;
  readonly name: string;
  readonly nonce: bigint;
  readonly applicationName: string;
  /** `major.minor.patch`. */
  readonly applicationVersion: string;
}

/** A host that this node refuses for a time. */
export interface BlacklistedHost {
  readonly host: string;
  /** Start of the refusal, ms since the epoch. */
  readonly timestampMs: number;
  readonly reason: string;
}

/** Distance of the node to the best of its peers. */
export interface SyncProgress {
  readonly height: number;
  /** Number of blocks that the best peer has and the node lacks, as far as is known; 0: no peer is ahead. */
  readonly blocksAhead: number;
  readonly connectedPeers: number;
}

/** Current activity of the node with its peers. */
export interface SyncActivity {
  /** Peer with the heaviest chain, if that is heavier than the node's own. */
  readonly best: { readonly address: string; readonly score: bigint } | undefined;
  /** Number of peers whose score is known. */
  readonly scores: number;
  /** Whether a request for block ids is in progress. */
  readonly isRequestingIds: boolean;
  /** Number of blocks that are missing although their ids are known. */
  readonly missingBlocks: number;
  /** Whether the chain is applying blocks of peers. */
  readonly isApplying: boolean;
  /** Blocks in memory for sending again. */
  readonly cachedBlocks: number;
  readonly cachedMicroBlocks: number;
  /** Recent micro-blocks. `bases`: number of blocks that they extend; `awaited`: requested, not yet received. */
  readonly microBlocks: {
    readonly announced: number;
    readonly bases: number;
    readonly awaited: number;
    readonly validated: number;
  };
}

/** Maximum of listed peers, except connected ones: the newest are listed. */
export const MAX_LISTED_PEERS = 1_000;

/** Requests to PeerHub. */
export interface PeersRpc {
  /** Known peers, newest first. */
  known(): Promise<KnownPeer[]>;
  connected(): Promise<ConnectedPeer[]>;
  blacklisted(): Promise<BlacklistedHost[]>;
  suspended(): Promise<Pick<BlacklistedHost, "host" | "timestampMs">[]>;
  /**
   * Starts dialing without waiting for the outcome.
   * @param host a name or an address
   * @returns whether there is such a host
   */
  connect(host: string, port: number): Promise<boolean>;
  /** Blacklists a host, and closes its connections. @returns whether there is such a host */
  blacklist(host: string): Promise<boolean>;
  clearBlacklist(): Promise<void>;
  progress(): Promise<SyncProgress>;
  activity(): Promise<SyncActivity>;
}

/** Requests of the Worker to ChainState, by service: only for the present state, or for work that must be serial. */
export interface ChainRpc {
  readonly pool: PoolRpc;
  readonly node: NodeRpc;
  readonly wallet: WalletRpc;
  readonly owner: OwnerRpc;
  readonly checkpoint: CheckpointRpc;
  /** Service of dev chains only. */
  readonly dev: DevRpc;
  /** Service of forks only. */
  readonly fork: ForkRpc;
}

/** The only method of the object that the Worker calls: all of `ChainRpc` goes through it. */
export interface ChainCallTarget {
  call(part: keyof ChainRpc, method: string, args: readonly unknown[]): Promise<unknown>;
}

/** The only method of PeerHub that the Worker calls. */
export interface PeerCallTarget {
  call(method: keyof PeersRpc, args: readonly unknown[]): Promise<unknown>;
}

/** Variables of a deployment with their meaning. Source of docs/configuration.md. */
export const variables = {
  NETWORK: "`mainnet`, `testnet`, `stagenet`, `private`, or a settings file as JSON text",
  REST_API: "what a settings file has under `waves.rest-api`, as JSON",
  PEERS: "nodes to connect to, `host:port` or `wss://host/p2p`, as `--peers` names them",
  LIGHT: "`on`: light mode, as `--light`; by default what the settings say",
  REQUEST_LOG: "`on`: a line of JSON in the log for each request (docs/observability.md); `off` by default",
} as const satisfies Partial<Record<keyof Env, string>>;

/** Secrets, which are set separately and never shown. */
export const secrets = {
  API_KEY_HASH: "base58 of the secure hash of the API key; without one private routes are shut",
  WALLET_SEED: "base58 of the wallet's seed; without one the node makes no blocks and signs nothing",
} as const;

export interface Env extends Partial<Readonly<Record<keyof typeof secrets, string>>> {
  readonly CHAIN_STATE: DurableObjectNamespace;
  /** Present on a node with peers. */
  readonly PEER_HUB?: DurableObjectNamespace;
  /** Read model: everything that changes with the tip. */
  readonly DB: D1Database;
  /** Read model: final, immutable JSON. */
  readonly FINAL: KVNamespace;
  /** Files of the API docs. */
  readonly ASSETS: Fetcher;
  readonly NETWORK: string;
  /** JSON value, or its text. */
  readonly REST_API?: unknown;
  readonly PEERS?: string;
  readonly LIGHT?: string;
  readonly REQUEST_LOG?: string;
  /** Data set for a record of each request, if the deployment has one. */
  readonly REQUESTS?: AnalyticsEngineDataset;
  /**
   * Set by the local runner at each start: the node imports, mines and follows only once the runner has given
   * permission. The read model then has no copies, and the runner's front server precedes the Worker.
   */
  readonly WAITS_FOR_RUNNER?: string;
  /** Set by the local runner if the runtime listens on a port of the machine: requests need it (`runner-token.ts`). */
  readonly RUNNER_TOKEN?: string;
  /** Set by the local runner: P2P listen address; empty: none. */
  readonly LISTENS?: string;
  /** Set by the local runner: network of the peers, including this machine and its neighbours. */
  readonly PEER_NETWORK?: Fetcher;
  /** JSON (`PeerBridge`): address of the local runner for name lookups and incoming connections. */
  readonly PEER_BRIDGE?: string;
  /** `on`: a dev chain. Only the local runner sets it; a deployment is never one. */
  readonly DEV_CHAIN?: string;
  /** JSON (`ForkSource`): the dev chain is a fork. Only the local runner sets it. */
  readonly FORK?: string;
  /** Access to the fork's source node only. */
  readonly FORK_NODE?: Fetcher;
  /** Version of a deployment: its id changes with each `wrangler deploy`, and with each change of a secret. */
  readonly VERSION?: { readonly id: string };
}

/** Name of the ChainState object: one per network. */
export const CHAIN_STATE_NAME = "chain";
/** Name of the PeerHub object: one per network. */
export const PEER_HUB_NAME = "peers";
/** Path for peers that connect by WebSocket, which `src/index.ts` forwards. */
export const P2P_PATH = "/p2p";
