/**
 * Wire form of a state snapshot: protobuf `waves.TransactionStateSnapshot`. The order of elements is preserved.
 * @source docs/protocol/snapshots-and-state-hash.md 2; Waves: protobuf/PBSnapshots.scala;
 * waves/transaction_state_snapshot.proto
 */
import type { PublicKey } from "../../crypto/identities.ts";
import {
  decodeMessage,
  encodeMessage,
  type MessageOf,
  message,
  optional,
  repeated,
  scalar,
} from "../codec/protobuf.ts";
import { utf8Bytes, utf8TextWithReplacements } from "../codec/utf8.ts";
import { dataEntryMessage, dataEntryOf, messageOfDataEntry } from "../transactions/data-entry.ts";
import {
  addressOfBytes,
  amountMessage,
  amountOf,
  assetIdOfBytes,
  assetOfBytes,
  reachedAddressOfBytes,
  refuseField,
  scriptBytes,
  scriptOfBytes,
  sizedBytes,
} from "../transactions/message-fields.ts";
import type { OrderId } from "../transactions/order.ts";
import type { LeaseId, TransactionId, TransactionStatus } from "../transactions/transaction.ts";
import { bigIntBytes, bigIntOfBytes } from "./big-int-bytes.ts";
import type { Snapshot, SnapshotMember } from "./snapshot.ts";

/** A state snapshot with the status of its transaction. */
export interface TransactionSnapshot {
  readonly snapshot: Snapshot;
  readonly status: TransactionStatus;
}

/** Values that the wire form omits, from the transaction of the state snapshot. */
export interface SnapshotContext {
  readonly transactionId: TransactionId;
  readonly chainId: number;
}

/** Sizes in bytes. */
const digestSize = 32;
const publicKeySize = 32;
const endorserPublicKeySize = 48;
/**
 * Maximum size of a volume. The largest has 9 bytes: an issue of 2^63 - 1 and reissues without the check for overflow.
 */
const maxVolumeSize = 16;

const transactionStatuses = ["succeeded", "failed", "elided"] as const satisfies readonly TransactionStatus[];
/**
 * Status of numbers that the schema does not name, as in the reference.
 * @source Waves: state/TxMeta.scala (Status.fromProtobuf)
 */
const otherStatus: TransactionStatus = "elided";

const snapshotMessageType = message("snapshot", {
  balances: repeated(1, message("balance", { address: scalar(1, "bytes"), amount: optional(2, amountMessage) })),
  leaseBalances: repeated(
    2,
    message("leaseBalance", { address: scalar(1, "bytes"), in: scalar(2, "int64"), out: scalar(3, "int64") }),
  ),
  newLeases: repeated(
    3,
    message("newLease", {
      leaseId: scalar(1, "bytes"),
      sender: scalar(2, "bytes"),
      recipient: scalar(3, "bytes"),
      amount: scalar(4, "int64"),
    }),
  ),
  cancelledLeases: repeated(4, message("cancelledLease", { leaseId: scalar(1, "bytes") })),
  assetStatics: repeated(
    5,
    message("assetStatic", {
      assetId: scalar(1, "bytes"),
      issuer: scalar(2, "bytes"),
      decimals: scalar(3, "int32"),
      nft: scalar(4, "bool"),
    }),
  ),
  assetVolumes: repeated(
    6,
    message("assetVolume", { assetId: scalar(1, "bytes"), reissuable: scalar(2, "bool"), volume: scalar(3, "bytes") }),
  ),
  assetTexts: repeated(
    7,
    message("assetText", { assetId: scalar(1, "bytes"), name: scalar(2, "string"), description: scalar(3, "string") }),
  ),
  assetScript: optional(8, message("assetScript", { assetId: scalar(1, "bytes"), script: scalar(2, "bytes") })),
  alias: optional(9, message("alias", { address: scalar(1, "bytes"), name: scalar(2, "string") })),
  orderFills: repeated(
    10,
    message("orderFill", { orderId: scalar(1, "bytes"), volume: scalar(2, "int64"), fee: scalar(3, "int64") }),
  ),
  accountScript: optional(
    11,
    message("accountScript", {
      publicKey: scalar(1, "bytes"),
      script: scalar(2, "bytes"),
      verifierComplexity: scalar(3, "int64"),
    }),
  ),
  accountData: repeated(
    12,
    message("accountData", { address: scalar(1, "bytes"), entries: repeated(2, dataEntryMessage) }),
  ),
  sponsorships: repeated(
    13,
    message("sponsorship", { assetId: scalar(1, "bytes"), minSponsoredAssetFee: scalar(2, "int64") }),
  ),
  status: scalar(14, "enum"),
  generationCommitment: optional(
    15,
    message("generationCommitment", { sender: scalar(1, "bytes"), endorserPublicKey: scalar(2, "bytes") }),
  ),
});
type SnapshotMessage = MessageOf<typeof snapshotMessageType>;

