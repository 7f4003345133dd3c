/**
 * Merging of state snapshots.
 * @source Waves: state/StateSnapshot.scala (monoid)
 */
import { bytesKey } from "../../crypto/bytes.ts";
import type { DataEntry } from "../transactions/transaction.ts";
import type { AccountDataChange, Snapshot, SnapshotItem, SnapshotMember } from "./snapshot.ts";

/**
 * The state snapshot that is equivalent to the given ones in order: a later value replaces an earlier one of the same
 * key and keeps its position in the list; empty lists are omitted. Cost: linear in the number of all entries, so merge
 * many at once rather than one after the other.
 */
export function mergeSnapshots(...snapshots: readonly Snapshot[]): Snapshot {
  const merged: { readonly [Name in SnapshotMember]: Snapshot[Name] | undefined } = {
    balances: mergeList(snapshots, "balances"),
    leaseBalances: mergeList(snapshots, "leaseBalances"),
    newLeases: mergeList(snapshots, "newLeases"),
    cancelledLeases: mergeList(snapshots, "cancelledLeases"),
    assetStatics: mergeList(snapshots, "assetStatics"),
    assetVolumes: mergeList(snapshots, "assetVolumes"),
    assetTexts: mergeList(snapshots, "assetTexts"),
    assetScripts: mergeList(snapshots, "assetScripts"),
    aliases: mergeList(snapshots, "aliases"),
    orderFills: mergeList(snapshots, "orderFills"),
    accountScripts: mergeList(snapshots, "accountScripts"),
    accountData: mergeAccountData(snapshots),
    sponsorships: mergeList(snapshots, "sponsorships"),
    generationCommitments: mergeList(snapshots, "generationCommitments"),
  };
  return Object.fromEntries(Object.entries(merged).filter(([, list]) => list !== undefined));
}

/** Whether the state snapshot changes nothing. */
export function isEmptySnapshot(snapshot: Snapshot): boolean {
  return Object.values(snapshot).every(
    (list: readonly unknown[] | undefined) => list === undefined || list.length === 0,
  );
}

/** Unique key of an item in each list. */
export const snapshotKeys: { readonly [Name in SnapshotMember]: (item: SnapshotItem<Name>) => string } = {
  balances: ({ address, asset }) => (asset === null ? bytesKey(address) : bytesKey(address) + bytesKey(asset)),
  leaseBalances: ({ address }) => bytesKey(address),
  newLeases: ({ leaseId }) => bytesKey(leaseId),
  cancelledLeases: ({ leaseId }) => bytesKey(leaseId),
  assetStatics: ({ assetId }) => bytesKey(assetId),
  assetVolumes: ({ assetId }) => bytesKey(assetId),
  assetTexts: ({ assetId }) => bytesKey(assetId),
  assetScripts: ({ assetId }) => bytesKey(assetId),
  aliases: ({ alias }) => alias.name,
  orderFills: ({ orderId }) => bytesKey(orderId),
  accountScripts: ({ publicKey }) => bytesKey(publicKey),
  accountData: ({ address }) => bytesKey(address),
  sponsorships: ({ assetId }) => bytesKey(assetId),
  generationCommitments: ({ sender }) => bytesKey(sender),
};

function nonEmptyLists<Name extends SnapshotMember>(
  snapshots: readonly Snapshot[],
  name: Name,
): NonNullable<Snapshot[Name]>[] {
  const lists: NonNullable<Snapshot[Name]>[] = [];
  for (const snapshot of snapshots) {
    const list = snapshot[name];
    if (list !== undefined && list.length > 0) lists.push(list);
  }
  return lists;
}

function mergeList<Name extends SnapshotMember>(
  snapshots: readonly Snapshot[],
  name: Name,
): readonly SnapshotItem<Name>[] | undefined {
  const lists: readonly (readonly SnapshotItem<Name>[])[] = nonEmptyLists(snapshots, name);
  if (lists.length < 2) return lists[0];
  const keyOf: (item: SnapshotItem<Name>) => string = snapshotKeys[name];
  const byKey = new Map<string, SnapshotItem<Name>>();
  for (const list of lists) for (const item of list) byKey.set(keyOf(item), item);
  return [...byKey.values()];
}

function mergeAccountData(snapshots: readonly Snapshot[]): readonly AccountDataChange[] | undefined {
  const lists = nonEmptyLists(snapshots, "accountData");
  if (lists.length < 2) return lists[0];
  const byAddress = new Map<string, { address: AccountDataChange["address"]; entries: Map<string, DataEntry> }>();
  for (const { address, entries } of lists.flat()) {
    const key = bytesKey(address);
    const known = byAddress.get(key) ?? { address, entries: new Map() };
    for (const entry of entries) known.entries.set(entry.key, entry);
    byAddress.set(key, known);
  }
  return [...byAddress.values()].map(({ address, entries }) => ({ address, entries: [...entries.values()] }));
}
