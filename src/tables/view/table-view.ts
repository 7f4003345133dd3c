import type { Address, Digest } from "../../crypto/identities.ts";
import { Feature } from "../../network/features.ts";
import type { BlockchainSettings } from "../../network/settings.ts";
import type { BlockId, SignedHeader } from "../../protocol/blocks/block.ts";
import { BlockVersion } from "../../protocol/blocks/block-version.ts";
import { parseStoredHeader } from "../../protocol/blocks/genesis-block.ts";
import { hasSpellings, withoutHalves } from "../../protocol/codec/utf8.ts";
import type { LeaseBalance, LeaseBalanceChange } from "../../protocol/snapshots/snapshot.ts";
import type { Asset, AssetId } from "../../protocol/transactions/asset.ts";
import type { OrderId } from "../../protocol/transactions/order.ts";
import { parseSignedTransaction, parseTransaction } from "../../protocol/transactions/parse-transaction.ts";
import type {
  Alias,
  DataValue,
  LeaseId,
  Transaction,
  TransactionId,
  TransactionStatus,
} from "../../protocol/transactions/transaction.ts";
import type { Commitment, Conflicts } from "../../rules/finality/commitment.ts";
import { type DepositSpan, depositSpan } from "../../rules/finality/deposit.ts";
import type { AuthorizationExemption } from "../../rules/state/authorization-exemption.ts";
import type { RememberedData } from "../../rules/state/data-spellings.ts";
import { FirstVerdicts, type ForeignAddresses } from "../../rules/state/foreign-addresses.ts";
import type { StateChanges } from "../../rules/state/overlay-view.ts";
import type {
  AccountScript,
  AssetDescription,
  BalanceAtHeight,
  LeaseDetails,
  StateView,
} from "../../rules/state/state-view.ts";
import { accountScriptTable } from "../account-scripts.ts";
import { accountTable, assetBalanceTable, type BalanceHistoryRow, balanceHistoryTable } from "../accounts.ts";
import { aliasTable } from "../aliases.ts";
import { type AssetRow, assetTable } from "../assets.ts";
import { type BlockRow, blockTable, transactionTable } from "../blocks.ts";
import { type ChallengeRow, challengeTable } from "../challenges.ts";
import {
  type CommitmentRow,
  commitmentTable,
  type GeneratorConflictRow,
  generatorConflictTable,
} from "../commitments.ts";
import { dataEntryTable, dataOwnerTable } from "../data-entries.ts";
import { featureTable } from "../features.ts";
import { type LeaseRow, leaseTable } from "../leases.ts";
import { orderFillTable } from "../order-fills.ts";
import { bindCell } from "../schema/cell.ts";
import type { RowChange } from "../schema/row-change.ts";
import { whereIs } from "../schema/where-is.ts";
import { CommittedPeriods } from "./committed-periods.ts";
import { EffectiveBalances } from "./effective-balances.ts";
import { LiquidData } from "./liquid-data.ts";
import type { RowSource } from "./row-source.ts";

/** Minimum of blocks whose rows stay in memory: the rules look a few back, and 100 for the hit source. */
const MIN_CACHED_BLOCKS = 110;
/** Cache size at which older ones are dropped. */
const MAX_CACHED_BLOCKS = 256;

export class TableView implements StateView {
  readonly settings: BlockchainSettings;
  readonly mayRefuseWork: boolean = false;
  readonly foreignAddresses: ForeignAddresses = new FirstVerdicts();
  readonly exemption: AuthorizationExemption | undefined;
  readonly #store: RowSource;
  #tipHeight: number | undefined;
  #historyFrom: number | undefined;
  #activations: Map<number, number> | undefined;
  readonly #blocks = new Map<number, BlockRow>();
  readonly #headers = new Map<number, SignedHeader>();
  readonly #effectiveBalances = new EffectiveBalances();
  #lastChallengeHeight: number | undefined;
  readonly #committedPeriods: CommittedPeriods;
  readonly liquidData: LiquidData;
  /** Height of the tip after a rollback: the reference had stored this block when the one above it came. */
  storedTipHeight: number | undefined;

  constructor(store: RowSource, settings: BlockchainSettings, exemption?: AuthorizationExemption) {
    this.#store = store;
    this.settings = settings;
    this.exemption = exemption;
    this.#committedPeriods = new CommittedPeriods(store);
    this.liquidData = new LiquidData(store);
  }

  /** Height of the tip; 0 while there is not even a genesis block. */
  get height(): number {
    this.#tipHeight ??= Number(this.#store.scalar(TIP_HEIGHT_SQL) ?? 0);
    return this.#tipHeight;
  }

