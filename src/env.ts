/**
 * Bindings of the Worker and the calls it makes to the ChainState object. The only place where the stateless side and
 * the object meet.
 */
import type { RemoteFact } from "./network/remote-fact.ts";
import type { JsonObject } from "./protocol/json.ts";
import type { OrderFill } from "./protocol/snapshots/snapshot.ts";
import type { TransactionFault } from "./protocol/transactions/faults.ts";
import type { DataEntry } from "./protocol/transactions/transaction.ts";

/** Answer to a transaction that somebody wants in the pool. `trace`: where it was asked for. */
export type BroadcastAnswer =
  | { readonly accepted: true; readonly isNew: boolean; readonly trace?: readonly JsonObject[] }
  | { readonly accepted: false; readonly fault: TransactionFault; readonly trace?: readonly JsonObject[] };

/**
 * A transaction that somebody wants in the pool. What the Worker has worked out beforehand need not be worked out again by the
 * one object there is; what it leaves out, the object does itself.
 */
export interface PoolOffer {
  /** Protobuf `SignedTransaction`. */
  readonly signedTransaction: Uint8Array;
  readonly id?: Uint8Array;
  /** All that `hasValidSignatures` looks at was found valid. */
  readonly areSignaturesVerified?: boolean;
  readonly isTraced?: boolean;
  /** Host whose budget of refused work its scripts spend; undefined: they are not counted. */
  readonly host?: string;
}

/** A budget of refused work is spent (`src/platform/refused-work.ts`): no script of the transaction was run. */
export interface OfferExceeds {
  readonly accepted: false;
  readonly exceeded: "sender" | "host" | "site" | "network" | "hosts";
  readonly retryAfterMs: number;
}

/** `failed`: something went wrong that is not the transaction's fault. It is not in the pool, and may be offered again. */
export type OfferAnswer = BroadcastAnswer | OfferExceeds | "failed";

/** Transactions that a key block took from the chain, and that come back first. */
export interface ReturnedTransactions {
  /** Of the tip on which they wait. */
  readonly tipId: Uint8Array;
  /** In their order: the transaction, and what it did in wire form. */
  readonly effects: readonly { readonly signedTransaction: Uint8Array; readonly changeSet: Uint8Array }[];
}

/** What the Worker asks of the pool. Transactions travel as protobuf `SignedTransaction` bytes, ids as raw bytes. */
export interface PoolRpc {
  /**
   * Judges transactions one after the other against the tip, and puts those that pass into the UTX pool, with one write.
   * @returns answers to the first of them, at least to one: those behind may be offered again. Their scripts were too costly
   *   to be run at once, while the chain waits
   */
  broadcastAll(offers: PoolOffer[]): Promise<OfferAnswer[]>;
  /**
   * Ids in the order in which the miner would take them, before them those of transactions that left the pool but are not
   * readable yet: an `encodeIdList`.
   */
  unconfirmedIds(): Promise<Uint8Array>;
  /**
   * Transactions of the first ids, as many as do not go beyond the limit, but at least one; undefined for those that are
   * no longer unconfirmed.
   */
  someUnconfirmed(transactionIds: Uint8Array[], limitBytes: number): Promise<(Uint8Array | undefined)[]>;
  unconfirmedCount(): Promise<number>;
  findUnconfirmed(transactionId: Uint8Array): Promise<Uint8Array | undefined>;
  /** Which of the ids wait in the pool (same order, same length). */
  areUnconfirmed(transactionIds: Uint8Array[]): Promise<boolean[]>;
  returned(): Promise<ReturnedTransactions>;
}

/** What ChainState has taken since its isolate began, in the units that Cloudflare charges for. */
export interface ObjectWork {
  /** Calls and alarms. */
  readonly requests: number;
  /** Time in which something was under way; it is charged with 128 MB. */
  readonly activeMs: number;
  /** Of its own database. */
  readonly sqlRowsRead: number;
  /** Each alarm that was set is one of them. */
  readonly sqlRowsWritten: number;
  /** Of publication. */
  readonly d1Batches: number;
  readonly d1RowsRead: number;
  readonly d1RowsWritten: number;
  /** Of final blocks. */
  readonly kvWrites: number;
  /** How many of them failed. */
  readonly kvFaults: number;
}

