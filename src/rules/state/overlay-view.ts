/**
 * View over another view with the snapshots applied so far: a new block, the pool's next block, a hypothetical
 * transaction. The view below never changes; the changes can be written as one commit.
 */

import { addressOfPublicKey } from "../../crypto/address.ts";
import { type BytesKey, bytesKey, equalBytes } from "../../crypto/bytes.ts";
import type { Address, Digest } from "../../crypto/identities.ts";
import type { BlockchainSettings } from "../../network/settings.ts";
import type { BlockId, SignedHeader } from "../../protocol/blocks/block.ts";
import { hasSpellings } from "../../protocol/codec/utf8.ts";
import type {
  AssetStatic,
  LeaseBalance,
  LeaseBalanceChange,
  Snapshot,
  SnapshotItem,
  SnapshotMember,
} from "../../protocol/snapshots/snapshot.ts";
import type { Asset, AssetId } from "../../protocol/transactions/asset.ts";
import type { OrderId } from "../../protocol/transactions/order.ts";
import type {
  Alias,
  DataValue,
  LeaseId,
  Transaction,
  TransactionId,
  TransactionStatus,
} from "../../protocol/transactions/transaction.ts";
import type { ScriptWork } from "../../ride/evaluator/script-work.ts";
import type { Commitment, Conflicts } from "../finality/commitment.ts";
import { depositOf } from "../finality/deposit.ts";
import { generationPeriodAt, nextGenerationPeriod } from "../finality/generation-period.ts";
import type { AuthorizationExemption } from "./authorization-exemption.ts";
import type { DataSpellings, RememberedData } from "./data-spellings.ts";
import type { ForeignAddresses } from "./foreign-addresses.ts";
import type { AccountScript, AssetDescription, BalanceAtHeight, LeaseDetails, StateView } from "./state-view.ts";
import type { StoredParent } from "./stored-parent.ts";

export type BalanceChanged = { readonly address: Address; readonly balance: bigint };
export type AssetBalanceChanged = { readonly address: Address; readonly asset: AssetId; readonly balance: bigint };
export type DataChanged = { readonly address: Address; readonly key: string; readonly value: DataValue };
export type TransactionIncluded = {
  readonly height: number;
  readonly status: TransactionStatus;
  readonly transaction: Transaction;
};

/** Changes of an overlay: the last value of each changed item. */
export interface StateChanges {
  readonly balances: Map<BytesKey, BalanceChanged>;
  readonly leaseBalances: Map<BytesKey, { readonly address: Address } & LeaseBalance>;
  readonly assetBalances: Map<BytesKey, AssetBalanceChanged>;
  readonly assets: Map<BytesKey, AssetDescription>;
  readonly leases: Map<BytesKey, LeaseDetails>;
  readonly aliases: Map<string, { readonly address: Address; readonly isTakenOver: boolean }>;
  readonly orderFills: Map<BytesKey, { readonly orderId: OrderId; readonly volume: bigint; readonly fee: bigint }>;
  readonly accountScripts: Map<BytesKey, { readonly address: Address; readonly script: AccountScript | undefined }>;
  readonly data: Map<string, DataChanged>;
  /** Accounts with changes in `data`. */
  readonly dataOwners: Map<BytesKey, Address>;
  readonly transactions: Map<BytesKey, TransactionIncluded>;
  /** In the order of their index. */
  readonly commitments: Map<string, NewCommitment>;
  /** The BLS keys of `commitments`. */
  readonly endorserKeys: Set<string>;
}

export type NewCommitment = Commitment & { readonly periodStart: number };

/** Known data of the overlay's block. */
export interface OverlayBlock {
  readonly height: number;
  readonly header?: SignedHeader;
  readonly hitSource?: Uint8Array;
  readonly reward?: bigint | undefined;
  /** Generator of the challenged block. */
  readonly challenged?: Address | undefined;
  /** Indexes of the generators of its period whose first conflict it carries. */
  readonly conflicts?: readonly number[];
  /** Default: value of the view below. */
  readonly mayRefuseWork?: boolean;
  /** Default: value of the view below. */
  readonly workMeter?: ScriptWork | undefined;
  /** Default: value of the view below. */
  readonly exemption?: AuthorizationExemption | undefined;
  /** Default: value of the view below. */
  readonly foreignAddresses?: ForeignAddresses;
  /** Undefined: the block below is as its own view shows it. */
  readonly storedParent?: StoredParent | undefined;
  /** Undefined: data keys have the spellings of the tables, without remembered values. */
  readonly spellings?: DataSpellings | undefined;
}

