/**
 * The hash chain over change sets: one step for each transaction, and one for the start of a block.
 * @source spec/snapshots-and-state-hash.md 4; Waves: state/TxStateSnapshotHashBuilder.scala
 */
import { bytesKey, compareBytes, concatBytes, equalBytes, i32Bytes, i64Bytes } from "../../crypto/bytes.ts";
import { blake2b256 } from "../../crypto/hash.ts";
import type { Digest } from "../../crypto/identities.ts";
import { utf8Bytes } from "../codec/utf8.ts";
import type {
  DataEntry,
  DataValue,
  GenesisTransaction,
  TransactionId,
  TransactionStatus,
} from "../transactions/transaction.ts";
import { bigIntBytes } from "./big-int-bytes.ts";
import { isEmptySnapshot } from "./merge-snapshots.ts";
import type { Snapshot } from "./snapshot.ts";

/** Where every chain begins: the hash of nothing. */
export const initialStateHash: Digest = blake2b256(new Uint8Array(0));

/** How a transaction ended, and at which height: what its step of the chain needs beside its change set. */
export interface TransactionOutcome {
  readonly height: number;
  readonly transactionId: TransactionId;
  readonly status: TransactionStatus;
}

/** State hash after a transaction with this change set. @param previous state hash before it */
export function stateHashAfterTransaction(previous: Digest, snapshot: Snapshot, outcome: TransactionOutcome): Digest {
  const entries = snapshotEntries(snapshot, outcome.height);
  const statusByte = statusBytes[outcome.status];
  if (statusByte !== undefined) entries.push(concatBytes(outcome.transactionId, statusByte));
  return blake2b256(concatBytes(previous, entriesHash(entries)));
}

/**
 * State hash after the start of a block (rewards, carry fee, penalties, patches): the value that a key block without
 * transactions carries.
 * @param previous state hash of the parent
 * @param initial change set of the block's start; the genesis block has none that counts
 */
export function stateHashAfterBlockStart(previous: Digest, initial: Snapshot, height: number): Digest {
  if (height === 1 || isEmptySnapshot(initial)) return previous;
  return blake2b256(concatBytes(previous, entriesHash(snapshotEntries(initial, height))));
}

/**
 * State hash of the genesis block: a step for each of its transactions with the recipient's balance so far.
 * @source spec/snapshots-and-state-hash.md 4.4
 */
export function genesisStateHash(transactions: readonly GenesisTransaction[]): Digest {
  let hash = initialStateHash;
  const balances = new Map<string, bigint>();
  for (const { recipient, amount } of transactions) {
    const key = bytesKey(recipient);
    const balance = (balances.get(key) ?? 0n) + amount;
    balances.set(key, balance);
    hash = blake2b256(concatBytes(hash, blake2b256(concatBytes(recipient, i64Bytes(balance)))));
  }
  return hash;
}

/**
 * Hash of a set of entries: equal ones count once, order does not matter.
 * @source spec/snapshots-and-state-hash.md 4.2
 */
export function entriesHash(entries: readonly Uint8Array[]): Digest {
  const sorted = entries.toSorted(compareBytes);
  const distinct = sorted.filter((entry, index) => {
    const before = sorted[index - 1];
    return before === undefined || !equalBytes(before, entry);
  });
  return blake2b256(concatBytes(...distinct));
}

const statusBytes: Record<TransactionStatus, Uint8Array | undefined> = {
  succeeded: undefined,
  failed: Uint8Array.of(1),
  elided: Uint8Array.of(2),
};
const yes = Uint8Array.of(1);
const no = Uint8Array.of(0);
const flag = (value: boolean): Uint8Array => (value ? yes : no);

/**
 * One byte string for each change, without tags or separators: that some kinds could be mistaken for others is part of
 * the format.
 * @param height of the block: the height of a change of an asset's name
 * @source spec/snapshots-and-state-hash.md 4.1
 */
export function snapshotEntries(snapshot: Snapshot, height: number): Uint8Array[] {
  const entries: Uint8Array[] = [];
  const add = (...parts: readonly Uint8Array[]) => entries.push(concatBytes(...parts));
  for (const { address, asset, balance } of snapshot.balances ?? []) {
    if (asset === null) add(address, i64Bytes(balance));
    else add(address, asset, i64Bytes(balance));
  }
  for (const change of snapshot.leaseBalances ?? []) {
    add(change.address, i64Bytes(change.in), i64Bytes(change.out));
  }
  for (const { leaseId, sender, recipient, amount } of snapshot.newLeases ?? []) {
    add(leaseId, yes);
    add(leaseId, sender, recipient, i64Bytes(amount));
  }
  for (const { leaseId } of snapshot.cancelledLeases ?? []) add(leaseId, no);
  for (const { assetId, issuer, decimals, nft } of snapshot.assetStatics ?? []) {
    add(assetId, issuer, Uint8Array.of(decimals), flag(nft));
  }
  for (const { assetId, reissuable, volume } of snapshot.assetVolumes ?? []) {
    add(assetId, flag(reissuable), bigIntBytes(volume));
  }
  for (const { assetId, name, description } of snapshot.assetTexts ?? []) {
    add(assetId, name, description, i32Bytes(height));
  }
  for (const { assetId, script } of snapshot.assetScripts ?? []) add(assetId, script);
  for (const { address, alias } of snapshot.aliases ?? []) add(address, utf8Bytes(alias.name));
  for (const { orderId, volume, fee } of snapshot.orderFills ?? []) add(orderId, i64Bytes(volume), i64Bytes(fee));
  for (const { publicKey, script, verifierComplexity } of snapshot.accountScripts ?? []) {
    if (script === null) add(publicKey);
    else add(publicKey, script, i64Bytes(verifierComplexity));
  }
  for (const { address, entries: data } of snapshot.accountData ?? []) {
    for (const entry of data) add(address, dataEntryBytes(entry));
  }
  for (const { assetId, minSponsoredAssetFee } of snapshot.sponsorships ?? []) {
    add(assetId, i64Bytes(minSponsoredAssetFee));
  }
  for (const { sender, endorserPublicKey } of snapshot.generationCommitments ?? []) add(sender, endorserPublicKey);
  return entries;
}

/** Key and value of a data entry as both state hashes read them. @source spec/snapshots-and-state-hash.md 4.1 */
export function dataEntryBytes({ key, value }: DataEntry): Uint8Array {
  return concatBytes(utf8Bytes(key), dataValueBytes(value));
}

/** @see dataEntryBytes */
export function dataValueBytes(value: DataValue): Uint8Array {
  switch (value?.type) {
    case undefined:
      return Uint8Array.of(0xff);
    case "integer":
      return concatBytes(Uint8Array.of(0), i64Bytes(value.value));
    case "boolean":
      return Uint8Array.of(1, value.value ? 1 : 0);
    case "binary":
      return withLength(2, value.value);
    case "string":
      return withLength(3, utf8Bytes(value.value));
  }
}

function withLength(tag: number, content: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(tag, content.length >>> 8, content.length), content);
}
