/**
 * The UTX pool: transactions that were validated on the tip and wait for a block.
 *
 * Memory holds about 300 bytes of each, the data that decides its position; the transactions themselves are in the
 * storage. So a pool of 100,000 transactions and 50 MB, the reference's default limits, fits into an isolate.
 * @source Waves: utx/UtxPoolImpl.scala, utx/UtxPriorityPool.scala
 */

import { type BytesKey, bytesKey, bytesOfKey, equalBytes } from "../../../src/crypto/bytes.ts";
import type { UtxSettings } from "../../../src/network/settings.ts";
import { type WorkAllowance, WorkExceeded } from "../../../src/platform/refused-work.ts";
import { RuleError, WireError } from "../../../src/protocol/errors.ts";
import { encodeProtobuf, transactionSizeBytes } from "../../../src/protocol/transactions/encode-for-block.ts";
import { FormatError } from "../../../src/protocol/transactions/format-error.ts";
import { parseSignedTransaction } from "../../../src/protocol/transactions/parse-transaction.ts";
import { hasSender } from "../../../src/protocol/transactions/signer.ts";
import type { Transaction, TransactionId } from "../../../src/protocol/transactions/transaction.ts";
import { ownRecords } from "../../../src/protocol/transactions/transaction-source.ts";
import { WorkRefused } from "../../../src/ride/work-refused.ts";
import type { BlockRun } from "../../../src/rules/blocks/block-run.ts";
import { OverlayView } from "../../../src/rules/state/overlay-view.ts";
import { RemoteStateMissing } from "../../../src/rules/state/remote-state-missing.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import { applyTransaction } from "../../../src/rules/transactions/apply-transaction.ts";
import type { BlockContext, Effort } from "../../../src/rules/transactions/block-context.ts";
import {
  compositeView,
  type DiscardedTransaction,
  type TransactionWithSnapshot,
} from "../../../src/rules/transactions/composite-view.ts";
import { isRefusal } from "../../../src/rules/transactions/refusal.ts";
import { tipContext } from "../../../src/rules/transactions/tip-context.ts";
import { CleanUpSchedule } from "./clean-up-schedule.ts";
import { OrderedList } from "./ordered-list.ts";
import { DeferredTransactions, FORBIDDEN_COMPLEXITY, refusedComplexity } from "./pack-effort.ts";
import { Packing, type PackOptions } from "./packing.ts";
import { parsedTransactions } from "./parsed-transactions.ts";
import { checkAdmission, hasRoom, type PoolUsage } from "./pool-admission.ts";
import { checkAge, isExpired } from "./pool-context.ts";
import type { PoolEntry } from "./pool-entry.ts";
import { compareProfit, compareRanks, poolRank } from "./pool-order.ts";
import type { PoolStorage, StoredTransaction } from "./pool-storage.ts";
import { type PriorityEffect, PriorityEffects } from "./priority-effects.ts";
import { Readmission } from "./readmission.ts";
import { RefusalMemory } from "./refusal-memory.ts";
import { areSignaturesFinal, isScripted, runsScripts, scriptedAccounts } from "./scripted-accounts.ts";
import { SubmissionMeter } from "./submission-meter.ts";
import { UnreadTransactions } from "./unread-transactions.ts";

export interface Packed {
  /** Packed transactions in the order of the run. They stay in the pool until `removeAll`. */
  readonly transactions: readonly Transaction[];
  /** Whether the block has no room for any further transaction. */
  readonly isBlockFull: boolean;
}

/** Transactions affected by a change of the chain; none is in two of the lists. */
export interface PoolChange {
  /** Transactions that are now in the chain. */
  readonly appended: Iterable<Pick<Transaction, "id">>;
  /** New content of the priority pool; undefined if it stays the same. */
  readonly discarded: Iterable<DiscardedTransaction> | undefined;
  /** Transactions that return to the pool without priority. */
  readonly dropped: Iterable<Transaction>;
}

/** Transactions returned to the priority pool. */
interface PriorityEntries {
  readonly entries: readonly PoolEntry[];
  readonly effects: readonly PriorityEffect[];
}

/**
 * Complexity of scripts in one slice of the clean-up, or in one batch of additions. The last transaction may exceed it.
 */
const SLICE_COMPLEXITY = 50_000n;