/** How far the node is. */
export interface NodeStanding {
  readonly height: number;
  /** Timestamp of the tip, ms since the epoch. */
  readonly tipTimestampMs: number;
  /** Its owner has stopped it: it makes no blocks. */
  readonly isStopped: boolean;
  /** How long the oldest change of the chain waits that the read model has not taken; 0 when it has all. */
  readonly unpublishedMs: number;
  /** Transactions in the pool. */
  readonly unconfirmed: number;
  /** Undefined where there is no object. */
  readonly work?: ObjectWork;
}

/** What the Worker asks of the node as a whole. */
export interface NodeRpc {
  /** Makes sure that the node is at work: a deployed object sleeps until somebody calls it. */
  wake(): Promise<void>;
  standing(): Promise<NodeStanding>;
  /** How far orders are filled, which the read model does not know: an entry for each id. */
  orderFills(orderIds: Uint8Array[]): Promise<OrderFill[]>;
}

/** An account of the node's wallet, as everybody may know it. */
export interface WalletAccountFacts {
  readonly address: Uint8Array;
  readonly publicKey: Uint8Array;
}

/**
 * What the Worker asks of the wallet. Private keys stay in ChainState; seeds leave it by the two methods that are named
 * after them, for the two routes that an owner asks.
 */
export interface WalletRpc {
  /** In the order in which they were made; none where the node has no seed. */
  accounts(): Promise<WalletAccountFacts[]>;
  /** Makes the next account. @returns its address; undefined: there is no seed, or no room for more accounts */
  create(): Promise<Uint8Array | undefined>;
  /** @returns whether the wallet had the account */
  delete(address: Uint8Array): Promise<boolean>;
  /** Seed of the wallet. */
  seed(): Promise<Uint8Array | undefined>;
  /** Seed of an account: all that its keys follow from. */
  accountSeed(address: Uint8Array): Promise<Uint8Array | undefined>;
  /**
   * Signs a transaction, and nothing else.
   * @param transaction protobuf `SignedTransaction`, without proofs
   * @returns the signature; undefined: the wallet has no such account
   */
  sign(signer: Uint8Array, transaction: Uint8Array): Promise<Uint8Array | undefined>;
  /** The BLS key with which an account endorses blocks, 48 bytes; undefined: the wallet has no such account. */
  endorserKey(address: Uint8Array): Promise<Uint8Array | undefined>;
  /**
   * What an account commits itself with to generate blocks in a period.
   * @param periodStart first height of the period
   * @returns undefined: the wallet has no such account
   */
  commitment(address: Uint8Array, periodStart: number): Promise<EndorserCommitment | undefined>;
}

export interface EndorserCommitment {
  /** BLS key, 48 bytes. */
  readonly endorserPublicKey: Uint8Array;
  /** Proof that the account has it, 96 bytes. */
  readonly commitmentSignature: Uint8Array;
}

/** What the node is at. */
export interface NodeActivity {
  readonly height: number;
  /** Sum of the weights of all blocks. */
  readonly score: bigint;
  /** `mining blocks`, `disabled`, or `error: ` and why none of its accounts has a turn. */
  readonly minerState: string;
}

/** An account of the wallet that may make the next block. */
export interface MiningAccount {
  readonly address: Uint8Array;
  /** What counts for its turn, wavelets. */
  readonly generatingBalance: bigint;
  /** When it may, at the earliest, ms since the epoch. */
  readonly timestampMs: number;
}

export type RollbackAnswer =
  | { readonly kind: "done"; readonly blockId: Uint8Array }
  | { readonly kind: "noBlock" }
  /** `reason`: a sentence. */
  | { readonly kind: "refused"; readonly reason: string };

