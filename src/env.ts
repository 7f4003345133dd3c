/**
 * Bindings of the Worker and the calls it makes to the ChainState object. The only place where the stateless side and
 * the object meet.
 */
import type { JsonObject } from "./protocol/json.ts";
import type { OrderFill } from "./protocol/snapshots/snapshot.ts";
import type { TransactionFault } from "./protocol/transactions/faults.ts";

/** Answer to a transaction that somebody wants in the pool. `trace`: where it was asked for. */
export type BroadcastAnswer =
  | { readonly accepted: true; readonly isNew: boolean; readonly trace?: readonly JsonObject[] }
  | { readonly accepted: false; readonly fault: TransactionFault; readonly trace?: readonly JsonObject[] };

/** What the Worker asks of the pool. Transactions travel as protobuf `SignedTransaction` bytes, ids as raw bytes. */
export interface PoolRpc {
  /** Validates the transaction against the tip and puts it into the UTX pool. */
  broadcast(signedTransaction: Uint8Array, options?: { readonly isTraced: boolean }): Promise<BroadcastAnswer>;
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
}

/** How far the node is. */
export interface NodeStanding {
  readonly height: number;
  /** Timestamp of the tip, ms since the epoch. */
  readonly tipTimestampMs: number;
}

/** What the Worker asks of the node as a whole. */
export interface NodeRpc {
  /** Makes sure that the node is at work: a deployed object sleeps until somebody calls it. */
  wake(): Promise<void>;
  standing(): Promise<NodeStanding>;
  /** How far orders are filled, which the read model does not know: an entry for each id. */
  orderFills(orderIds: Uint8Array[]): Promise<OrderFill[]>;
}

/** What the Worker may ask of ChainState, by the part that answers: only what concerns the present, or must be serial. */
export interface ChainRpc {
  readonly pool: PoolRpc;
  readonly node: NodeRpc;
}

/** The one method of the object that the Worker calls: all of `ChainRpc` goes through it. */
export interface ChainCallTarget {
  call(part: keyof ChainRpc, method: string, args: readonly unknown[]): Promise<unknown>;
}

/** Variables of a deployment, and what they mean. docs/configuration.md is made of these. */
export const variables = {
  NETWORK: "`mainnet`, `testnet`, `stagenet`, `private`, or a settings file as JSON text",
  REST_API: "what a settings file has under `waves.rest-api`, as JSON",
} as const satisfies Partial<Record<keyof Env, string>>;

/** Secrets, which are set apart and never shown. */
export const secrets = {
  API_KEY_HASH: "base58 of the secure hash of the API key; without one private routes are shut",
  WALLET_SEED: "base58 of the wallet's seed; without one the node makes no blocks and signs nothing",
} as const;

export interface Env extends Partial<Readonly<Record<keyof typeof secrets, string>>> {
  readonly CHAIN_STATE: DurableObjectNamespace;
  /** Read model: what changes with the tip. */
  readonly DB: D1Database;
  /** Read model: final, immutable JSON. */
  readonly FINAL: KVNamespace;
  /** The files of the page. */
  readonly ASSETS: Fetcher;
  readonly NETWORK: string;
  /** JSON, or its text. */
  readonly REST_API?: unknown;
  /** Set by the local runner, anew at each start: the node imports, mines and follows only once the runner says so. */
  readonly WAITS_FOR_RUNNER?: string;
}

/** One ChainState per network: its object is found by this name. */
export const CHAIN_STATE_NAME = "chain";
