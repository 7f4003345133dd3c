/**
 * Members of the state that a transaction type can change. Entries of a state hash carry no tags, and some kinds of
 * change can have the bytes of another kind. This table tells them apart for all types except calls.
 * @source docs/protocol/snapshots-and-state-hash.md 3.1, 10
 */
import type { SnapshotMember } from "../../protocol/snapshots/snapshot.ts";
import type { TransactionStatus } from "../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";

const membersOfCalls: readonly SnapshotMember[] = [
  "leaseBalances",
  "newLeases",
  "cancelledLeases",
  "assetStatics",
  "assetVolumes",
  "assetTexts",
  "accountData",
  "sponsorships",
];

/** In addition to balances, which fees always change. */
const membersOfTypes: { readonly [Type in TransactionType]: readonly SnapshotMember[] } = {
  [TransactionType.Genesis]: [],
  [TransactionType.Payment]: [],
  [TransactionType.Issue]: ["assetStatics", "assetVolumes", "assetTexts", "assetScripts"],
  [TransactionType.Transfer]: [],
  [TransactionType.Reissue]: ["assetVolumes"],
  [TransactionType.Burn]: ["assetVolumes"],
  [TransactionType.Exchange]: ["orderFills"],
  [TransactionType.Lease]: ["leaseBalances", "newLeases"],
  [TransactionType.LeaseCancel]: ["leaseBalances", "cancelledLeases"],
  [TransactionType.CreateAlias]: ["aliases"],
  [TransactionType.MassTransfer]: [],
  [TransactionType.Data]: ["accountData"],
  [TransactionType.SetScript]: ["accountScripts"],
  [TransactionType.SponsorFee]: ["sponsorships"],
  [TransactionType.SetAssetScript]: ["assetScripts"],
  [TransactionType.InvokeScript]: membersOfCalls,
  [TransactionType.UpdateAssetInfo]: ["assetTexts"],
  [TransactionType.Ethereum]: membersOfCalls,
  [TransactionType.CommitToGeneration]: ["generationCommitments"],
};

const noMembers: ReadonlySet<SnapshotMember> = new Set();
const balancesOnly: ReadonlySet<SnapshotMember> = new Set<SnapshotMember>(["balances"]);
const membersOfSucceeded: ReadonlyMap<TransactionType, ReadonlySet<SnapshotMember>> = new Map(
  Object.entries(membersOfTypes).map(([type, members]) => [
    Number(type) as TransactionType,
    new Set<SnapshotMember>(["balances", ...members]),
  ]),
);

/** Members that the snapshot of a transaction may have. */
export function changedMembers(type: TransactionType, status: TransactionStatus): ReadonlySet<SnapshotMember> {
  switch (status) {
    case "elided":
      return noMembers;
    case "failed":
      return balancesOnly;
    case "succeeded":
      return membersOfSucceeded.get(type) ?? balancesOnly;
  }
}