/** What the node's owner asks of it. */
export interface OwnerRpc {
  activity(): Promise<NodeActivity>;
  /** None as long as the node makes no blocks. */
  miningAccounts(): Promise<MiningAccount[]>;
  /**
   * Takes the chain back to a height, as an owner's force, and resolves once readers see it. Rejects where the read model does
   * not answer: the chain is back all the same, and readers see it later.
   * @param returnsTransactions whether those of the blocks go back to the pool
   */
  rollBack(height: number, options: { readonly returnsTransactions: boolean }): Promise<RollbackAnswer>;
  /**
   * The node makes no more blocks: until it is started again on a machine of its own, or deployed again.
   * @returns which of the two
   */
  stop(): Promise<"untilStart" | "untilDeployment">;
}

/** How a dev chain is set up. */
export interface DevStatus {
  readonly height: number;
  /** What the chain's clock shows, ms since the epoch. */
  readonly timeMs: number;
  /** Addresses of the accounts whose transactions need no authorization. */
  readonly impersonated: readonly Uint8Array[];
  /** Whether each transaction gets a block at once. */
  readonly automine: boolean;
  /** How long after a block the next one comes by itself, ms by the clock of the wall; null: never. */
  readonly intervalMs: number | null;
  /** The oldest first. */
  readonly snapshots: readonly SnapshotFacts[];
  /** Where a fork comes from: the node behind it, and the last block that both have. */
  readonly fork?: { readonly url: string; readonly height: number };
}

/** A state of the chain that was kept. */
export interface SnapshotFacts {
  readonly name: string;
  /** Of the chain in it. */
  readonly height: number;
}

/** What is not done to a dev chain, and why: a sentence. */
export interface DevRefusal {
  readonly kind: "refused";
  readonly reason: string;
}

export type DevAnswer<Value extends object> = ({ readonly kind: "done" } & Value) | DevRefusal;

/** Where a dev chain stands once readers see what was done. */
export type DevStand = DevAnswer<Pick<DevStatus, "height" | "timeMs">>;

/** The block in which the state is another one, once readers see it. */
export type EditAnswer = DevAnswer<Pick<DevStatus, "height">>;

/** What a dev chain's clock shows, or the timestamp that the next block will have. */
export type DevTime = DevAnswer<Pick<DevStatus, "timeMs">>;

/** Where in a dump a part begins; whoever asks for it hands on what the part before says. */
export interface DumpPlace {
  readonly copy: number;
  readonly table: number;
  readonly upTo?: string;
  /** How many rows stand before it. */
  readonly rows: number;
}

/** Lines, each with its end. `next`: where the next part begins, undefined after the last one. */
export type DumpAnswer = DevAnswer<{ readonly lines: string; readonly next: DumpPlace | undefined }>;

/** The next lines of a dump. `load`: what the answer to the lines before says. */
export interface LoadPart {
  readonly load: number | undefined;
  readonly lines: readonly string[];
  readonly isLast: boolean;
}

/** `load`: there is more to come; undefined: readers see what was loaded. `height`: of the chain with that in its place. */
export type LoadAnswer = DevAnswer<{ readonly load: number | undefined; readonly height: number }>;

