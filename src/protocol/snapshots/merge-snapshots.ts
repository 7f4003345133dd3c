/**
 * Several change sets as one.
 * @source Waves: state/StateSnapshot.scala (monoid)
 */
import { bytesKey } from "../../crypto/bytes.ts";
import type { DataEntry } from "../transactions/transaction.ts";
import type { AccountDataChange, Snapshot } from "./snapshot.ts";

/**
 * The change set that stands for applying the given ones in order: a later value replaces an earlier one of the same
 * key and keeps its place in the list; lists that would be empty are absent. Cost: linear in all entries together, so
 * merge many at once rather than one after the other.
 */
export function mergeSnapshots(...snapshots: readonly Snapshot[]): Snapshot {
  const merged = {
    balances: mergeList(snapshots, "balances", ({ address, asset }) =>
      asset === null ? bytesKey(address) : bytesKey(address) + bytesKey(asset),
    ),
    leaseBalances: mergeList(snapshots, "leaseBalances", ({ address }) => bytesKey(address)),
    newLeases: mergeList(snapshots, "newLeases", ({ leaseId }) => bytesKey(leaseId)),
    cancelledLeases: mergeList(snapshots, "cancelledLeases", ({ leaseId }) => bytesKey(leaseId)),
    assetStatics: mergeList(snapshots, "assetStatics", ({ assetId }) => bytesKey(assetId)),
    assetVolumes: mergeList(snapshots, "assetVolumes", ({ assetId }) => bytesKey(assetId)),
    assetTexts: mergeList(snapshots, "assetTexts", ({ assetId }) => bytesKey(assetId)),
    assetScripts: mergeList(snapshots, "assetScripts", ({ assetId }) => bytesKey(assetId)),
    aliases: mergeList(snapshots, "aliases", ({ alias }) => alias.name),
    orderFills: mergeList(snapshots, "orderFills", ({ orderId }) => bytesKey(orderId)),
    accountScripts: mergeList(snapshots, "accountScripts", ({ publicKey }) => bytesKey(publicKey)),
    accountData: mergeAccountData(snapshots),
    sponsorships: mergeList(snapshots, "sponsorships", ({ assetId }) => bytesKey(assetId)),
    generationCommitments: mergeList(snapshots, "generationCommitments", ({ sender }) => bytesKey(sender)),
  } satisfies Record<keyof Snapshot, unknown>;
  return Object.fromEntries(Object.entries(merged).filter(([, list]) => list !== undefined));
}

/** Whether the change set changes nothing. */
export function isEmptySnapshot(snapshot: Snapshot): boolean {
  return Object.values(snapshot).every(
    (list: readonly unknown[] | undefined) => list === undefined || list.length === 0,
  );
}

type Item<Name extends keyof Snapshot> = NonNullable<Snapshot[Name]>[number];

function nonEmptyLists<Name extends keyof Snapshot>(
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

function mergeList<Name extends keyof Snapshot>(
  snapshots: readonly Snapshot[],
  name: Name,
  keyOf: (item: Item<Name>) => string,
): readonly Item<Name>[] | undefined {
  const lists: readonly (readonly Item<Name>[])[] = nonEmptyLists(snapshots, name);
  if (lists.length < 2) return lists[0];
  const byKey = new Map<string, Item<Name>>();
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
