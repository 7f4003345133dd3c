/**
 * What the rules may read. A view never changes: a block in the making is a view over the view below it.
 */

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
  /** Height at which the script was last set, to whatever it was before too; 0 if never. */
  readonly scriptHeight: number;
  /** 0 when fees are not sponsored. */
  readonly minSponsoredAssetFee: bigint;
  /** Height at which the sponsorship was last set, to whatever it was before too; 0 if never. */
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

/** Balances of one account as they were from a height on. */
export interface BalanceAtHeight extends LeaseBalance {
  readonly height: number;
  readonly balance: bigint;
}

export interface StateView extends FeatureActivation {
  readonly settings: BlockchainSettings;
  /** Of a dev chain that has impersonated accounts; on every other chain there is none. */
  readonly exemption?: AuthorizationExemption | undefined;
  /** Height of the block being made (its transactions see the new block's height), or of the tip. */
  readonly height: number;
  /** Whether the feature is in force at `height`. */
  has(feature: number): boolean;
  /**
   * Whether scripts may be refused what takes seconds (`WorkRefused`), and ids what stands far back in the chain: nobody's block depends
   * on what is judged here.
   */
  readonly mayRefuseWork: boolean;
  /** Counts the work of scripts; undefined: the complexity limits are the only bound. */
  readonly workMeter?: ScriptWork | undefined;
  /** What scripts are told of addresses of other chains. */
  readonly foreignAddresses: ForeignAddresses;

  balance(address: Address, asset: Asset): bigint;
  leaseBalance(address: Address): LeaseBalance;
  /** WAVES and lease balances, newest first: the last change at or below `to`, and every change back to the one in force at `from`. */
  balanceHistory(address: Address, from: number, to: number): readonly BalanceAtHeight[];

  /**
   * Lowest effective balance (own + leased in - leased out - deposits) in force at any height from `from` to `to`: 0 when the
   * account had no balance at `from` yet, or was challenged.
   */
  minimumEffectiveBalance(address: Address, from: number, to: number): bigint;
  /** Whether a block at any height from `from` to `to` challenges one of the account: what it has does not count there. */
  isChallenged(address: Address, from: number, to: number): boolean;

  /** Commitments to generate in the period that begins there, in the order of their index. Cost: linear in their number. */
  commitments(periodStart: number): readonly Commitment[];
  /** How many there are: the next one gets this index. */
  commitmentCount(periodStart: number): number;
  /** The account's commitment to the period. */
  findCommitment(periodStart: number, address: Address): Commitment | undefined;
  /** Whether somebody has committed the BLS key for the period. */
  isEndorserKeyCommitted(periodStart: number, endorserPublicKey: Uint8Array): boolean;
  /** Which generators of the period have contradicted themselves so far. */
  conflicts(periodStart: number): Conflicts;
  /** Height of the last block that is final once the block at the height has a successor; 1 where nothing is known of it. */
  storedFinalizedHeight(height: number): number;

  findAsset(assetId: AssetId): AssetDescription | undefined;
  /** The asset whose id begins with these 20 bytes: how an Ethereum wallet names it. */
  findAssetByErc20Address(address: Uint8Array): AssetDescription | undefined;
  /** How many assets were issued so far in the block at `height`. */
  assetsIssuedInBlock(): number;
  findAliasOwner(alias: Alias): Address | undefined;
  /** Whether the alias was taken by more than one transaction, while that was possible. */
  isAliasTakenOver(alias: Alias): boolean;
  findLease(leaseId: LeaseId): LeaseDetails | undefined;
  /** Active leases, for the clean-up patches of history only. */
  activeLeases(): Iterable<LeaseDetails>;
  /** Every account whose lease balance is not zero, for the clean-up patches of history only. */
  leaseBalances(): Iterable<LeaseBalanceChange>;
  orderFill(orderId: OrderId): { readonly volume: bigint; readonly fee: bigint };
  findAccountScript(address: Address): AccountScript | undefined;
  /** Keys that are the same as UTF-8 are told apart where one of them was changed in the liquid block. */
  findData(address: Address, key: string): DataValue | undefined;
  /** Whether the account ever had a data entry, deleted ones included, or has sent any data transaction in the liquid block. */
  hasData(address: Address): boolean;
  /** As `findData` and `hasData` once the liquid block has been stored: a key is its UTF-8, and entries alone count. */
  findStoredData(address: Address, key: string): DataValue | undefined;
  hasStoredData(address: Address): boolean;
  /** What may be remembered of the key, which has a `?` or half of a surrogate pair. */
  rememberedData(address: Address, key: string): RememberedData;
  /** Whether the block is no more liquid: stored in the reference's database, which finds some things that a liquid block hides. */
  isStored(height: number): boolean;
  findTransaction(id: TransactionId): { readonly height: number; readonly status: TransactionStatus } | undefined;
  /** The transaction itself, however it ended. Costs the parsing of it. */
  findTransactionBody(id: TransactionId): Transaction | undefined;

  /** Height of the first block that is known: 1, save on a node that began with a checkpoint. */
  readonly historyFrom: number;
  findHeader(height: number): SignedHeader | undefined;
  findHeightOf(blockId: BlockId): number | undefined;
  /** VRF output (version 5) or generation signature of the block. */
  findHitSource(height: number): Uint8Array | undefined;
  /** Block reward before boost, wavelets; undefined before feature 14. */
  blockReward(height: number): bigint | undefined;
  /** Reward that the block votes for, wavelets; -1 where it has no vote or there is no such block. */
  rewardVote(height: number): bigint;
  /** State hash after the block, feature 22. */
  findStateHash(height: number): Digest | undefined;
}