/** Members of which the message has at most one item. */
interface SingleFields {
  readonly assetScripts: "assetScript";
  readonly aliases: "alias";
  readonly accountScripts: "accountScript";
  readonly generationCommitments: "generationCommitment";
}

/**
 * Parses the state snapshot of one transaction. Empty lists are omitted. The wire form has no complexity of an asset
 * script: it is 0.
 * @throws WireError
 */
export function parseTransactionSnapshot(bytes: Uint8Array, context: SnapshotContext): TransactionSnapshot {
  const wire = decodeMessage(snapshotMessageType, bytes);
  return { snapshot: snapshotOfMessage(wire, context), status: transactionStatuses[wire.status] ?? otherStatus };
}

/**
 * Encodes a state snapshot. The message has room for one alias, account script, asset script and commitment: only the
 * first of each is written.
 */
export function encodeTransactionSnapshot({ snapshot, status }: TransactionSnapshot): Uint8Array {
  const fields: FieldsOfMembers = {
    balances: map(snapshot.balances, ({ address, asset, balance }) => ({
      address,
      amount: amountOf(asset, balance),
    })),
    leaseBalances: snapshot.leaseBalances ?? [],
    newLeases: snapshot.newLeases ?? [],
    cancelledLeases: snapshot.cancelledLeases ?? [],
    assetStatics: snapshot.assetStatics ?? [],
    assetVolumes: map(snapshot.assetVolumes, (change) => ({ ...change, volume: bigIntBytes(change.volume) })),
    assetTexts: map(snapshot.assetTexts, ({ assetId, name, description }) => ({
      assetId,
      name: utf8TextWithReplacements(name),
      description: utf8TextWithReplacements(description),
    })),
    assetScripts: snapshot.assetScripts ?? [],
    aliases: map(snapshot.aliases, ({ address, alias }) => ({ address, name: alias.name })),
    orderFills: snapshot.orderFills ?? [],
    accountScripts: map(snapshot.accountScripts, (change) => ({ ...change, script: scriptBytes(change.script) })),
    accountData: map(snapshot.accountData, ({ address, entries }) => ({
      address,
      entries: entries.map(messageOfDataEntry),
    })),
    sponsorships: snapshot.sponsorships ?? [],
    generationCommitments: snapshot.generationCommitments ?? [],
  };
  const { assetScripts, aliases, accountScripts, generationCommitments, ...lists } = fields;
  return encodeMessage(snapshotMessageType, {
    ...lists,
    assetScript: assetScripts[0],
    alias: aliases[0],
    accountScript: accountScripts[0],
    status: transactionStatuses.indexOf(status),
    generationCommitment: generationCommitments[0],
  });
}

/** Field of each member; a list even if the message has room for only one item. */
type FieldsOfMembers = {
  readonly [Member in SnapshotMember]: Member extends keyof SnapshotMessage
    ? SnapshotMessage[Member]
    : readonly NonNullable<SnapshotMessage[SingleFields[Member & keyof SingleFields]]>[];
};