export type AddOptions = Partial<Pick<BlockContext, "trace" | "verifySignatures">> & {
  /** `strict`, for clients: scripts run to their end. `limited`, for peers: as far as they could refuse. */
  readonly execution?: "strict" | "limited";
};

/** A transaction submitted to the pool. */
export type ParsedSubmission = AddOptions & {
  readonly transaction: Transaction;
  /** Allowance for the scripts of a refused transaction; undefined: they are not counted. */
  readonly allowance?: WorkAllowance | undefined;
};

/**
 * Result of a submission. `isNew`: the pool did not have the transaction before. With `error` the pool does not have
 * it; an error that is no RuleError is not caused by the transaction.
 */
export type AddResult = { readonly isNew: boolean } | { readonly error: unknown };

/** Order by age, the oldest first. */
function compareAges(left: PoolEntry, right: PoolEntry): number {
  return left.timestampMs - right.timestampMs || left.arrival - right.arrival;
}

/** Complexity counted for a transaction that was not added to the pool. */
function costOf(error: unknown, effort: Effort): bigint {
  if (error instanceof WorkExceeded) return FORBIDDEN_COMPLEXITY;
  return isRefusal(error) ? refusedComplexity(error, effort) : SLICE_COMPLEXITY;
}

/**
 * Whether the sender could not know of the refusal: other nodes relay transactions that only a bound of this node
 * refuses.
 */
function isBlameless(error: unknown, { execution }: AddOptions): boolean {
  return error instanceof WorkRefused && execution === "limited";
}

/** The reported error of refused work. */
function reportedError(error: unknown): unknown {
  return error instanceof WorkRefused
    ? new RuleError({ code: "generic", message: error.message }, { cause: error })
    : error;
}

export class UtxPool {
  readonly #settings: UtxSettings;
  readonly #chainId: number;
  readonly #storage: PoolStorage;
  readonly #parsed = parsedTransactions();
  /** All transactions of the pool, in order of arrival. */
  readonly #entries = new Map<BytesKey, PoolEntry>();
  /** Priority pool: transactions of discarded micro-blocks, in their order there. */
  readonly #priority = new Map<BytesKey, PoolEntry>();
  /** Transactions without priority, in the order in which the miner takes them. */
  readonly #ranked = new OrderedList<PoolEntry>(compareRanks);
  /** All transactions of the pool, the oldest first. */
  readonly #byAge = new OrderedList<PoolEntry>(compareAges);
  readonly #cleanUpSchedule = new CleanUpSchedule(this.#entries);
  /** Transactions that have caused an error other than a rule violation. */
  readonly #suspects = new WeakSet<PoolEntry>();
  readonly #deferred = new DeferredTransactions();
  readonly #refusals = new RefusalMemory();
  #bytes = 0;
  #scripted = 0;
  #arrivals = 0;
  /** The tip without priority transactions; validation changes nothing in it. */
  #plain: OverlayView | undefined;
  readonly #effects = new PriorityEffects((key) => this.#load(key));
  /** Stored transactions that are not yet in memory; undefined once all have been read. */
  #unread: UnreadTransactions | undefined;

  constructor(facts: { readonly settings: UtxSettings; readonly chainId: number; readonly storage: PoolStorage }) {
    this.#settings = facts.settings;
    this.#chainId = facts.chainId;
    this.#storage = facts.storage;
  }

  get size(): number {
    return this.#entries.size + (this.#unread?.count ?? 0);
  }

  /** Sum of the transactions' sizes; unread ones count with their stored size. */
  get sizeBytes(): number {
    return this.#bytes + (this.#unread?.sizeBytes ?? 0);
  }

  /** Whether all stored transactions have been read since the start. Until then reading has precedence. */
  get isRead(): boolean {
    return this.#unread === undefined;
  }

  has(id: TransactionId): boolean {
    return this.#entries.has(bytesKey(id)) || this.#unread?.has(id) === true;
  }

  find(id: TransactionId): Transaction | undefined {
    return this.has(id) ? this.#load(bytesKey(id)) : undefined;
  }

  /** Protobuf `SignedTransaction` of a waiting transaction. */
  findBytes(id: TransactionId): Uint8Array | undefined {
    return this.has(id) ? this.#storage.find(id) : undefined;
  }

