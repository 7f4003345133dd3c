/** State that the rules may read. A view never changes: a new block is a view over the view below it. */

import type { Address, Digest, PublicKey } from "../../crypto/identities.ts";
import type { FeatureActivation } from "../../network/features.ts";
import type { BlockchainSettings } from "../../network/settings.ts";
import type { BlockId, SignedHeader } from "../../protocol/blocks/block.ts";
import type { LeaseBalance, LeaseBalanceChange } from "../../protocol/snapshots/snapshot.ts";
import type { Asset, AssetId } from "../../protocol/transactions/asset.ts";
import type { OrderId } from "../../protocol/transactions/order.ts";
import type {
  Alias,
  DataValue,
  LeaseId,
  Script,
  Transaction,
  TransactionId,
  TransactionStatus,
} from "../../protocol/transactions/transaction.ts";
import type { ScriptWork } from "../../ride/evaluator/script-work.ts";
import type { Commitment, Conflicts } from "../finality/commitment.ts";
import type { AuthorizationExemption } from "./authorization-exemption.ts";
import type { RememberedData } from "./data-spellings.ts";
import type { ForeignAddresses } from "./foreign-addresses.ts";

export interface AssetDescription {
  readonly assetId: AssetId;
  readonly issuer: PublicKey;
  readonly originTransactionId: TransactionId;
  /** Height of the issue. */
  readonly issueHeight: number;
  /** 1-based number of the asset among those issued in its block. */
  readonly sequenceInBlock: number;
  readonly decimals: number;
  readonly nft: boolean;
  readonly volume: bigint;
  readonly reissuable: boolean;
  readonly name: Uint8Array;
  readonly description: Uint8Array;
  /** Height of the last change of name and description. */
  readonly textHeight: number;
  readonly script: { readonly script: Script; readonly complexity: bigint } | undefined;
  /** Height at which the script was last set, even to the same one; 0 if never. */
  readonly scriptHeight: number;
  /** 0 when fees are not sponsored. */
  readonly minSponsoredAssetFee: bigint;
  /** Height at which the sponsorship was last set, even to the same value; 0 if never. */
  readonly sponsorshipHeight: number;
}

export interface LeaseDetails {
  readonly leaseId: LeaseId;
  readonly sender: PublicKey;
  readonly recipient: Address;
  readonly amount: bigint;
  readonly originTransactionId: TransactionId;
  readonly height: number;
  readonly status: "active" | "canceled" | "expired";
  readonly cancelHeight: number | undefined;
  readonly cancelTransactionId: TransactionId | undefined;
}

export interface AccountScript {
  readonly publicKey: PublicKey;
  readonly script: Script;
  readonly verifierComplexity: bigint;
}

/** Balances of one account from a height on. */
export interface BalanceAtHeight extends LeaseBalance {
  readonly height: number;
  readonly balance: bigint;
}

export interface StateView extends FeatureActivation {
  readonly settings: BlockchainSettings;
  /** Set on a dev chain with impersonated accounts; undefined on every other chain. */
  readonly exemption?: AuthorizationExemption | undefined;
  /** Height of the block being made (its transactions see the new block's height), or of the tip. */
  readonly height: number;
  /** Whether the feature is active at `height`. */
  has(feature: number): boolean;
  /**
   * Whether scripts that take seconds may be refused (`WorkRefused`), and ids from far back in the chain: the view does
   * not validate a block.
   */
  readonly mayRefuseWork: boolean;
  /** Counts the work of scripts; undefined: the complexity limits are the only bound. */
  readonly workMeter?: ScriptWork | undefined;
  /** Results of the scripts' checks of addresses of other chains. */
  readonly foreignAddresses: ForeignAddresses;

  balance(address: Address, asset: Asset): bigint;
  leaseBalance(address: Address): LeaseBalance;
  /**
   * WAVES and lease balances, newest first: the last change at or below `to`, and all earlier ones back to the one in
   * force at `from`.
   */
  balanceHistory(address: Address, from: number, to: number): readonly BalanceAtHeight[];