/** What the owner of a dev chain asks of it. */
export interface DevRpc {
  status(): Promise<DevStatus>;
  /** Keeps the state as it is. @param name by default a number that none has had */
  snapshot(name: string | undefined): Promise<DevAnswer<SnapshotFacts>>;
  /** Makes the chain what it was, and resolves once readers see it; snapshots that were taken later are forgotten. */
  revert(name: string): Promise<DevStand>;
  /** As a revert to the state before the first transaction of a user. */
  reset(): Promise<DevStand>;
  /** A part of the whole state as it is when the first part is asked for. */
  dump(place: DumpPlace | undefined): Promise<DumpAnswer>;
  /** Takes lines of a dump; with the last ones the chain becomes what they say, and readers see it. */
  load(part: LoadPart): Promise<LoadAnswer>;
  /** From now on, and until it is said otherwise, transactions of the account need no authorization, or need it again. */
  impersonate(address: Uint8Array, isImpersonated: boolean): Promise<DevStatus>;
  /** Sets entries of an account's data; those without a value go. */
  setData(address: Uint8Array, entries: readonly DataEntry[]): Promise<EditAnswer>;
  /**
   * Sets an account's script; null takes it away.
   * @param account its address, or its key where the chain has not seen that yet
   */
  setScript(
    account: { readonly address: Uint8Array } | { readonly publicKey: Uint8Array },
    script: Uint8Array | null,
  ): Promise<EditAnswer>;
  /** Sets a balance of WAVES or of an asset, in its smallest unit. */
  setBalance(address: Uint8Array, assetId: Uint8Array | null, amount: bigint): Promise<EditAnswer>;
  /** Transfers wavelets from the wallet's richest account. @returns id and height of the transfer, once it stands in a block */
  fund(address: Uint8Array, amount: bigint): Promise<DevAnswer<{ readonly id: Uint8Array; readonly height: number }>>;
  /**
   * Makes blocks now, the first of them with what the pool has, and resolves once readers see them.
   * @param intervalMs their timestamps are at least so far apart
   */
  mine(blocks: number, intervalMs: number): Promise<DevStand>;
  /** Changes what is given, and leaves the rest. What waits is mined where each transaction gets a block from now on. */
  choosePace(chosen: Partial<Pick<DevStatus, "automine" | "intervalMs">>): Promise<DevAnswer<DevStatus>>;
  /** Sets the clock, and the timestamp of the next block. Refused for a time before the tip. */
  setTime(timeMs: number): Promise<DevTime>;
  /** Puts the clock forward. */
  increaseTime(byMs: number): Promise<DevTime>;
}

/**
 * What became of asking for facts: all are in the read model; or the node behind the fork did not answer; or no node tells such a
 * thing. `sentence`: which, and why.
 */
export type ForkBrought =
  | { readonly kind: "known" }
  | { readonly kind: "unreachable"; readonly sentence: string }
  | { readonly kind: "untold"; readonly sentence: string };

/** What the Worker asks of a fork. */
export interface ForkRpc {
  /** Brings what is not known yet of the state behind the fork, and resolves once readers see it. */
  bring(facts: RemoteFact[]): Promise<ForkBrought>;
}

/**
 * Which blocks a checkpoint has below those that the rules look back to: `all` that its writer has, since scripts may ask for any, or `none`.
 */
export const checkpointPasts = ["all", "none"] as const;
export type CheckpointPast = (typeof checkpointPasts)[number];

/** What is asked about checkpoints: what is written, part by part, and what is read in. Bytes travel as base64. */
export type CheckpointCall =
  /**
   * The chain stands still from here on, until the last part is written or nobody has asked for one for a minute. `past`: `all`, where
   * nothing is said.
   */
  | { readonly call: "beginExport"; readonly past?: CheckpointPast }
  | { readonly call: "exportPart"; readonly place: CheckpointPlace }
  | { readonly call: "endExport" }
  | { readonly call: "standing" }
  /** Begins to read a checkpoint in, or goes on with it. `isLast`: the texts so far make the whole manifest. */
  | { readonly call: "begin"; readonly manifest: string; readonly isLast: boolean }
  /** A part, or a piece of one. @see begin */
  | { readonly call: "add"; readonly number: number; readonly packed: string; readonly isLast: boolean }
  /** All parts are there: some more of it is verified. */
  | { readonly call: "goOn" }
  /** Nothing stays of what was read in. */
  | { readonly call: "giveUp" };

/** Where in the tables a part begins; whoever asks for it hands on what the part before says. */
export type CheckpointPlace = {
  /** Number of the table among those that are carried. */
  readonly table: number;
  /** Key of the last row before, as JSON. */
  readonly after?: string;
};

