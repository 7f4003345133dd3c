/**
 * Remote state keys: items of the remote network's state that a fork may fetch. One request of the REST API returns an
 * item completely. The tables have either all of its rows, or it counts as unknown.
 */
import { addressText } from "../crypto/address.ts";
import { encodeBase58 } from "../crypto/base58.ts";
import { encodeHex } from "../crypto/hex.ts";
import type { Address } from "../crypto/identities.ts";

/** Kinds of items; `of` and `item` are the key's values. */
export const remoteStateKinds = [
  /** WAVES and leases of an account. */
  "account",
  /** Script of an account. */
  "script",
  /** Balance of an account in the asset `item`. */
  "balance",
  /** All fungible assets of an account. */
  "holdings",
  /** All NFTs of an account. */
  "nfts",
  /** Entry of an account with the key `item`. */
  "entry",
  /** All entries of an account. */
  "entries",
  /** Whether an account ever had an entry. */
  "dataOwner",
  /** An asset, with the transaction that made it. */
  "asset",
  /** Owner of a name. */
  "alias",
  /** All names of an account. */
  "aliases",
  /** A lease. */
  "lease",
  /** All active leases of an account. */
  "leases",
  /** A transaction by id. */
  "transaction",
  /** A header, by height. */
  "header",
  /** A header, by the block's id. */
  "block",
  /** A header, by the id of a later block and the distance in blocks (`item`). */
  "ancestor",
  /** The header of the highest block that is not after a time, ms. */
  "time",
  /** The transactions of the block at a height, or of the `tip`: only for blocks of the fork itself. */
  "body",
  /** The transactions of a block, by its id. */
  "bodyOf",
  /** Data that only a node with the transaction's block has: only for transactions of the fork itself. */
  "ownTransaction",
  /** All transactions of an account. */
  "transactions",
  /** All holders of an asset: only of one that was issued on the fork. */
  "holders",
  /** An asset by its Ethereum address, in hexadecimal: only once the asset is known. */
  "token",
  /** Balances of all accounts after the block of a height: only from the fork's height on. */
  "stateAt",
  /** State that no node reports over its REST API; `of` is a message for the client. */
  "untold",
] as const;
export type RemoteStateKind = (typeof remoteStateKinds)[number];

/** Key of an item. Addresses, ids and keys as the REST API writes them. */
export interface RemoteStateKey {
  readonly kind: RemoteStateKind;
  readonly of: string;
  readonly item?: string;
}

/** Name of a key; unique. */
export function remoteStateKeyName({ kind, of, item }: RemoteStateKey): string {
  return item === undefined ? `${kind} ${of}` : `${kind} ${of} ${item}`;
}

/** Key of an account's item. */
export function accountStateKey(
  kind: "account" | "script" | "holdings" | "nfts" | "entries" | "dataOwner" | "aliases" | "leases" | "transactions",
  address: Address,
): RemoteStateKey {
  return { kind, of: addressText(address) };
}

export function balanceStateKey(address: Address, asset: Uint8Array): RemoteStateKey {
  return { kind: "balance", of: addressText(address), item: encodeBase58(asset) };
}

export function entryStateKey(address: Address, key: string): RemoteStateKey {
  return { kind: "entry", of: addressText(address), item: key };
}

/** Key of an item that has an id. */
export function idStateKey(
  kind: "asset" | "holders" | "lease" | "transaction" | "ownTransaction" | "block" | "bodyOf",
  id: Uint8Array,
): RemoteStateKey {
  return { kind, of: encodeBase58(id) };
}

export function aliasStateKey(name: string): RemoteStateKey {
  return { kind: "alias", of: name };
}

export function headerStateKey(height: number): RemoteStateKey {
  return { kind: "header", of: String(height) };
}

export function ancestorStateKey(blockId: Uint8Array, blocks: number): RemoteStateKey {
  return { kind: "ancestor", of: encodeBase58(blockId), item: String(blocks) };
}

export function timeStateKey(timestampMs: bigint): RemoteStateKey {
  return { kind: "time", of: String(timestampMs) };
}

export function bodyStateKey(height: number | "tip"): RemoteStateKey {
  return { kind: "body", of: String(height) };
}

/** @param token the first 20 bytes of the asset's id */
export function tokenStateKey(token: Uint8Array): RemoteStateKey {
  return { kind: "token", of: encodeHex(token) };
}

export function heightStateKey(height: number): RemoteStateKey {
  return { kind: "stateAt", of: String(height) };
}

/** @param message says what is unsupported, and why */
export function unsupportedStateKey(message: string): RemoteStateKey {
  return { kind: "untold", of: message };
}
