/**
 * What a transaction can change by its type. Entries of a state hash carry no tags: some kinds of change can be written so that they
 * have the bytes of another kind, and this is what tells them apart for all types but calls.
 * @source docs/protocol/snapshots-and-state-hash.md 3.1, 10
 */
import type { SnapshotMember } from "../../protocol/snapshots/snapshot.ts";
import type { TransactionStatus } from "../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";

const ofCalls: readonly SnapshotMember[] = [
  "leaseBalances",
  "newLeases",
  "cancelledLeases",
  "assetStatics",
  "assetVolumes",
  "assetTexts",
  "accountData",
  "sponsorships",
];

/** Besides balances, which fees change in any case. */
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
  [TransactionType.InvokeScript]: ofCalls,
  [TransactionType.UpdateAssetInfo]: ["assetTexts"],
  [TransactionType.Ethereum]: ofCalls,
  [TransactionType.CommitToGeneration]: ["generationCommitments"],
};

const nothing: ReadonlySet<SnapshotMember> = new Set();
const balancesAlone: ReadonlySet<SnapshotMember> = new Set<SnapshotMember>(["balances"]);
const ofSucceeded: ReadonlyMap<TransactionType, ReadonlySet<SnapshotMember>> = new Map(
  Object.entries(membersOfTypes).map(([type, members]) => [
    Number(type) as TransactionType,
    new Set<SnapshotMember>(["balances", ...members]),
  ]),
);

/** The lists that the snapshot of a transaction may have. */
export function changedMembers(type: TransactionType, status: TransactionStatus): ReadonlySet<SnapshotMember> {
  switch (status) {
    case "elided":
      return nothing;
    case "failed":
      return balancesAlone;
    case "succeeded":
      return ofSucceeded.get(type) ?? balancesAlone;
  }
}