/** Of one part: its table, how many rows it has, and the length and the SHA-256 (hex) of their text. */
export type CheckpointPartFacts = {
  readonly table: string;
  readonly rows: number;
  readonly bytes: number;
  readonly digest: string;
};

/** What the calls answer, each what concerns it. */
export type CheckpointReply = {
  /** JSON of what a manifest begins with. */
  readonly head?: string;
  readonly tables?: readonly { readonly name: string; readonly columns: readonly string[] }[];
  readonly part?: CheckpointPartFacts & { readonly packed: string };
  readonly next?: CheckpointPlace;
  /** Of the chain; 0 as long as there is none. */
  readonly height?: number;
  /** Digest of the checkpoint with which the chain began. */
  readonly begunFrom?: string;
  /** Of a checkpoint that is read in: its digest, and the numbers of parts that are not there. */
  readonly loading?: { readonly digest: string; readonly parts: number; readonly missing: readonly number[] };
  /** How far the verification of the whole is, for people; none: it is over. */
  readonly progress?: string;
};

export interface CheckpointRpc {
  call(call: CheckpointCall): Promise<DevAnswer<CheckpointReply>>;
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
  /** Where it says that it can be reached. */
  readonly declaredAddress: string | undefined;
  readonly name: string;
  readonly nonce: bigint;
  readonly applicationName: string;
  /** `major.minor.patch`. */
  readonly applicationVersion: string;
}

/** A host with which this node speaks no more for a while. */
export interface BlacklistedHost {
  readonly host: string;
  /** Since when, ms since the epoch. */
  readonly timestampMs: number;
  readonly reason: string;
}

/** How far the node is behind the best of its peers. */
export interface SyncProgress {
  readonly height: number;
  /** How many blocks the best peer has more, as far as is known; 0: none is ahead. */
  readonly blocksAhead: number;
  readonly connectedPeers: number;
}

/** What the node does with its peers at the moment. */
export interface SyncActivity {
  /** Whose chain is the heaviest, and heavier than ours. */
  readonly best: { readonly address: string; readonly score: bigint } | undefined;
  /** Of how many peers it is known what their chain weighs. */
  readonly scores: number;
  /** Ids of blocks are asked for. */
  readonly asksForIds: boolean;
  /** Blocks whose ids are known and that are not here yet. */
  readonly missingBlocks: number;
  /** The chain is at work on blocks of peers. */
  readonly isApplying: boolean;
  /** Kept to be sent again. */
  readonly keptBlocks: number;
  readonly keptMicroBlocks: number;
  /** Micro-blocks of the last while: `bases`: how many blocks they extend; `awaited`: asked for, and not here. */
  readonly microBlocks: {
    readonly announced: number;
    readonly bases: number;
    readonly awaited: number;
    readonly judged: number;
  };
}

/** Of what is known of other nodes, save for those that are connected: the last so many are told. */
export const MAX_LISTED_PEERS = 1_000;

/** What the Worker asks of PeerHub. */
export interface PeersRpc {
  /** The newest first. */
  known(): Promise<KnownPeer[]>;
  connected(): Promise<ConnectedPeer[]>;
  blacklisted(): Promise<BlacklistedHost[]>;
  suspended(): Promise<Pick<BlacklistedHost, "host" | "timestampMs">[]>;
  /**
   * Begins to dial; what comes of it is not awaited.
   * @param host a name or an address
   * @returns whether there is such a host
   */
  connect(host: string, port: number): Promise<boolean>;
  /** Shuts a host out, and closes its connections. @returns whether there is such a host */
  blacklist(host: string): Promise<boolean>;
  clearBlacklist(): Promise<void>;
  progress(): Promise<SyncProgress>;
  activity(): Promise<SyncActivity>;
}

/** What the Worker may ask of ChainState, by the part that answers: only what concerns the present, or must be serial. */
export interface ChainRpc {
  readonly pool: PoolRpc;
  readonly node: NodeRpc;
  readonly wallet: WalletRpc;
  readonly owner: OwnerRpc;
  readonly checkpoint: CheckpointRpc;
  /** Of a dev chain; no other chain has it. */
  readonly dev: DevRpc;
  /** Of a fork; no other chain has it. */
  readonly fork: ForkRpc;
}