  /** All transactions in the order in which the miner takes them. The pool must not change during the iteration. */
  *all(): Iterable<Transaction> {
    for (const id of this.ids()) {
      const transaction = this.#load(bytesKey(id));
      if (transaction !== undefined) yield transaction;
    }
  }

  /** Ids in the order of `all`, without reading transactions that are in memory. */
  *ids(): Iterable<TransactionId> {
    for (const { key } of this.#inOrder()) yield bytesOfKey(key) as TransactionId;
    for (const id of this.#unread?.ids() ?? []) if (!this.#entries.has(bytesKey(id))) yield id;
  }

  /** Known valid effects of the priority transactions. */
  priorityEffects(): Iterable<TransactionWithSnapshot> {
    return this.#effects.all();
  }

  /**
   * Adds one transaction, as `addAll`.
   * @returns false when the pool already has it
   * @throws RuleError when the chain's rules or the pool refuse it
   */
  add(transaction: Transaction, view: StateView, nowMs: number, options: AddOptions = {}): boolean {
    const [outcome] = this.addAll([{ ...options, transaction }], view, nowMs);
    if (outcome === undefined) throw new Error("the pool leaves the first of what it is offered for later");
    if ("error" in outcome) throw outcome.error;
    return outcome.isNew;
  }

  /**
   * Validates transactions one after the other on the tip and adds the valid ones. They are written in one batch.
   * @param view the tip
   * @returns results of the first ones, at least of one: the complexity of scripts in one call is bounded
   */
  addAll(offers: readonly ParsedSubmission[], view: StateView, nowMs: number): readonly AddResult[] {
    const outcomes: AddResult[] = [];
    const added = new Map<BytesKey, { readonly entry: PoolEntry; readonly transaction: Transaction }>();
    let complexity = 0n;
    for (const { transaction, allowance, ...options } of offers) {
      if (complexity >= SLICE_COMPLEXITY) break;
      const effort: Effort = { hasRun: false, complexity: 0 };
      const workMeter = allowance && new SubmissionMeter(allowance);
      try {
        const isNew = !this.has(transaction.id);
        if (isNew) {
          const admitted = this.#admit(transaction, view, nowMs, { ...options, effort, workMeter });
          complexity += admitted.totalComplexity;
          this.#count(admitted.entry);
          this.#ranked.insert(admitted.entry);
          added.set(admitted.entry.key, { entry: admitted.entry, transaction });
        }
        outcomes.push({ isNew });
      } catch (error) {
        outcomes.push({ error: reportedError(error) });
        if (workMeter !== undefined && isRefusal(error)) {
          const { spentComplexity } = workMeter;
          if (isBlameless(error, options)) allowance?.countUnblamed(spentComplexity);
          else allowance?.count(spentComplexity);
        }
        complexity += costOf(error, effort);
      }
    }
    if (added.size === 0) return outcomes;
    try {
      this.#storage.putAll(
        Array.from(added.values(), ({ transaction }) => ({ id: transaction.id, bytes: encodeProtobuf(transaction) })),
      );
    } catch (error) {
      for (const { entry } of added.values()) this.#forget(entry);
      // Includes the second submission of the same transaction.
      return outcomes.map((result, index) => {
        const id = offers[index]?.transaction.id;
        return "isNew" in result && id !== undefined && added.has(bytesKey(id)) ? { error } : result;
      });
    }
    for (const [key, { transaction }] of added) this.#parsed.set(key, transaction);
    return outcomes;
  }

  /** @throws RuleError, WorkRefused */
  #admit(
    transaction: Transaction,
    view: StateView,
    nowMs: number,
    {
      workMeter,
      ...options
    }: AddOptions & Pick<BlockContext, "effort"> & { readonly workMeter: SubmissionMeter | undefined },
  ): { readonly entry: PoolEntry; readonly totalComplexity: bigint } {
    const entry = this.#entryOf(transaction, view, { hasVerifiedSignatures: areSignaturesFinal(transaction, view) });
    const first = this.#ranked.first();
    checkAdmission(
      { transaction, ...entry, isMostProfitable: first === undefined || compareProfit(entry, first) < 0 },
      this.#usage(),
      this.#settings,
    );
    const context = { ...tipContext(view, nowMs, true), execution: "strict", ...options } as const;
    checkAge(transaction.timestamp, view, context);
    const state = this.#compositeView(view);
    if (workMeter === undefined) {
      const { totalComplexity } = applyTransaction(transaction, state, context);
      return { entry, totalComplexity };
    }
    const metered = new OverlayView(state, { height: state.height, workMeter });
    // A trace needs a real run.
    const isKnowable = options.trace === undefined && runsScripts(transaction, state);
    const refusals = isKnowable ? this.#refusals.on(view, () => workMeter.spentComplexity) : undefined;
    const { totalComplexity } = applyTransaction(transaction, metered, { ...context, refusals });
    return { entry, totalComplexity };
  }