/** PERF: the overlay of a single transaction has no changes, and making a key costs more than this check. */
function changeOf<Change>(changes: ReadonlyMap<BytesKey, Change>, bytes: Uint8Array): Change | undefined {
  return changes.size === 0 ? undefined : changes.get(bytesKey(bytes));
}

const dataKey = (address: Address, key: string): string => `${bytesKey(address)}${key}`;
/** @param ofKey address or BLS key */
const periodKey = (periodStart: number, ofKey: Uint8Array): string => `${periodStart} ${bytesKey(ofKey)}`;
const assetBalanceKey = (address: Address, asset: AssetId): BytesKey =>
  `${bytesKey(address)}${bytesKey(asset)}` as BytesKey;

type Applied<Member extends SnapshotMember> = (view: OverlayView, item: SnapshotItem<Member>) => void;
type AppliedMembers = { readonly [Member in SnapshotMember]: Applied<Member> };

export class OverlayView implements StateView {
  readonly base: StateView;
  readonly block: OverlayBlock;
  readonly changes: StateChanges = {
    balances: new Map(),
    leaseBalances: new Map(),
    assetBalances: new Map(),
    assets: new Map(),
    leases: new Map(),
    aliases: new Map(),
    orderFills: new Map(),
    accountScripts: new Map(),
    data: new Map(),
    dataOwners: new Map(),
    transactions: new Map(),
    commitments: new Map(),
    endorserKeys: new Set(),
  };
  #assetsIssued = 0;
  /** Number of new commitments by period. */
  readonly #newCommitments = new Map<number, number>();

  /** @param block its height may be the base's (a micro-block, the pool) or the next one (a new block) */
  constructor(base: StateView, block: OverlayBlock) {
    this.base = base;
    this.block = block;
  }

  get settings(): BlockchainSettings {
    return this.base.settings;
  }

  get height(): number {
    return this.block.height;
  }

  get mayRefuseWork(): boolean {
    return this.block.mayRefuseWork ?? this.base.mayRefuseWork;
  }

  get workMeter(): ScriptWork | undefined {
    return this.block.workMeter ?? this.base.workMeter;
  }

  get foreignAddresses(): ForeignAddresses {
    return this.block.foreignAddresses ?? this.base.foreignAddresses;
  }

  get exemption(): AuthorizationExemption | undefined {
    return this.block.exemption ?? this.base.exemption;
  }

  /** Applies the values of the snapshot. */
  apply(snapshot: Snapshot): void {
    for (const member of OverlayView.#members) this.#applyMember(member, snapshot);
  }

  #applyMember<Member extends SnapshotMember>(member: Member, { [member]: items }: Snapshot): void {
    if (items === undefined) return;
    const apply: Applied<Member> = OverlayView.#applied[member];
    for (const item of items as readonly SnapshotItem<Member>[]) apply(this, item);
  }