/** The one method of the object that the Worker calls: all of `ChainRpc` goes through it. */
export interface ChainCallTarget {
  call(part: keyof ChainRpc, method: string, args: readonly unknown[]): Promise<unknown>;
}

/** The one method of PeerHub that the Worker calls. */
export interface PeerCallTarget {
  call(method: keyof PeersRpc, args: readonly unknown[]): Promise<unknown>;
}

/** Variables of a deployment, and what they mean. docs/configuration.md is made of these. */
export const variables = {
  NETWORK: "`mainnet`, `testnet`, `stagenet`, `private`, or a settings file as JSON text",
  REST_API: "what a settings file has under `waves.rest-api`, as JSON",
  PEERS: "nodes to connect to, `host:port` or `wss://host/p2p`, as `--peers` names them",
  LIGHT: "`on`: light mode, as `--light`; by default what the settings say",
  REQUEST_LOG: "`on`: a line of JSON in the log for each request (docs/observability.md); `off` by default",
} as const satisfies Partial<Record<keyof Env, string>>;

/** Secrets, which are set apart and never shown. */
export const secrets = {
  API_KEY_HASH: "base58 of the secure hash of the API key; without one private routes are shut",
  WALLET_SEED: "base58 of the wallet's seed; without one the node makes no blocks and signs nothing",
} as const;

export interface Env extends Partial<Readonly<Record<keyof typeof secrets, string>>> {
  readonly CHAIN_STATE: DurableObjectNamespace;
  /** Of a node that has peers. */
  readonly PEER_HUB?: DurableObjectNamespace;
  /** Read model: what changes with the tip. */
  readonly DB: D1Database;
  /** Read model: final, immutable JSON. */
  readonly FINAL: KVNamespace;
  /** The files of the page. */
  readonly ASSETS: Fetcher;
  readonly NETWORK: string;
  /** JSON, or its text. */
  readonly REST_API?: unknown;
  readonly PEERS?: string;
  readonly LIGHT?: string;
  readonly REQUEST_LOG?: string;
  /** Where each request is told of, if the deployment has such a data set. */
  readonly REQUESTS?: AnalyticsEngineDataset;
  /**
   * Set by the local runner, anew at each start: the node imports, mines and follows only once the runner says so. The read model
   * has no copies then, and the runner's own server stands before the Worker.
   */
  readonly WAITS_FOR_RUNNER?: string;
  /** Set by the local runner where the runtime listens on a port of the machine: requests need it (`runner-token.ts`). */
  readonly RUNNER_TOKEN?: string;
  /** Set by the local runner: where it listens for other nodes; empty: nowhere. */
  readonly LISTENS?: string;
  /** Set by the local runner: the network that peers are in, this machine and its neighbours included. */
  readonly PEER_NETWORK?: Fetcher;
  /** JSON (`PeerBridge`): where the local runner is asked for names and for connections that others have made. */
  readonly PEER_BRIDGE?: string;
  /** `on`: a dev chain. Only the local runner sets it; no deployment is one. */
  readonly DEV_CHAIN?: string;
  /** JSON (`ForkSource`): the dev chain is a fork. Only the local runner sets it. */
  readonly FORK?: string;
  /** The node behind the fork, and nothing else. */
  readonly FORK_NODE?: Fetcher;
  /** Of a deployment: its id is another one after each `wrangler deploy`, and after each change of a secret. */
  readonly VERSION?: { readonly id: string };
}

/** One ChainState per network: its object is found by this name. */
export const CHAIN_STATE_NAME = "chain";
/** One PeerHub per network, found by this name. */
export const PEER_HUB_NAME = "peers";
/** Where other nodes connect by WebSocket, as `src/index.ts` hands it on. */
export const P2P_PATH = "/p2p";
