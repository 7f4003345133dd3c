/**
 * State snapshot of one transaction (or of the start of a block): new absolute values, never differences. It is the
 * snapshot of feature 22, and the only way in which state changes.
 * @source docs/protocol/snapshots-and-state-hash.md 2, 3; Waves: state/StateSnapshot.scala
 */
import type { Address, PublicKey } from "../../crypto/identities.ts";
import type { Asset, AssetId } from "../transactions/asset.ts";
import type { OrderId } from "../transactions/order.ts";
import type { Alias, DataEntry, LeaseId, Script, TransactionId } from "../transactions/transaction.ts";

export interface LeaseBalance {
  readonly in: bigint;
  readonly out: bigint;
}
export interface BalanceChange {
  readonly address: Address;
  readonly asset: Asset;
  readonly balance: bigint;
}
export interface LeaseBalanceChange extends LeaseBalance {
  readonly address: Address;
}
export interface NewLease {
  readonly leaseId: LeaseId;
  readonly sender: PublicKey;
  readonly recipient: Address;
  readonly amount: bigint;
  /** Transaction that created the lease. Not in the wire form: set from the context. */
  readonly originTransactionId: TransactionId;
}
export interface CancelledLease {
  readonly leaseId: LeaseId;
  /** Transaction that cancelled it; undefined if a block's patch did. */
  readonly cancelTransactionId: TransactionId | undefined;
}
/** Listed in issue order inside the transaction. */
export interface AssetStatic {
  readonly assetId: AssetId;
  readonly issuer: PublicKey;
  readonly decimals: number;
  readonly nft: boolean;
  readonly originTransactionId: TransactionId;
}
export interface AssetVolume {
  readonly assetId: AssetId;
  readonly reissuable: boolean;
  /** May exceed 64 bits for mainnet's oldest assets. */
  readonly volume: bigint;
}
export interface AssetText {
  readonly assetId: AssetId;
  readonly name: Uint8Array;
  readonly description: Uint8Array;
}
export interface AssetScriptChange {
  readonly assetId: AssetId;
  readonly script: Script;
  readonly complexity: bigint;
}
export interface OrderFill {
  readonly orderId: OrderId;
  readonly volume: bigint;
  readonly fee: bigint;
}
export interface AccountScriptChange {
  readonly publicKey: PublicKey;
  readonly script: Script | null;
  readonly verifierComplexity: bigint;
}
export interface AccountDataChange {
  readonly address: Address;
  readonly entries: readonly DataEntry[];
}
export interface Sponsorship {
  readonly assetId: AssetId;
  /** 0 ends the sponsorship. */
  readonly minSponsoredAssetFee: bigint;
}
export interface GenerationCommitment {
  readonly sender: PublicKey;
  readonly endorserPublicKey: Uint8Array;
  readonly transactionId: TransactionId;
}

/** Every list may be absent; keys are unique within a list. */
export interface Snapshot {
  readonly balances?: readonly BalanceChange[];
  readonly leaseBalances?: readonly LeaseBalanceChange[];
  readonly newLeases?: readonly NewLease[];
  readonly cancelledLeases?: readonly CancelledLease[];
  readonly assetStatics?: readonly AssetStatic[];
  readonly assetVolumes?: readonly AssetVolume[];
  readonly assetTexts?: readonly AssetText[];
  readonly assetScripts?: readonly AssetScriptChange[];
  readonly aliases?: readonly { readonly address: Address; readonly alias: Alias }[];
  readonly orderFills?: readonly OrderFill[];
  readonly accountScripts?: readonly AccountScriptChange[];
  readonly accountData?: readonly AccountDataChange[];
  readonly sponsorships?: readonly Sponsorship[];
  readonly generationCommitments?: readonly GenerationCommitment[];
}

/** Lists of a snapshot; a table over these covers all of them. */
export type SnapshotMember = keyof Snapshot;
export type SnapshotItem<Member extends SnapshotMember> = NonNullable<Snapshot[Member]>[number];
