/** Compares two state snapshots of a transaction as sets: value by value, in any order. */
import { addressText } from "../../src/crypto/address.ts";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import type { ItemTable } from "../../src/protocol/snapshots/item-table.ts";
import type { Snapshot, SnapshotItem, SnapshotMember } from "../../src/protocol/snapshots/snapshot.ts";
import type { TransactionSnapshot } from "../../src/protocol/snapshots/transaction-snapshot.ts";
import type { Asset } from "../../src/protocol/transactions/asset.ts";

export interface FieldDifference {
  /** Name of the list and key of the value: `balances 3M… WAVES`. */
  readonly field: string;
  readonly expected: string;
  readonly got: string;
}

const nothing = "nothing";

/** All values that only one of them has, or that differ. */
export function snapshotDifferences(expected: TransactionSnapshot, got: TransactionSnapshot): FieldDifference[] {
  const left = valuesOf(expected);
  const right = valuesOf(got);
  const fields = new Set([...left.keys(), ...right.keys()]);
  return [...fields].flatMap((field) => {
    const difference = { field, expected: left.get(field) ?? nothing, got: right.get(field) ?? nothing };
    return difference.expected === difference.got ? [] : [difference];
  });
}

const assetText = (asset: Asset): string => (asset === null ? "WAVES" : encodeBase58(asset));

/** Key and value within the list. */
type Keyed = readonly [key: string, value: unknown];
const one = (key: string, value: unknown): readonly Keyed[] => [[key, value]];

/** The index of an asset among those issued is compared; members that the wire form leaves out are not. */
const valuesOfItems: ItemTable<readonly Keyed[], [index: number]> = {
  balances: ({ address, asset, balance }) => one(`${addressText(address)} ${assetText(asset)}`, balance),
  leaseBalances: ({ address, ...lease }) => one(addressText(address), lease),
  newLeases: ({ leaseId, originTransactionId: _, ...lease }) => one(encodeBase58(leaseId), lease),
  cancelledLeases: ({ leaseId }) => one(encodeBase58(leaseId), "cancelled"),
  assetStatics: ({ assetId, originTransactionId: _, ...fixed }, index) =>
    one(encodeBase58(assetId), { index, ...fixed }),
  assetVolumes: ({ assetId, ...change }) => one(encodeBase58(assetId), change),
  assetTexts: ({ assetId, ...change }) => one(encodeBase58(assetId), change),
  assetScripts: ({ assetId, script }) => one(encodeBase58(assetId), script),
  aliases: ({ address, alias }) => one(alias.name, address),
  orderFills: ({ orderId, ...fill }) => one(encodeBase58(orderId), fill),
  accountScripts: ({ publicKey, ...change }) => one(encodeBase58(publicKey), change),
  accountData: ({ address, entries }) =>
    entries.map(({ key, value }) => [`${addressText(address)} ${JSON.stringify(key)}`, value]),
  sponsorships: ({ assetId, minSponsoredAssetFee }) => one(encodeBase58(assetId), minSponsoredAssetFee),
  generationCommitments: ({ sender, endorserPublicKey }) => one(encodeBase58(sender), endorserPublicKey),
};

/** The values by field, as texts. */
function valuesOf({ snapshot, status }: TransactionSnapshot): ReadonlyMap<string, string> {
  const values = new Map<string, string>([["status", status]]);
  for (const name of Object.keys(valuesOfItems) as SnapshotMember[])
    for (const [key, value] of valuesOfList(name, snapshot)) values.set(`${name} ${key}`, textOf(value));
  return values;
}

function valuesOfList<Name extends SnapshotMember>(name: Name, { [name]: items }: Snapshot): readonly Keyed[] {
  const valuesOfItem: (item: SnapshotItem<Name>, index: number) => readonly Keyed[] = valuesOfItems[name];
  return ((items ?? []) as readonly SnapshotItem<Name>[]).flatMap(valuesOfItem);
}

function textOf(value: unknown): string {
  if (typeof value === "bigint" || typeof value === "string") return String(value);
  if (value instanceof Uint8Array) return encodeBase58(value);
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member === "bigint") return member.toString();
    return member instanceof Uint8Array ? encodeBase58(member) : member;
  });
}