  /**
   * Adds the transactions that fit to the run, in the pool's order, and removes those that have become invalid or too
   * old.
   * @throws errors of bugs in rules and of the database: a transaction that causes one twice is removed
   */
  pack(run: BlockRun, options: PackOptions): Packed {
    this.#readSome(options.view);
    const packing = new Packing(run, options, ({ key }) => this.#load(key), this.#deferred);
    try {
      packing.pack(this.#priority.values(), this.#ranked);
    } catch (error) {
      if (packing.failed !== undefined) this.#suspect(packing.failed);
      throw error;
    } finally {
      for (const entry of packing.dropped) this.#drop(entry);
    }
    return { transactions: packing.packed, isBlockFull: packing.isBlockFull };
  }

  /** Removes transactions unconditionally. */
  removeAll(transactions: Iterable<Pick<Transaction, "id">>): void {
    for (const { id } of transactions) this.#removeAll([id])();
  }

  /**
   * Follows a change of the chain, within its SQLite transaction: the storage is written at once.
   *
   * Returned transactions are not validated before they are packed or the clean-up reaches them. Earlier priority
   * transactions lose their priority when others get it (the reference loses them when a key block discarded nothing).
   * @param view the tip after the change
   * @returns function that updates memory; not called when the change is undone: the pool is then as before, and the
   *   writes are undone, too
   */
  follow({ appended, discarded, dropped }: PoolChange, view: StateView): () => void {
    const appendedIds = Array.from(appended, ({ id }) => id);
    const leave = this.#removeAll(appendedIds);
    const readmission = new Readmission(this.#usage());
    const first = discarded === undefined ? undefined : this.#readmitDiscarded(discarded, readmission, view);
    const others = Array.from(dropped, (transaction) => this.#readmit(transaction, readmission, view));
    return () => {
      this.#refusals.forget();
      this.#effects.appended(appendedIds.map(bytesKey));
      leave();
      if (first !== undefined) this.#putFirst(first);
      for (const entry of others) {
        if (entry === undefined) continue;
        this.#count(entry);
        this.#ranked.insert(entry);
      }
      this.startCleanUp();
    };
  }

  /**
   * Opens the pool on its storage, when the object starts or the stored content was replaced. Transactions are read
   * later, by `cleanUp` and `pack`.
   */
  restore(): void {
    for (const held of [this.#entries, this.#priority, this.#ranked, this.#byAge, this.#parsed]) held.clear();
    this.#effects.replace([]);
    this.#refusals.forget();
    this.#bytes = 0;
    this.#scripted = 0;
    this.#unread = undefined;
    const unread = new UnreadTransactions(this.#storage);
    this.#arrivals = unread.lastSeq + 1;
    if (unread.count > 0) this.#unread = unread;
  }

  /** Whether `cleanUp` has work to do. */
  get hasCleanUp(): boolean {
    return this.#unread !== undefined || this.#cleanUpSchedule.isDue;
  }

  /** To be called when the tip has changed: waiting transactions may have become invalid. */
  startCleanUp(): void {
    this.#cleanUpSchedule.start();
  }

  /**
   * Reads some transactions, or validates some again and removes those that have expired or are invalid on the tip.
   * @param atMost transactions per call
   * @param atMostBytes size of transactions after which no further one is validated
   * @returns whether work remains
   */
  cleanUp(view: StateView, nowMs: number, atMost = 200, atMostBytes = 1_000_000): boolean {
    if (this.#unread !== undefined) {
      this.#readSome(view);
      return this.hasCleanUp;
    }
    if (!this.#cleanUpSchedule.isDue) return false;
    this.#dropExpired(view, nowMs, atMost);
    let bytes = 0;
    let complexity = 0n;
    for (let count = 0; count < atMost && bytes < atMostBytes && complexity < SLICE_COMPLEXITY; count++) {
      const entry = this.#cleanUpSchedule.next(nowMs);
      if (entry === undefined) break;
      if (this.#priority.has(entry.key)) continue;
      const check = this.#check(entry, view, nowMs);
      bytes += entry.sizeBytes;
      complexity += check.complexity;
      if (!check.isValid) this.#drop(entry);
    }
    return this.#cleanUpSchedule.isDue;
  }

  #dropExpired(view: StateView, nowMs: number, atMost: number): void {
    for (let count = 0; count < atMost; count++) {
      const oldest = this.#byAge.first();
      if (oldest === undefined || !isExpired(BigInt(oldest.timestampMs), view, nowMs)) return;
      this.#drop(oldest);
    }
  }

  #readSome(view: StateView): void {
    const unread = this.#unread;
    if (unread === undefined) return;
    const rows = unread.read();
    for (const row of rows) {
      unread.passes(row);
      // A transaction added later may have got the number of a removed one.
      if (this.#entries.has(bytesKey(row.id))) continue;
      unread.removed(row.bytes.length);
      this.#addStored(row, view);
    }
    if (rows.length > 0) return;
    this.#unread = undefined;
    this.startCleanUp();
  }

  #addStored({ seq, id, bytes }: StoredTransaction, view: StateView): void {
    const transaction = this.#parse(bytes);
    if (transaction === undefined || !equalBytes(transaction.id, id)) {
      this.#storage.remove(id);
      return;
    }
    const entry = this.#entryOf(transaction, view, { arrival: seq });
    this.#count(entry);
    this.#ranked.insert(entry);
  }

  /** Validates a transaction, except for its signatures: packing verifies those that are not known to be valid. */
  #check(entry: PoolEntry, view: StateView, nowMs: number): { readonly isValid: boolean; readonly complexity: bigint } {
    const transaction = this.#load(entry.key);
    if (transaction === undefined) return { isValid: false, complexity: 0n };
    const effort: Effort = { hasRun: false, complexity: 0 };
    try {
      const context = { ...tipContext(view, nowMs, false), execution: "limited", effort } as const;
      const { totalComplexity } = applyTransaction(transaction, this.#compositeView(view), context);
      return { isValid: true, complexity: totalComplexity };
    } catch (error) {
      // The transaction may depend on a priority transaction with unknown effects.
      const isValid = this.#effects.size < this.#priority.size;
      if (isRefusal(error)) return { isValid, complexity: refusedComplexity(error, effort) };
      if (!(error instanceof RemoteStateMissing)) this.#suspect(entry);
      throw error;
    }
  }

  /**
   * Handles an error that is no rule's: the first may be a transient one of the database; a second removes the
   * transaction.
   */
  #suspect(entry: PoolEntry): void {
    if (this.#suspects.has(entry)) this.#drop(entry);
    else this.#suspects.add(entry);
  }

  *#inOrder(): Iterable<PoolEntry> {
    yield* this.#priority.values();
    yield* this.#ranked;
  }

  #compositeView(view: StateView): StateView {
    if (this.#effects.size > 0) return this.#effects.on(view);
    if (this.#plain?.base !== view || this.#plain.height !== view.height) this.#plain = compositeView(view, []).view;
    return this.#plain;
  }

  #entryOf(
    transaction: Transaction,
    view: StateView,
    { hasVerifiedSignatures = false, arrival = this.#arrivals++ } = {},
  ): PoolEntry {
    return {
      ...poolRank(transaction, arrival, this.#settings),
      key: bytesKey(transaction.id),
      sizeBytes: transactionSizeBytes(transaction),
      isScripted: isScripted(transaction, view),
      scriptedAccounts: scriptedAccounts(transaction, view),
      hasVerifiedSignatures,
    };
  }

  /** Stores returned transactions. @returns them, with the effects up to the first one that is not stored */
  #readmitDiscarded(
    discarded: Iterable<DiscardedTransaction>,
    readmission: Readmission,
    view: StateView,
  ): PriorityEntries {
    const entries: PoolEntry[] = [];
    const effects: PriorityEffect[] = [];
    let isWhole = true;
    for (const { transaction, stateSnapshot } of discarded) {
      const entry = this.#readmit(transaction, readmission, view);
      isWhole &&= entry !== undefined;
      if (entry === undefined) continue;
      entries.push(entry);
      if (isWhole) effects.push({ key: entry.key, stateSnapshot });
    }
    return { entries, effects };
  }

  /** Stores a transaction if neither the pool nor the chain has it. @returns its entry, not yet in the pool's lists */
  #readmit(transaction: Transaction, readmission: Readmission, view: StateView): PoolEntry | undefined {
    const { id } = transaction;
    if (!hasSender(transaction) || this.has(id) || readmission.has(id)) return undefined;
    if (view.findTransaction(id) !== undefined || !hasRoom(readmission.usage, this.#settings)) return undefined;
    const entry = this.#entryOf(transaction, view);
    this.#store(entry, transaction);
    readmission.add(entry);
    return entry;
  }

  /** Replaces the priority pool; earlier priority transactions move into the common order. */
  #putFirst({ entries, effects }: PriorityEntries): void {
    for (const entry of this.#priority.values()) this.#ranked.insert(entry);
    this.#priority.clear();
    for (const entry of entries) {
      this.#count(entry);
      this.#priority.set(entry.key, entry);
    }
    this.#effects.replace(effects);
  }

  #usage(): PoolUsage {
    return { transactions: this.size, bytes: this.sizeBytes, scriptedTransactions: this.#scripted };
  }

  #store({ key }: PoolEntry, transaction: Transaction): void {
    this.#storage.put(transaction.id, encodeProtobuf(transaction));
    this.#parsed.set(key, transaction);
  }

  #count(entry: PoolEntry): void {
    this.#entries.set(entry.key, entry);
    this.#byAge.insert(entry);
    this.#bytes += entry.sizeBytes;
    if (entry.isScripted) this.#scripted++;
  }

  /** Removes transactions from the storage, if the pool has them. @returns function that updates memory */
  #removeAll(ids: readonly TransactionId[]): () => void {
    const unread = this.#unread;
    const entries: PoolEntry[] = [];
    const read: TransactionId[] = [];
    const unreadSizes: number[] = [];
    for (const id of ids) {
      const entry = this.#entries.get(bytesKey(id));
      if (entry !== undefined) {
        entries.push(entry);
        read.push(id);
      } else if (unread !== undefined) {
        const sizeBytes = this.#storage.remove(id);
        if (sizeBytes !== undefined) unreadSizes.push(sizeBytes);
      }
    }
    this.#storage.removeAll(read);
    return () => {
      for (const entry of entries) this.#forget(entry);
      for (const sizeBytes of unreadSizes) unread?.removed(sizeBytes);
    };
  }

  #drop(entry: PoolEntry): void {
    if (!this.#entries.has(entry.key)) return;
    // The storage first, because it may fail: memory must match it.
    this.#storage.remove(bytesOfKey(entry.key) as TransactionId);
    this.#forget(entry);
  }

  #forget(entry: PoolEntry): void {
    if (!this.#entries.delete(entry.key)) return;
    this.#parsed.delete(entry.key);
    this.#byAge.remove(entry);
    if (this.#priority.delete(entry.key)) {
      this.#effects.removed(entry.key);
      this.#refusals.forget();
    } else {
      this.#ranked.remove(entry);
    }
    this.#bytes -= entry.sizeBytes;
    if (entry.isScripted) this.#scripted--;
  }

  /** Undefined when the transaction is not stored, or not in a form that this version reads. */
  #load(key: BytesKey): Transaction | undefined {
    const known = this.#parsed.get(key);
    if (known !== undefined) return known;
    const id = bytesOfKey(key) as TransactionId;
    const bytes = this.#storage.find(id);
    const transaction = bytes && this.#parse(bytes, id);
    if (transaction !== undefined) this.#parsed.set(key, transaction);
    return transaction;
  }

  /** @param knownId the id, if it need not be computed */
  #parse(bytes: Uint8Array, knownId?: TransactionId): Transaction | undefined {
    try {
      return parseSignedTransaction(bytes, this.#chainId, ownRecords, knownId);
    } catch (error) {
      if (error instanceof WireError || error instanceof FormatError) return undefined;
      throw error;
    }
  }
}
