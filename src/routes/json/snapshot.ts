/**
 * State snapshots as the interface prints them: new absolute values.
 * @source docs/protocol/rest-api.md 3.12; Waves: state/StateSnapshot.scala
 */
import { addressText } from "../../crypto/address.ts";
import { encodeBase58 } from "../../crypto/base58.ts";
import { encodePrefixedBase64 } from "../../crypto/base64.ts";
import { Feature, type FeatureActivation, type FeatureId } from "../../network/features.ts";
import { utf8TextWithReplacements } from "../../protocol/codec/utf8.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Snapshot, SnapshotItem, SnapshotMember } from "../../protocol/snapshots/snapshot.ts";
import type { TransactionSnapshot } from "../../protocol/snapshots/transaction-snapshot.ts";
import { dataEntryJson } from "../../protocol/transactions/data-entry.ts";
import { applicationStatuses } from "./transaction.ts";

/** A list in a response. @template Member member of the state snapshot */
interface ListJson<Member extends SnapshotMember> {
  /** Name in the reference. */
  readonly name: string;
  readonly itemJson: (item: SnapshotItem<Member>, height: number) => JsonObject;
  /** Feature from which on it is printed. */
  readonly since?: FeatureId;
}

/** Lists in the order of the response. */
const lists: { readonly [Member in SnapshotMember]: ListJson<Member> } = {
  balances: {
    name: "balances",
    itemJson: ({ address, asset, balance }) => ({
      address: addressText(address),
      asset: asset && encodeBase58(asset),
      balance,
    }),
  },
  leaseBalances: {
    name: "leaseBalances",
    itemJson: (change) => ({ address: addressText(change.address), in: change.in, out: change.out }),
  },
  assetStatics: {
    name: "assetStatics",
    itemJson: ({ assetId, originTransactionId, issuer, decimals, nft }) => ({
      id: encodeBase58(assetId),
      source: encodeBase58(originTransactionId),
      issuer: encodeBase58(issuer),
      decimals,
      nft,
    }),
  },
  assetVolumes: {
    name: "assetVolumes",
    itemJson: ({ assetId, reissuable, volume }) => ({ id: encodeBase58(assetId), isReissuable: reissuable, volume }),
  },
  assetTexts: {
    name: "assetNamesAndDescriptions",
    itemJson: ({ assetId, name, description }, height) => ({
      id: encodeBase58(assetId),
      name: utf8TextWithReplacements(name),
      description: utf8TextWithReplacements(description),
      lastUpdatedAt: height,
    }),
  },
  assetScripts: {
    name: "assetScripts",
    // The wire form has no complexity; the reference prints its default.
    itemJson: ({ assetId, script, complexity }) => ({
      id: encodeBase58(assetId),
      script: encodePrefixedBase64(script),
      complexity,
    }),
  },
  sponsorships: {
    name: "sponsorships",
    itemJson: ({ assetId, minSponsoredAssetFee }) => ({ id: encodeBase58(assetId), minSponsoredAssetFee }),
  },
  newLeases: {
    name: "newLeases",
    itemJson: ({ leaseId, sender, recipient, amount, originTransactionId }, height) => ({
      id: encodeBase58(leaseId),
      sender: encodeBase58(sender),
      recipient: addressText(recipient),
      amount,
      txId: encodeBase58(originTransactionId),
      height,
    }),
  },
  cancelledLeases: {
    name: "cancelledLeases",
    itemJson: ({ leaseId, cancelTransactionId }, height) => ({
      id: encodeBase58(leaseId),
      txId: cancelTransactionId === undefined ? null : encodeBase58(cancelTransactionId),
      height,
    }),
  },
  aliases: {
    name: "aliases",
    itemJson: ({ address, alias }) => ({ address: addressText(address), alias: alias.name }),
  },
  orderFills: {
    name: "orderFills",
    itemJson: ({ orderId, volume, fee }) => ({ id: encodeBase58(orderId), volume, fee }),
  },
  accountScripts: {
    name: "accountScripts",
    itemJson: ({ publicKey, script, verifierComplexity }) => ({
      publicKey: encodeBase58(publicKey),
      script: script && encodePrefixedBase64(script),
      verifierComplexity,
    }),
  },
  accountData: {
    name: "accountData",
    itemJson: ({ address, entries }) => ({ address: addressText(address), data: entries.map(dataEntryJson) }),
  },
  // Older releases do not have the list: before the feature, responses equal theirs.
  generationCommitments: {
    name: "nextCommittedGenerators",
    itemJson: ({ sender, endorserPublicKey }) => ({
      publicKey: encodeBase58(sender),
      blsPublicKey: encodeBase58(endorserPublicKey),
    }),
    since: Feature.DeterministicFinality,
  },
};

/**
 * @param height height of the transaction's block
 * @param features features of its chain
 */
export function snapshotJson(
  { snapshot, status }: TransactionSnapshot,
  height: number,
  features: FeatureActivation,
): JsonObject {
  const members = Object.keys(lists) as SnapshotMember[];
  return {
    applicationStatus: applicationStatuses[status],
    ...Object.fromEntries(members.flatMap((member) => namedList(member, snapshot, height, features))),
  };
}

/** Name and items; empty if the list is not printed. */
function namedList<Member extends SnapshotMember>(
  member: Member,
  { [member]: items }: Snapshot,
  height: number,
  features: FeatureActivation,
): readonly (readonly [name: string, items: readonly JsonObject[]])[] {
  const list: ListJson<Member> = lists[member];
  if (list.since !== undefined && !features.isActive(list.since, height)) return [];
  return [[list.name, ((items ?? []) as readonly SnapshotItem<Member>[]).map((item) => list.itemJson(item, height))]];
}