  /** Appliers of the snapshot's members, in their order: items are created before they are changed. */
  static readonly #applied: AppliedMembers = {
    balances: ({ changes }, { address, asset, balance }) => {
      if (asset === null) changes.balances.set(bytesKey(address), { address, balance });
      else changes.assetBalances.set(assetBalanceKey(address, asset), { address, asset, balance });
    },
    leaseBalances: ({ changes }, change) => changes.leaseBalances.set(bytesKey(change.address), change),
    newLeases: ({ changes, height }, lease) =>
      changes.leases.set(bytesKey(lease.leaseId), {
        ...lease,
        height,
        status: "active",
        cancelHeight: undefined,
        cancelTransactionId: undefined,
      }),
    cancelledLeases: (view, { leaseId, cancelTransactionId }) => {
      const lease = view.findLease(leaseId);
      if (lease === undefined) throw new Error("a snapshot cancels a lease that does not exist");
      const status = cancelTransactionId === undefined ? "expired" : "canceled";
      const cancelHeight = view.height;
      view.changes.leases.set(bytesKey(leaseId), { ...lease, status, cancelHeight, cancelTransactionId });
    },
    assetStatics: (view, statics) => view.#addAsset(statics),
    assetVolumes: (view, { assetId, reissuable, volume }) => view.#updateAsset(assetId, { reissuable, volume }),
    assetTexts: (view, { assetId, name, description }) =>
      view.#updateAsset(assetId, { name, description, textHeight: view.height }),
    assetScripts: (view, { assetId, script, complexity }) =>
      view.#updateAsset(assetId, { script: { script, complexity }, scriptHeight: view.height }),
    sponsorships: (view, { assetId, minSponsoredAssetFee }) =>
      view.#updateAsset(assetId, { minSponsoredAssetFee, sponsorshipHeight: view.height }),
    aliases: (view, { alias, address }) =>
      view.changes.aliases.set(alias.name, { address, isTakenOver: view.findAliasOwner(alias) !== undefined }),
    orderFills: ({ changes }, fill) => changes.orderFills.set(bytesKey(fill.orderId), fill),
    accountScripts: ({ changes, settings }, { publicKey, script, verifierComplexity }) => {
      const address = addressOfPublicKey(publicKey, settings.chainId);
      const account = script === null ? undefined : { publicKey, script, verifierComplexity };
      changes.accountScripts.set(bytesKey(address), { address, script: account });
    },
    accountData: ({ changes }, { address, entries }) => {
      changes.dataOwners.set(bytesKey(address), address);
      for (const { key, value } of entries) changes.data.set(dataKey(address, key), { address, key, value });
    },
    generationCommitments: (view, { sender, endorserPublicKey, transactionId }) => {
      const { height, settings } = view;
      const period = nextGenerationPeriod(height, view);
      if (period === undefined) throw new Error("a snapshot commits a generator before there are periods");
      const { start: periodStart } = period;
      const address = addressOfPublicKey(sender, settings.chainId);
      const index = view.commitmentCount(periodStart);
      view.changes.commitments.set(periodKey(periodStart, address), {
        ...{ periodStart, index, address, publicKey: sender, endorserPublicKey, transactionId, height },
      });
      view.changes.endorserKeys.add(periodKey(periodStart, endorserPublicKey));
      view.#newCommitments.set(periodStart, (view.#newCommitments.get(periodStart) ?? 0) + 1);
    },
  };

  static readonly #members = Object.keys(OverlayView.#applied) as SnapshotMember[];

  /** Includes the transaction in this block: its id is in use. */
  include(transaction: Transaction, status: TransactionStatus): void {
    this.changes.transactions.set(bytesKey(transaction.id), { height: this.height, status, transaction });
  }

  #addAsset({ assetId, issuer, decimals, nft, originTransactionId }: AssetStatic): void {
    const { height } = this;
    this.changes.assets.set(bytesKey(assetId), {
      assetId,
      issuer,
      originTransactionId,
      issueHeight: height,
      sequenceInBlock: this.assetsIssuedInBlock() + 1,
      decimals,
      nft,
      volume: 0n,
      reissuable: false,
      name: new Uint8Array(),
      description: new Uint8Array(),
      textHeight: height,
      script: undefined,
      scriptHeight: 0,
      minSponsoredAssetFee: 0n,
      sponsorshipHeight: 0,
    });
    this.#assetsIssued++;
  }

  #updateAsset(assetId: AssetId, changes: Partial<AssetDescription>): void {
    const asset = this.findAsset(assetId);
    if (asset === undefined) throw new Error("a snapshot changes an asset that does not exist");
    this.changes.assets.set(bytesKey(assetId), { ...asset, ...changes });
  }

  activationHeight(feature: number): number | undefined {
    return this.base.activationHeight(feature);
  }

  has(feature: number): boolean {
    return this.base.isActive(feature, this.height);
  }

  isActive(feature: number, height: number): boolean {
    return this.base.isActive(feature, height);
  }

  balance(address: Address, asset: Asset): bigint {
    const change =
      asset === null
        ? changeOf(this.changes.balances, address)
        : this.changes.assetBalances.get(assetBalanceKey(address, asset));
    return change === undefined ? this.base.balance(address, asset) : change.balance;
  }

  leaseBalance(address: Address): LeaseBalance {
    return changeOf(this.changes.leaseBalances, address) ?? this.base.leaseBalance(address);
  }

  balanceHistory(address: Address, from: number, to: number): readonly BalanceAtHeight[] {
    if (to < this.height || !this.#balanceChanged(address)) return this.base.balanceHistory(address, from, to);
    const now = { height: this.height, balance: this.balance(address, null), ...this.#leaseOf(address) };
    if (from >= this.height) return [now];
    return [now, ...this.base.balanceHistory(address, from, this.height - 1)];
  }

  minimumEffectiveBalance(address: Address, from: number, to: number): bigint {
    if (this.isChallenged(address, from, to)) return 0n;
    if (to < this.height || !this.#effectiveBalanceChanged(address))
      return this.base.minimumEffectiveBalance(address, from, to);
    const lease = this.#leaseOf(address);
    const deposit = depositOf(address, this, Math.max(from, this.height));
    const now = this.balance(address, null) + lease.in - lease.out - deposit;
    if (from >= this.height) return now;
    const before = this.base.minimumEffectiveBalance(address, from, this.height - 1);
    if (now < before) return now;
    return before;
  }

  isChallenged(address: Address, from: number, to: number): boolean {
    const { challenged, height } = this.block;
    const isHere = challenged !== undefined && from <= height && height <= to && equalBytes(address, challenged);
    return isHere || this.base.isChallenged(address, from, to);
  }

  #balanceChanged(address: Address): boolean {
    const key = bytesKey(address);
    return this.changes.balances.has(key) || this.changes.leaseBalances.has(key);
  }

  #effectiveBalanceChanged(address: Address): boolean {
    if (this.#balanceChanged(address)) return true;
    for (const periodStart of this.#newCommitments.keys())
      if (this.changes.commitments.has(periodKey(periodStart, address))) return true;
    return false;
  }

  #leaseOf(address: Address): LeaseBalance {
    const { in: leasedIn, out } = this.leaseBalance(address);
    return { in: leasedIn, out };
  }

  commitments(periodStart: number): readonly Commitment[] {
    const before = this.base.commitments(periodStart);
    if (!this.#newCommitments.has(periodStart)) return before;
    return [...before, ...[...this.changes.commitments.values()].filter((made) => made.periodStart === periodStart)];
  }

  commitmentCount(periodStart: number): number {
    return this.base.commitmentCount(periodStart) + (this.#newCommitments.get(periodStart) ?? 0);
  }

  findCommitment(periodStart: number, address: Address): Commitment | undefined {
    const made = this.#newCommitments.has(periodStart)
      ? this.changes.commitments.get(periodKey(periodStart, address))
      : undefined;
    return made ?? this.base.findCommitment(periodStart, address);
  }

  isEndorserKeyCommitted(periodStart: number, endorserPublicKey: Uint8Array): boolean {
    return (
      this.changes.endorserKeys.has(periodKey(periodStart, endorserPublicKey)) ||
      this.base.isEndorserKeyCommitted(periodStart, endorserPublicKey)
    );
  }

  conflicts(periodStart: number): Conflicts {
    const before = this.base.conflicts(periodStart);
    const { conflicts = [], height } = this.block;
    if (conflicts.length === 0 || generationPeriodAt(height, this)?.start !== periodStart) return before;
    return new Map([...before, ...conflicts.map((index): [number, number] => [index, height])]);
  }

  storedFinalizedHeight(height: number): number {
    return this.base.storedFinalizedHeight(height);
  }

  findAsset(assetId: AssetId): AssetDescription | undefined {
    return changeOf(this.changes.assets, assetId) ?? this.base.findAsset(assetId);
  }

  findAssetByErc20Address(address: Uint8Array): AssetDescription | undefined {
    for (const asset of this.changes.assets.values())
      if (equalBytes(asset.assetId.subarray(0, address.length), address)) return asset;
    return this.base.findAssetByErc20Address(address);
  }

  assetsIssuedInBlock(): number {
    return this.#assetsIssued + (this.base.height === this.height ? this.base.assetsIssuedInBlock() : 0);
  }

  findAliasOwner(alias: Alias): Address | undefined {
    return this.changes.aliases.get(alias.name)?.address ?? this.base.findAliasOwner(alias);
  }

  isAliasTakenOver(alias: Alias): boolean {
    return this.changes.aliases.get(alias.name)?.isTakenOver ?? this.base.isAliasTakenOver(alias);
  }

  findLease(leaseId: LeaseId): LeaseDetails | undefined {
    return changeOf(this.changes.leases, leaseId) ?? this.base.findLease(leaseId);
  }

  *leaseBalances(): Iterable<LeaseBalanceChange> {
    for (const change of this.base.leaseBalances())
      if (!this.changes.leaseBalances.has(bytesKey(change.address))) yield change;
    for (const change of this.changes.leaseBalances.values()) if (change.in !== 0n || change.out !== 0n) yield change;
  }

  *activeLeases(): Iterable<LeaseDetails> {
    for (const lease of this.base.activeLeases()) if (!this.changes.leases.has(bytesKey(lease.leaseId))) yield lease;
    for (const lease of this.changes.leases.values()) if (lease.status === "active") yield lease;
  }

  orderFill(orderId: OrderId): { readonly volume: bigint; readonly fee: bigint } {
    return changeOf(this.changes.orderFills, orderId) ?? this.base.orderFill(orderId);
  }

  findAccountScript(address: Address): AccountScript | undefined {
    const change = changeOf(this.changes.accountScripts, address);
    return change === undefined ? this.base.findAccountScript(address) : change.script;
  }

  findData(address: Address, key: string): DataValue | undefined {
    const change = this.changes.data.get(dataKey(address, key));
    if (change !== undefined) return change.value ?? undefined;
    const { storedParent, spellings } = this.block;
    if (storedParent === undefined && spellings === undefined) return this.base.findData(address, key);
    const isSpelt = hasSpellings(key);
    if (storedParent !== undefined && isSpelt) storedParent.hasMattered = true;
    const found =
      storedParent === undefined ? this.base.findData(address, key) : this.base.findStoredData(address, key);
    return isSpelt && spellings !== undefined
      ? spellings.read(address, key, found, this.base.rememberedData(address, key))
      : found;
  }

  rememberedData(address: Address, key: string): RememberedData {
    return this.base.rememberedData(address, key);
  }

  hasData(address: Address): boolean {
    if (this.changes.dataOwners.has(bytesKey(address))) return true;
    const { storedParent } = this.block;
    if (storedParent === undefined) return this.base.hasData(address);
    if (this.base.hasStoredData(address)) return true;
    if (this.base.hasData(address)) storedParent.hasMattered = true;
    return false;
  }

  isStored(height: number): boolean {
    const { storedParent } = this.block;
    if (storedParent === undefined) return this.base.isStored(height);
    if (height < this.height && !this.base.isStored(height)) storedParent.hasMattered = true;
    return height < this.height;
  }

  findStoredData(address: Address, key: string): DataValue | undefined {
    const change = this.changes.data.get(dataKey(address, key));
    return change === undefined ? this.base.findStoredData(address, key) : (change.value ?? undefined);
  }

  hasStoredData(address: Address): boolean {
    return this.changes.dataOwners.has(bytesKey(address)) || this.base.hasStoredData(address);
  }

  findTransactionBody(id: TransactionId): Transaction | undefined {
    const included = changeOf(this.changes.transactions, id);
    return included === undefined ? this.base.findTransactionBody(id) : included.transaction;
  }

  findTransaction(id: TransactionId): { readonly height: number; readonly status: TransactionStatus } | undefined {
    return changeOf(this.changes.transactions, id) ?? this.base.findTransaction(id);
  }

  get historyFrom(): number {
    return this.base.historyFrom;
  }

  findHeader(height: number): SignedHeader | undefined {
    return height === this.height && this.block.header !== undefined ? this.block.header : this.base.findHeader(height);
  }

  findHeightOf(blockId: BlockId): number | undefined {
    return this.base.findHeightOf(blockId);
  }

  findHitSource(height: number): Uint8Array | undefined {
    return height === this.height && this.block.hitSource !== undefined
      ? this.block.hitSource
      : this.base.findHitSource(height);
  }

  blockReward(height: number): bigint | undefined {
    const before = () => this.base.blockReward(height);
    if (!("reward" in this.block) || height < this.height - 1 || height > this.height) return before();
    const { reward, storedParent } = this.block;
    if (height === this.height) return reward;
    // For its own transactions the parent has the reward of the block.
    if (storedParent === undefined) return reward;
    if (before() !== reward) storedParent.hasMattered = true;
    return before();
  }

  rewardVote(height: number): bigint {
    return this.base.rewardVote(height);
  }

  findStateHash(height: number): Digest | undefined {
    return this.base.findStateHash(height);
  }
}