  /** Drops cached rows after a rollback or an undone SQLite transaction. */
  refresh(): void {
    this.#tipHeight = undefined;
    this.#historyFrom = undefined;
    this.#activations = undefined;
    this.#blocks.clear();
    this.#headers.clear();
    this.#effectiveBalances.clear();
    this.#lastChallengeHeight = undefined;
    this.#committedPeriods.clear();
    this.liquidData.clear();
  }

  /** Updates cached rows after the commit of a block or micro-block. */
  advance(tip: BlockRow, header: SignedHeader, changes: readonly RowChange[]): void {
    const { height } = tip;
    this.liquidData.advance(changes, this.#tipHeight !== undefined && height > this.#tipHeight);
    this.#tipHeight = height;
    for (const { table, row } of changes) {
      if (table === featureTable) this.#activations = undefined;
      if (table === balanceHistoryTable) this.#effectiveBalances.advance(row as BalanceHistoryRow);
      if (table === challengeTable) {
        this.#effectiveBalances.advanceChallenge(row as ChallengeRow);
        this.#lastChallengeHeight = height;
      }
      if (table === commitmentTable) {
        const commitment = row as CommitmentRow;
        this.#committedPeriods.advance(commitment);
        this.#effectiveBalances.advanceDeposit(commitment.address, this.#depositSpan(commitment));
      }
      if (table === generatorConflictTable) {
        this.#committedPeriods.advanceConflict(row as GeneratorConflictRow);
        // A rare case: all deposits are read again, since their lengths change.
        this.#effectiveBalances.clear();
      }
    }
    this.#blocks.set(height, tip);
    this.#headers.set(height, header);
    for (const cached of [this.#blocks, this.#headers])
      if (cached.size > MAX_CACHED_BLOCKS)
        for (const old of cached.keys()) if (old < height - MIN_CACHED_BLOCKS) cached.delete(old);
  }

  /** Hook before changes on top of this view become rows. A view that has all of its state requires nothing. */
  assertKnown(_changes: StateChanges): void {}

  activationHeight(feature: number): number | undefined {
    this.#activations ??= new Map([
      ...this.settings.functionality.preActivatedFeatures,
      ...this.#store
        .query(featureTable, "ORDER BY id")
        .map(({ id, activationHeight }): [number, number] => [id, activationHeight]),
    ]);
    return this.#activations.get(feature);
  }

  /** Approved and preactivated features with their activation heights. */
  activations(): ReadonlyMap<number, number> {
    this.activationHeight(0);
    return this.#activations as Map<number, number>;
  }

  has(feature: number): boolean {
    return this.isActive(feature, this.height);
  }

  isActive(feature: number, height: number): boolean {
    const activation = this.activationHeight(feature);
    return activation !== undefined && height >= activation;
  }

  balance(address: Address, asset: Asset): bigint {
    return asset === null
      ? (this.#store.find(accountTable, { address })?.balance ?? 0n)
      : (this.#store.find(assetBalanceTable, { address, asset })?.balance ?? 0n);
  }

  leaseBalance(address: Address): LeaseBalance {
    const account = this.#store.find(accountTable, { address });
    return { in: account?.leaseIn ?? 0n, out: account?.leaseOut ?? 0n };
  }

  balanceHistory(address: Address, from: number, to: number): readonly BalanceAtHeight[] {
    const rows = this.#store.query(
      balanceHistoryTable,
      `WHERE address = ?1 AND height <= ?2 AND height >= ${IN_FORCE_AT_FROM} ORDER BY height DESC`,
      bindCell(address),
      to,
      from,
    );
    return rows.map(({ height, balance, leaseIn, leaseOut }) => ({ height, balance, in: leaseIn, out: leaseOut }));
  }

  minimumEffectiveBalance(address: Address, from: number, to: number): bigint {
    return this.#effectiveBalances.minimum(address, from, to, (start) => ({
      history: this.balanceHistory(address, start, Number.MAX_SAFE_INTEGER),
      challenges: this.#challengeHeights(address, start, Number.MAX_SAFE_INTEGER),
      deposits: this.#depositSpans(address, start),
    }));
  }

  /** Deposits of the account in force at the height or since. */
  #depositSpans(address: Address, from: number): readonly DepositSpan[] {
    if (this.activationHeight(Feature.DeterministicFinality) === undefined) return [];
    // First height of a period that has ended before.
    const ended = from - this.settings.functionality.generationPeriodLength;
    const rows = this.#store.query(commitmentTable, OF_ACCOUNT, bindCell(address), ended);
    if (rows.length === 0) return [];
    const conflicts = new Map(
      this.#store
        .query(
          generatorConflictTable,
          `WHERE (period_start, position) IN (SELECT period_start, position FROM commitment ${OF_ACCOUNT})`,
          bindCell(address),
          ended,
        )
        .map(({ periodStart, height }) => [periodStart, height]),
    );
    return rows.map((row) => this.#depositSpan(row, conflicts.get(row.periodStart)));
  }

  #depositSpan({ periodStart, height }: CommitmentRow, conflictHeight?: number): DepositSpan {
    const periodEnd = periodStart + this.settings.functionality.generationPeriodLength - 1;
    return depositSpan({ height, periodEnd, conflictHeight });
  }

  isChallenged(address: Address, from: number, to: number): boolean {
    return this.#challengeHeights(address, from, to).length > 0;
  }

  #challengeHeights(address: Address, from: number, to: number): readonly number[] {
    // PERF: there are hardly any, and every block checks.
    this.#lastChallengeHeight ??= Number(this.#store.scalar(LAST_CHALLENGE_SQL) ?? 0);
    if (this.#lastChallengeHeight < from) return [];
    return this.#store
      .query(challengeTable, "WHERE address = ? AND height BETWEEN ? AND ?", bindCell(address), from, to)
      .map(({ height }) => height);
  }

  commitments(periodStart: number): readonly Commitment[] {
    return this.#committedPeriods.commitments(periodStart);
  }

  commitmentCount(periodStart: number): number {
    return this.commitments(periodStart).length;
  }

  findCommitment(periodStart: number, address: Address): Commitment | undefined {
    return this.#committedPeriods.find(periodStart, address);
  }

  isEndorserKeyCommitted(periodStart: number, endorserPublicKey: Uint8Array): boolean {
    return this.#committedPeriods.hasEndorserKey(periodStart, endorserPublicKey);
  }

  conflicts(periodStart: number): Conflicts {
    return this.#committedPeriods.conflicts(periodStart);
  }

  storedFinalizedHeight(height: number): number {
    return this.findBlockRow(height)?.finalizedHeight ?? 1;
  }

  findAsset(assetId: AssetId): AssetDescription | undefined {
    const row = this.#store.find(assetTable, { id: assetId });
    return row && assetDescription(row);
  }

  findAssetByErc20Address(address: Uint8Array): AssetDescription | undefined {
    const first = new Uint8Array(32);
    first.set(address);
    const last = new Uint8Array(32).fill(0xff);
    last.set(address);
    const [row] = this.#store.query(assetTable, "WHERE id BETWEEN ? AND ?", bindCell(first), bindCell(last));
    return row && assetDescription(row);
  }

  assetsIssuedInBlock(): number {
    return Number(this.#store.scalar("SELECT COUNT(*) FROM asset WHERE issue_height = ?", this.height));
  }

  findAliasOwner({ name }: Alias): Address | undefined {
    return this.#store.find(aliasTable, { name })?.address;
  }

  isAliasTakenOver({ name }: Alias): boolean {
    return this.#store.find(aliasTable, { name })?.takenOver === true;
  }

  findLease(leaseId: LeaseId): LeaseDetails | undefined {
    const row = this.#store.find(leaseTable, { id: leaseId });
    return row && leaseDetails(row);
  }

  *leaseBalances(): Iterable<LeaseBalanceChange> {
    for (const row of this.#store.query(accountTable, "WHERE lease_in != 0 OR lease_out != 0 ORDER BY address"))
      yield { address: row.address, in: row.leaseIn, out: row.leaseOut };
  }

  *activeLeases(): Iterable<LeaseDetails> {
    const rows = this.#store.query(leaseTable, `WHERE ${whereIs(leaseTable, "status", "active")} ORDER BY id`);
    for (const row of rows) yield leaseDetails(row);
  }

  orderFill(orderId: OrderId): { readonly volume: bigint; readonly fee: bigint } {
    return this.#store.find(orderFillTable, { id: orderId }) ?? { volume: 0n, fee: 0n };
  }

  findAccountScript(address: Address): AccountScript | undefined {
    return this.#store.find(accountScriptTable, { address });
  }

  findData(address: Address, key: string): DataValue | undefined {
    const isSpelt = hasSpellings(key) && !this.isStored(this.height);
    const tipEntry = isSpelt ? this.liquidData.find(address, key, this.height) : undefined;
    return tipEntry === undefined ? this.findStoredData(address, key) : tipEntry.value;
  }

  hasData(address: Address): boolean {
    if (this.hasStoredData(address)) return true;
    return !this.isStored(this.height) && this.liquidData.hasAccount(address, this.height);
  }

  isStored(height: number): boolean {
    return height < this.height || (height === this.height && height === this.storedTipHeight);
  }

  findStoredData(address: Address, key: string): DataValue | undefined {
    return this.#store.find(dataEntryTable, { address, key: withoutHalves(key) })?.value;
  }

  hasStoredData(address: Address): boolean {
    return this.#store.find(dataOwnerTable, { address }) !== undefined;
  }

  rememberedData(address: Address, key: string): RememberedData {
    return this.liquidData.remembered(address, key, this.height);
  }

  findTransactionBody(id: TransactionId): Transaction | undefined {
    const row = this.#store.findLatest(transactionTable, { id });
    if (row === undefined) return undefined;
    const version = this.findHeader(row.height)?.header.version ?? BlockVersion.Protobuf;
    const parse = version >= BlockVersion.Protobuf ? parseSignedTransaction : parseTransaction;
    return parse(row.bytes, this.settings.chainId);
  }

  findTransaction(id: TransactionId): { readonly height: number; readonly status: TransactionStatus } | undefined {
    const row = this.#store.findLatest(transactionTable, { id });
    return row && { height: row.height, status: row.status };
  }

  /** The block's row; undefined outside 1 … tip. */
  findBlockRow(height: number): BlockRow | undefined {
    const cached = this.#blocks.get(height);
    if (cached !== undefined) return cached;
    const row = this.#store.find(blockTable, { height });
    if (row !== undefined) this.#blocks.set(height, row);
    return row;
  }

  get historyFrom(): number {
    this.#historyFrom ??= Number(this.#store.scalar(LOWEST_HEIGHT_SQL) ?? 1);
    return this.#historyFrom;
  }

  findHeader(height: number): SignedHeader | undefined {
    const cached = this.#headers.get(height);
    if (cached !== undefined) return cached;
    const row = this.findBlockRow(height);
    if (row === undefined) return undefined;
    const { header, signature } = parseStoredHeader(row.header, height, this.settings);
    const signedHeader = { header, signature, id: row.id };
    this.#headers.set(height, signedHeader);
    return signedHeader;
  }

  findHeightOf(blockId: BlockId): number | undefined {
    const height = this.#store.scalar("SELECT height FROM block WHERE id = ?", bindCell(blockId));
    return height === undefined ? undefined : Number(height);
  }

  findHitSource(height: number): Uint8Array | undefined {
    return this.findBlockRow(height)?.hitSource;
  }

  blockReward(height: number): bigint | undefined {
    return this.findBlockRow(height)?.reward;
  }

  rewardVote(height: number): bigint {
    const vote = this.#store.scalar("SELECT CAST(reward_vote AS TEXT) FROM block WHERE height = ?", height);
    return vote === undefined ? -1n : BigInt(vote as string);
  }

  findStateHash(height: number): Digest | undefined {
    return this.findBlockRow(height)?.stateHash;
  }

  /** Ids and bytes of a block's transactions, in order. */
  *transactionsAt(height: number): Iterable<{ readonly id: TransactionId; readonly bytes: Uint8Array }> {
    for (const { id, bytes } of this.#store.query(transactionTable, "WHERE height = ? ORDER BY position", height))
      yield { id, bytes };
  }
}

// PERF: ordered with a limit, since MAX over a view of two tables scans all rows of both.
const TIP_HEIGHT_SQL = "SELECT height FROM block ORDER BY height DESC LIMIT 1";
const LOWEST_HEIGHT_SQL = "SELECT height FROM block ORDER BY height LIMIT 1";
const LAST_CHALLENGE_SQL = "SELECT height FROM challenge ORDER BY height DESC LIMIT 1";
/** Commitments of an account to periods that begin after a height. */
const OF_ACCOUNT = "WHERE address = ?1 AND period_start > ?2";
/** Height of the account's last record at or below ?3, which is in force there. */
const IN_FORCE_AT_FROM = "COALESCE((SELECT MAX(height) FROM balance_history WHERE address = ?1 AND height <= ?3), 0)";

// PERF: assigns each field, since a rest pattern costs fifteen times as much, and exchanges need assets all the time.
function assetDescription(row: AssetRow): AssetDescription {
  return {
    assetId: row.id,
    issuer: row.issuer,
    originTransactionId: row.originTransactionId,
    issueHeight: row.issueHeight,
    sequenceInBlock: row.sequenceInBlock,
    decimals: row.decimals,
    nft: row.nft,
    volume: row.volume,
    reissuable: row.reissuable,
    name: row.name,
    description: row.description,
    textHeight: row.textHeight,
    script: row.script === undefined ? undefined : { script: row.script, complexity: row.scriptComplexity },
    scriptHeight: row.scriptHeight,
    minSponsoredAssetFee: row.minSponsoredAssetFee,
    sponsorshipHeight: row.sponsorshipHeight,
  };
}

function leaseDetails({ id, ...row }: LeaseRow): LeaseDetails {
  return { ...row, leaseId: id };
}
