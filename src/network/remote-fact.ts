/**
 * What a fork may have to ask of the node behind it: a part of the other network's state that one question of the interface
 * tells whole. Either all of its rows are in the tables, or nothing is said of it.
 */
import { addressText } from "../crypto/address.ts";
import { encodeBase58 } from "../crypto/base58.ts";
import { encodeHex } from "../crypto/hex.ts";
import type { Address } from "../crypto/identities.ts";

/** What there is to know, by kind; `of` and `item` are said with each. */
export const remoteFactKinds = [
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
  /** Who owns a name. */
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
  /** A header, so many (`item`) blocks below the block with an id. */
  "ancestor",
  /** The header of the highest block that is not younger than a time, ms. */
  "time",
  /** The transactions of the block at a height, or of the `tip`: of blocks of the fork's own. */
  "body",
  /** The same, by the block's id. */
  "bodyOf",
  /** What only a node says of a transaction that has its block: of transactions of the fork's own. */
  "ownTransaction",
  /** All transactions of an account. */
  "transactions",
  /** All holders of an asset: of one that was issued on the fork. */
  "holders",
  /** An asset by its Ethereum address, in hexadecimal: once it is known. */
  "token",
  /** What every account had after the block of a height: only from the fork's on. */
  "stateAt",
  /** What no node tells over its interface; `of` is a sentence for whoever asks. */
  "untold",
] as const;
export type RemoteFactKind = (typeof remoteFactKinds)[number];

/** Addresses, ids and keys as the interface writes them. */
export interface RemoteFact {
  readonly kind: RemoteFactKind;
  readonly of: string;
  readonly item?: string;
}

/** No two facts have the same name. */
export function factName({ kind, of, item }: RemoteFact): string {
  return item === undefined ? `${kind} ${of}` : `${kind} ${of} ${item}`;
}

/** A fact about an account. */
export function ofAccount(
  kind: "account" | "script" | "holdings" | "nfts" | "entries" | "dataOwner" | "aliases" | "leases" | "transactions",
  address: Address,
): RemoteFact {
  return { kind, of: addressText(address) };
}

export function balanceFact(address: Address, asset: Uint8Array): RemoteFact {
  return { kind: "balance", of: addressText(address), item: encodeBase58(asset) };
}

export function entryFact(address: Address, key: string): RemoteFact {
  return { kind: "entry", of: addressText(address), item: key };
}

/** A fact about what has an id. */
export function ofId(
  kind: "asset" | "holders" | "lease" | "transaction" | "ownTransaction" | "block" | "bodyOf",
  id: Uint8Array,
): RemoteFact {
  return { kind, of: encodeBase58(id) };
}

export function aliasFact(name: string): RemoteFact {
  return { kind: "alias", of: name };
}

export function headerFact(height: number): RemoteFact {
  return { kind: "header", of: String(height) };
}

export function ancestorFact(blockId: Uint8Array, blocks: number): RemoteFact {
  return { kind: "ancestor", of: encodeBase58(blockId), item: String(blocks) };
}

export function timeFact(timestampMs: bigint): RemoteFact {
  return { kind: "time", of: String(timestampMs) };
}

export function bodyFact(height: number | "tip"): RemoteFact {
  return { kind: "body", of: String(height) };
}

/** @param token the first 20 bytes of the asset's id */
export function tokenFact(token: Uint8Array): RemoteFact {
  return { kind: "token", of: encodeHex(token) };
}

export function stateAtFact(height: number): RemoteFact {
  return { kind: "stateAt", of: String(height) };
}

/** @param sentence says what cannot be told, and why */
export function untold(sentence: string): RemoteFact {
  return { kind: "untold", of: sentence };
}
