/**
 * Hash chain over state snapshots: one step for each transaction, and one for the start of a block.
 * @source docs/protocol/snapshots-and-state-hash.md 4; Waves: state/TxStateSnapshotHashBuilder.scala
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
import { flatMapItems, type ItemTable } from "./item-table.ts";
import { isEmptySnapshot } from "./merge-snapshots.ts";
import type { Snapshot } from "./snapshot.ts";

/** Start of every chain: the hash of no bytes. */
export const initialStateHash: Digest = blake2b256(new Uint8Array(0));

/** Result and height of a transaction: input of its step in addition to the state snapshot. */
export interface TransactionResult {
  readonly height: number;
  readonly transactionId: TransactionId;
  readonly status: TransactionStatus;
}

/** State hash after a transaction with this state snapshot. @param previous state hash before it */
export function stateHashAfterTransaction(previous: Digest, snapshot: Snapshot, result: TransactionResult): Digest {
  const entries = snapshotEntries(snapshot, result.height);
  const statusByte = statusBytes[result.status];
  if (statusByte !== undefined) entries.push(concatBytes(result.transactionId, statusByte));
  return blake2b256(concatBytes(previous, entriesHash(entries)));
}

/**
 * State hash after the start of a block (rewards, carry fee, penalties, patches): the state hash of a key block without
 * transactions.
 * @param previous state hash of the parent
 * @param initial state snapshot of the block's start; ignored for the genesis block
 */
export function stateHashAfterBlockStart(previous: Digest, initial: Snapshot, height: number): Digest {
  if (height === 1 || isEmptySnapshot(initial)) return previous;
  return blake2b256(concatBytes(previous, entriesHash(snapshotEntries(initial, height))));
}

/**
 * State hash of the genesis block: a step for each of its transactions with the recipient's balance so far.
 * @source docs/protocol/snapshots-and-state-hash.md 4.4
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
 * Hash of a set of entries: duplicates count once, the order does not matter.
 * @source docs/protocol/snapshots-and-state-hash.md 4.2
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

const one = (...parts: readonly Uint8Array[]): readonly Uint8Array[] => [concatBytes(...parts)];

/** Hashed entries of an item, mostly one. The height of the block is hashed only in changes of an asset's name. */
const entriesOf: ItemTable<readonly Uint8Array[], [height: number]> = {
  balances: ({ address, asset, balance }) =>
    asset === null ? one(address, i64Bytes(balance)) : one(address, asset, i64Bytes(balance)),
  leaseBalances: (change) => one(change.address, i64Bytes(change.in), i64Bytes(change.out)),
  newLeases: ({ leaseId, sender, recipient, amount }) => [
    concatBytes(leaseId, yes),
    concatBytes(leaseId, sender, recipient, i64Bytes(amount)),
  ],
  cancelledLeases: ({ leaseId }) => one(leaseId, no),
  assetStatics: ({ assetId, issuer, decimals, nft }) => one(assetId, issuer, Uint8Array.of(decimals), flag(nft)),
  assetVolumes: ({ assetId, reissuable, volume }) => one(assetId, flag(reissuable), bigIntBytes(volume)),
  assetTexts: ({ assetId, name, description }, height) => one(assetId, name, description, i32Bytes(height)),
  assetScripts: ({ assetId, script }) => one(assetId, script),
  aliases: ({ address, alias }) => one(address, utf8Bytes(alias.name)),
  orderFills: ({ orderId, volume, fee }) => one(orderId, i64Bytes(volume), i64Bytes(fee)),
  accountScripts: ({ publicKey, script, verifierComplexity }) =>
    script === null ? one(publicKey) : one(publicKey, script, i64Bytes(verifierComplexity)),
  accountData: ({ address, entries }) => entries.map((entry) => concatBytes(address, dataEntryBytes(entry))),
  sponsorships: ({ assetId, minSponsoredAssetFee }) => one(assetId, i64Bytes(minSponsoredAssetFee)),
  generationCommitments: ({ sender, endorserPublicKey }) => one(sender, endorserPublicKey),
};

/**
 * One byte string for each change, without tags or separators: the ambiguity between some kinds is part of the format.
 * @param height of the block
 * @source docs/protocol/snapshots-and-state-hash.md 4.1
 */
export function snapshotEntries(snapshot: Snapshot, height: number): Uint8Array[] {
  return flatMapItems(snapshot, entriesOf, height);
}

/**
 * Key and value of a data entry as both state hashes encode them.
 * @source docs/protocol/snapshots-and-state-hash.md 4.1
 */
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