  /**
   * Lowest effective balance (own + leased in - leased out - deposits) in force at any height from `from` to `to`; 0 if
   * the account had no balance at `from` yet, or was challenged.
   */
  minimumEffectiveBalance(address: Address, from: number, to: number): bigint;
  /**
   * Whether a block at any height from `from` to `to` challenges one of the account: its balance does not count there.
   */
  isChallenged(address: Address, from: number, to: number): boolean;

  /**
   * Commitments to generate in the period from `periodStart` on, in the order of their index. Cost: linear in their
   * number.
   */
  commitments(periodStart: number): readonly Commitment[];
  /** Number of commitments, which is the index of the next one. */
  commitmentCount(periodStart: number): number;
  /** The account's commitment to the period. */
  findCommitment(periodStart: number, address: Address): Commitment | undefined;
  /** Whether a commitment to the period has the BLS key. */
  isEndorserKeyCommitted(periodStart: number, endorserPublicKey: Uint8Array): boolean;
  /** Conflicts of the period's generators so far. */
  conflicts(periodStart: number): Conflicts;
  /** Height of the last block that is final once the block at the height has a successor; 1 if unknown. */
  storedFinalizedHeight(height: number): number;

  findAsset(assetId: AssetId): AssetDescription | undefined;
  /** Asset whose id begins with these 20 bytes: its address in an Ethereum wallet. */
  findAssetByErc20Address(address: Uint8Array): AssetDescription | undefined;
  /** Number of assets issued so far in the block at `height`. */
  assetsIssuedInBlock(): number;
  findAliasOwner(alias: Alias): Address | undefined;
  /** Whether more than one transaction took the alias, while that was possible. */
  isAliasTakenOver(alias: Alias): boolean;
  findLease(leaseId: LeaseId): LeaseDetails | undefined;
  /** Active leases, for the clean-up patches of history only. */
  activeLeases(): Iterable<LeaseDetails>;
  /** Every account whose lease balance is not zero, for the clean-up patches of history only. */
  leaseBalances(): Iterable<LeaseBalanceChange>;
  orderFill(orderId: OrderId): { readonly volume: bigint; readonly fee: bigint };
  findAccountScript(address: Address): AccountScript | undefined;
  /** Value of a key. Keys with the same UTF-8 differ if one of them was changed in the liquid block. */
  findData(address: Address, key: string): DataValue | undefined;
  /**
   * Whether the account ever had a data entry, including deleted ones, or has sent any data transaction in the liquid
   * block.
   */
  hasData(address: Address): boolean;
  /**
   * Same as `findData` and `hasData` after the liquid block is stored: keys are equal by their UTF-8, and only entries
   * count.
   */
  findStoredData(address: Address, key: string): DataValue | undefined;
  hasStoredData(address: Address): boolean;
  /** Remembered values of a key with a `?` or half of a surrogate pair. */
  rememberedData(address: Address, key: string): RememberedData;
  /**
   * Whether the block is no longer liquid: stored in the reference's database, which finds some items that a liquid
   * block hides.
   */
  isStored(height: number): boolean;
  findTransaction(id: TransactionId): { readonly height: number; readonly status: TransactionStatus } | undefined;
  /** The transaction itself, whatever its status. Cost: parses it. */
  findTransactionBody(id: TransactionId): Transaction | undefined;

  /** Height of the first known block: 1, except on a node that began with a checkpoint. */
  readonly historyFrom: number;
  findHeader(height: number): SignedHeader | undefined;
  findHeightOf(blockId: BlockId): number | undefined;
  /** VRF output (version 5) or generation signature of the block. */
  findHitSource(height: number): Uint8Array | undefined;
  /** Block reward before boost, wavelets; undefined before feature 14. */
  blockReward(height: number): bigint | undefined;
  /** Reward that the block votes for, wavelets; -1 without a vote or without such a block. */
  rewardVote(height: number): bigint;
  /** State hash after the block, feature 22. */
  findStateHash(height: number): Digest | undefined;
}