function snapshotOfMessage(wire: SnapshotMessage, { transactionId, chainId }: SnapshotContext): Snapshot {
  const { assetScript, alias, accountScript, generationCommitment } = wire;
  const lists: { [Name in keyof Snapshot]-?: NonNullable<Snapshot[Name]> } = {
    balances: wire.balances.map(({ address, amount }) => ({
      address: reachedAddressOfBytes("snapshot.balances.address", address, chainId),
      asset: amount === undefined ? null : assetOfBytes("snapshot.balances.assetId", amount.assetId),
      balance: amount?.amount ?? 0n,
    })),
    leaseBalances: wire.leaseBalances.map((change) => ({
      ...change,
      address: reachedAddressOfBytes("snapshot.leaseBalances.address", change.address, chainId),
    })),
    newLeases: wire.newLeases.map(({ leaseId, sender, recipient, amount }) => ({
      leaseId: sizedBytes<LeaseId>("snapshot.newLeases.leaseId", leaseId, digestSize),
      sender: sizedBytes<PublicKey>("snapshot.newLeases.sender", sender, publicKeySize),
      recipient: reachedAddressOfBytes("snapshot.newLeases.recipient", recipient, chainId),
      amount,
      originTransactionId: transactionId,
    })),
    cancelledLeases: wire.cancelledLeases.map(({ leaseId }) => ({
      leaseId: sizedBytes<LeaseId>("snapshot.cancelledLeases.leaseId", leaseId, digestSize),
      cancelTransactionId: transactionId,
    })),
    assetStatics: wire.assetStatics.map(({ assetId, issuer, decimals, nft }) => ({
      assetId: assetIdOfBytes("snapshot.assetStatics.assetId", assetId),
      issuer: sizedBytes<PublicKey>("snapshot.assetStatics.issuer", issuer, publicKeySize),
      decimals,
      nft,
      originTransactionId: transactionId,
    })),
    assetVolumes: wire.assetVolumes.map(({ assetId, reissuable, volume }) => ({
      assetId: assetIdOfBytes("snapshot.assetVolumes.assetId", assetId),
      reissuable,
      volume: volumeOf(volume),
    })),
    assetTexts: wire.assetTexts.map(({ assetId, name, description }) => ({
      assetId: assetIdOfBytes("snapshot.assetTexts.assetId", assetId),
      name: utf8Bytes(name),
      description: utf8Bytes(description),
    })),
    assetScripts: one(assetScript, ({ assetId, script }) => ({
      assetId: assetIdOfBytes("snapshot.assetScripts.assetId", assetId),
      script: scriptOfBytes(script) ?? refuseField("snapshot.assetScripts.script", "empty"),
      complexity: 0n,
    })),
    aliases: one(alias, ({ address, name }) => ({
      address: addressOfBytes("snapshot.aliases.address", address, chainId),
      alias: { chainId, name },
    })),
    orderFills: wire.orderFills.map(({ orderId, volume, fee }) => ({
      orderId: sizedBytes<OrderId>("snapshot.orderFills.orderId", orderId, digestSize),
      volume,
      fee,
    })),
    accountScripts: one(accountScript, ({ publicKey, script, verifierComplexity }) => ({
      publicKey: sizedBytes<PublicKey>("snapshot.accountScripts.publicKey", publicKey, publicKeySize),
      script: scriptOfBytes(script),
      verifierComplexity,
    })),
    accountData: wire.accountData.map(({ address, entries }) => ({
      address: addressOfBytes("snapshot.accountData.address", address, chainId),
      entries: entries.map(dataEntryOf),
    })),
    sponsorships: wire.sponsorships.map(({ assetId, minSponsoredAssetFee }) => ({
      assetId: assetIdOfBytes("snapshot.sponsorships.assetId", assetId),
      minSponsoredAssetFee,
    })),
    generationCommitments: one(generationCommitment, ({ sender, endorserPublicKey }) => ({
      sender: sizedBytes<PublicKey>("snapshot.generationCommitments.sender", sender, publicKeySize),
      endorserPublicKey: sizedBytes(
        "snapshot.generationCommitments.endorserPublicKey",
        endorserPublicKey,
        endorserPublicKeySize,
      ),
      transactionId,
    })),
  };
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
}

function volumeOf(bytes: Uint8Array): bigint {
  if (bytes.length > 0 && bytes.length <= maxVolumeSize) return bigIntOfBytes(bytes);
  return refuseField("snapshot.assetVolumes.volume", `1 to ${maxVolumeSize} bytes expected, got ${bytes.length}`);
}

function map<Item, Mapped>(list: readonly Item[] | undefined, mapItem: (item: Item) => Mapped): readonly Mapped[] {
  return list === undefined ? [] : list.map(mapItem);
}

function one<Item, Mapped>(item: Item | undefined, mapItem: (item: Item) => Mapped): readonly Mapped[] {
  return item === undefined ? [] : [mapItem(item)];
}
