/**
 * The UTX pool: transactions that were checked against the tip and wait for a block.
 *
 * Memory holds about 300 bytes of each, what decides about its place; the transactions themselves are in the storage.
 * So a pool of 100,000 transactions and 50 MB, the reference's default limits, fits into an isolate.
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
  type DiscardedTransaction,
  type TransactionEffect,
  viewAfter,
} from "../../../src/rules/transactions/composite-view.ts";
import { isRefusal } from "../../../src/rules/transactions/refusal.ts";
import { tipContext } from "../../../src/rules/transactions/tip-context.ts";
import { CleanUpTurns } from "./clean-up-schedule.ts";
import { OrderedList } from "./ordered-list.ts";
import { FORBIDDEN_COMPLEXITY, refusedComplexity, UnfitTransactions } from "./pack-effort.ts";
import { Packing, type PackOptions } from "./packing.ts";
import { parsedTransactions } from "./parsed-transactions.ts";
import { checkAdmission, hasRoom, type PoolUsage } from "./pool-admission.ts";
import { checkAge, isExpired } from "./pool-context.ts";
import type { PoolEntry } from "./pool-entry.ts";
import { compareProfit, compareRanks, poolRank } from "./pool-order.ts";
import type { PoolStorage, StoredTransaction } from "./pool-storage.ts";
import { type ReturnedEffect, ReturnedEffects } from "./priority-effects.ts";
import { Readmission } from "./readmission.ts";
import { RefusalMemory } from "./refusal-memory.ts";
import { areSignaturesFinal, isScripted, runsScripts, scriptedAccounts } from "./scripted-accounts.ts";
import { OfferMeter } from "./submission-meter.ts";
import { UnreadTransactions } from "./unread-transactions.ts";

export interface Packed {
  /** In the order of the run. They stay in the pool until `removeAll`. */
  readonly transactions: readonly Transaction[];
  /** Whether the block has no room for any further transaction. */
  readonly isBlockFull: boolean;
}

/** What became of transactions when the chain changed; none stands in two of the lists. */
export interface PoolChange {
  /** They are in the chain now. */
  readonly appended: Iterable<Pick<Transaction, "id">>;
  /** They go first from now on; undefined where what goes first stays the same. */
  readonly discarded: Iterable<DiscardedTransaction> | undefined;
  /** They wait like any other. */
  readonly dropped: Iterable<Transaction>;
}

/** What comes back and goes first. */
interface Returning {
  readonly entries: readonly PoolEntry[];
  readonly effects: readonly ReturnedEffect[];
}

/** What the scripts of one slice of the clean-up, or of what is taken in at once, may cost, and one transaction's more. */
const SLICE_COMPLEXITY = 50_000n;

export type AddOptions = Partial<Pick<BlockContext, "trace" | "verifySignatures">> & {
  /** How far scripts run: of what clients send to their end, of what peers send as far as it could be refused. */
  readonly execution?: "strict" | "limited";
};

/** A transaction that somebody wants in the pool. */
export type Offered = AddOptions & {
  readonly transaction: Transaction;
  /** For scripts of a transaction that is refused; undefined: they are not counted. */
  readonly allowance?: WorkAllowance | undefined;
};

/**
 * What became of it. `isNew`: it was not there yet. An error that is no RuleError is not the transaction's fault: the pool does
 * not have it.
 */
export type Outcome = { readonly isNew: boolean } | { readonly error: unknown };

/** The oldest first. */
function compareAges(left: PoolEntry, right: PoolEntry): number {
  return left.timestampMs - right.timestampMs || left.arrival - right.arrival;
}

/** Complexity that a transaction counts for which did not get into the pool. */
function costOf(error: unknown, effort: Effort): bigint {
  if (error instanceof WorkExceeded) return FORBIDDEN_COMPLEXITY;
  return isRefusal(error) ? refusedComplexity(error, effort) : SLICE_COMPLEXITY;
}

/** Whether who offers it could not know that it is refused: other nodes relay what a bound of this node alone refuses. */
function isBlameless(error: unknown, { execution }: AddOptions): boolean {
  return error instanceof WorkRefused && execution === "limited";
}

/** What is said of work that is refused. */
function sayingOf(error: unknown): unknown {
  return error instanceof WorkRefused
    ? new RuleError({ code: "generic", message: error.message }, { cause: error })
    : error;
}

export class UtxPool {
  readonly #settings: UtxSettings;
  readonly #chainId: number;
  readonly #storage: PoolStorage;
  readonly #parsed = parsedTransactions();
  /** All of the pool, in the order of arrival. */
  readonly #entries = new Map<BytesKey, PoolEntry>();
  /** Came back from dropped micro-blocks, in their order there: they go first. */
  readonly #returned = new Map<BytesKey, PoolEntry>();
  /** The others, in the order in which the miner takes them. */
  readonly #ranked = new OrderedList<PoolEntry>(compareRanks);
  /** All of the pool, the oldest first. */
  readonly #byAge = new OrderedList<PoolEntry>(compareAges);
  readonly #turns = new CleanUpTurns(this.#entries);
  /** Those at which something failed that no rule is against. */
  readonly #suspects = new WeakSet<PoolEntry>();
  readonly #unfit = new UnfitTransactions();
  readonly #refusals = new RefusalMemory();
  #bytes = 0;
  #scripted = 0;
  #arrivals = 0;
  /** The tip where nothing goes first; judging changes nothing in it. */
  #plain: OverlayView | undefined;
  readonly #effects = new ReturnedEffects((key) => this.#load(key));
  /** What the storage holds besides; undefined once all of it was read. */
  #unread: UnreadTransactions | undefined;

  constructor(facts: { readonly settings: UtxSettings; readonly chainId: number; readonly storage: PoolStorage }) {
    this.#settings = facts.settings;
    this.#chainId = facts.chainId;
    this.#storage = facts.storage;
  }

  get size(): number {
    return this.#entries.size + (this.#unread?.count ?? 0);
  }

  /** Sum of the transactions' sizes; of those that are not read yet, what they take in the storage. */
  get sizeBytes(): number {
    return this.#bytes + (this.#unread?.sizeBytes ?? 0);
  }

  /** Whether all that the storage holds was read since the start: before, what is read comes first. */
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

  /** In the order in which the miner takes them. The pool must not change while they are read. */
  *all(): Iterable<Transaction> {
    for (const id of this.ids()) {
      const transaction = this.#load(bytesKey(id));
      if (transaction !== undefined) yield transaction;
    }
  }

  /** As `all`: costs no reading of what was read before. */
  *ids(): Iterable<TransactionId> {
    for (const { key } of this.#inOrder()) yield bytesOfKey(key) as TransactionId;
    for (const id of this.#unread?.ids() ?? []) if (!this.#entries.has(bytesKey(id))) yield id;
  }

  /** What those that go first did in the chain, as far as it counts. */
  returned(): Iterable<TransactionEffect> {
    return this.#effects.all();
  }

  /**
   * As `addAll` of one.
   * @returns false when it is there already
   * @throws RuleError why the chain's rules or the pool refuse it
   */
  add(transaction: Transaction, view: StateView, nowMs: number, options: AddOptions = {}): boolean {
    const [outcome] = this.addAll([{ ...options, transaction }], view, nowMs);
    if (outcome === undefined) throw new Error("the pool leaves the first of what it is offered for later");
    if ("error" in outcome) throw outcome.error;
    return outcome.isNew;
  }

  /**
   * Checks transactions one after the other against the tip and takes in those that pass. They are written together.
   * @param view the tip
   * @returns outcomes of the first of them, at least of one: what scripts may cost in one go is bounded
   */
  addAll(offers: readonly Offered[], view: StateView, nowMs: number): readonly Outcome[] {
    const outcomes: Outcome[] = [];
    const added = new Map<BytesKey, { readonly entry: PoolEntry; readonly transaction: Transaction }>();
    let complexity = 0n;
    for (const { transaction, allowance, ...options } of offers) {
      if (complexity >= SLICE_COMPLEXITY) break;
      const effort: Effort = { hasRun: false, complexity: 0 };
      const workMeter = allowance && new OfferMeter(allowance);
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
        outcomes.push({ error: sayingOf(error) });
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
      // One that came twice is not there, either.
      return outcomes.map((outcome, index) => {
        const id = offers[index]?.transaction.id;
        return "isNew" in outcome && id !== undefined && added.has(bytesKey(id)) ? { error } : outcome;
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
    }: AddOptions & Pick<BlockContext, "effort"> & { readonly workMeter: OfferMeter | undefined },
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
    const state = this.#viewAfterReturned(view);
    if (workMeter === undefined) {
      const { totalComplexity } = applyTransaction(transaction, state, context);
      return { entry, totalComplexity };
    }
    const metered = new OverlayView(state, { height: state.height, workMeter });
    // A trace tells of a run.
    const isKnowable = options.trace === undefined && runsScripts(transaction, state);
    const refusals = isKnowable ? this.#refusals.on(view, () => workMeter.spentComplexity) : undefined;
    const { totalComplexity } = applyTransaction(transaction, metered, { ...context, refusals });
    return { entry, totalComplexity };
  }

  /**
   * Moves what fits into the run, in the pool's order, and throws out what has become invalid or too old.
   * @throws what is a bug in a rule, or a fault of the database: a transaction that brings it out twice is thrown out
   */
  pack(run: BlockRun, options: PackOptions): Packed {
    this.#readSome(options.view);
    const packing = new Packing(run, options, ({ key }) => this.#load(key), this.#unfit);
    try {
      packing.pack(this.#returned.values(), this.#ranked);
    } catch (error) {
      if (packing.failed !== undefined) this.#suspect(packing.failed);
      throw error;
    } finally {
      for (const entry of packing.dropped) this.#leave(entry);
    }
    return { transactions: packing.packed, isBlockFull: packing.isBlockFull };
  }

  /** Throws transactions out, whatever they are worth. */
  removeAll(transactions: Iterable<Pick<Transaction, "id">>): void {
    for (const { id } of transactions) this.#removeAll([id])();
  }

  /**
   * Follows a change of the chain, within its SQLite transaction: the storage is written now.
   *
   * What comes back is not checked before it is packed, or its turn comes to be cleaned up. What went first so far goes
   * back into the common order where something else does (the reference loses it when a key block dropped nothing).
   * @param view the tip after the change
   * @returns lets memory follow; not called when the change is undone: the pool then is as it was, whatever was stored
   */
  follow({ appended, discarded, dropped }: PoolChange, view: StateView): () => void {
    const appendedIds = Array.from(appended, ({ id }) => id);
    const leave = this.#removeAll(appendedIds);
    const readmission = new Readmission(this.#usage());
    const first = discarded === undefined ? undefined : this.#returning(discarded, readmission, view);
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
   * Opens the pool on what the storage keeps, when the object starts or something else is stored than before. None of it is
   * read before `cleanUp` and `pack` come to it.
   */
  restore(): void {
    for (const held of [this.#entries, this.#returned, this.#ranked, this.#byAge, this.#parsed]) held.clear();
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
    return this.#unread !== undefined || this.#turns.isDue;
  }

  /** To be called when the tip has changed: what waits may no longer hold. */
  startCleanUp(): void {
    this.#turns.start();
  }

  /**
   * Reads some transactions, or checks some again and throws out those that have expired or that the tip no longer lets in.
   * @param atMost how many: the work of one call
   * @param atMostBytes after so many no further one is checked
   * @returns whether there is more to do
   */
  cleanUp(view: StateView, nowMs: number, atMost = 200, atMostBytes = 1_000_000): boolean {
    if (this.#unread !== undefined) {
      this.#readSome(view);
      return this.hasCleanUp;
    }
    if (!this.#turns.isDue) return false;
    this.#dropExpired(view, nowMs, atMost);
    let bytes = 0;
    let complexity = 0n;
    for (let count = 0; count < atMost && bytes < atMostBytes && complexity < SLICE_COMPLEXITY; count++) {
      const entry = this.#turns.next(nowMs);
      if (entry === undefined) break;
      if (this.#returned.has(entry.key)) continue;
      const check = this.#check(entry, view, nowMs);
      bytes += entry.sizeBytes;
      complexity += check.complexity;
      if (!check.holds) this.#leave(entry);
    }
    return this.#turns.isDue;
  }

  #dropExpired(view: StateView, nowMs: number, atMost: number): void {
    for (let count = 0; count < atMost; count++) {
      const oldest = this.#byAge.first();
      if (oldest === undefined || !isExpired(BigInt(oldest.timestampMs), view, nowMs)) return;
      this.#leave(oldest);
    }
  }

  #readSome(view: StateView): void {
    const unread = this.#unread;
    if (unread === undefined) return;
    const rows = unread.read();
    for (const row of rows) {
      unread.passes(row);
      // What was put later may have got the number of one that left.
      if (this.#entries.has(bytesKey(row.id))) continue;
      unread.leaves(row.bytes.length);
      this.#takeIn(row, view);
    }
    if (rows.length > 0) return;
    this.#unread = undefined;
    this.startCleanUp();
  }

  #takeIn({ seq, id, bytes }: StoredTransaction, view: StateView): void {
    const transaction = this.#parse(bytes);
    if (transaction === undefined || !equalBytes(transaction.id, id)) {
      this.#storage.remove(id);
      return;
    }
    const entry = this.#entryOf(transaction, view, { arrival: seq });
    this.#count(entry);
    this.#ranked.insert(entry);
  }

  /** Signatures are left to the packing, which verifies those that are not known to be valid. */
  #check(entry: PoolEntry, view: StateView, nowMs: number): { readonly holds: boolean; readonly complexity: bigint } {
    const transaction = this.#load(entry.key);
    if (transaction === undefined) return { holds: false, complexity: 0n };
    const effort: Effort = { hasRun: false, complexity: 0 };
    try {
      const context = { ...tipContext(view, nowMs, false), execution: "limited", effort } as const;
      const { totalComplexity } = applyTransaction(transaction, this.#viewAfterReturned(view), context);
      return { holds: true, complexity: totalComplexity };
    } catch (error) {
      // It may need what one has done that goes first, of which that is not known.
      const holds = this.#effects.size < this.#returned.size;
      if (isRefusal(error)) return { holds, complexity: refusedComplexity(error, effort) };
      if (!(error instanceof RemoteStateMissing)) this.#suspect(entry);
      throw error;
    }
  }

  /** What fails once may be the database's fault, and pass. What fails again must not hold up the others for ever. */
  #suspect(entry: PoolEntry): void {
    if (this.#suspects.has(entry)) this.#leave(entry);
    else this.#suspects.add(entry);
  }

  *#inOrder(): Iterable<PoolEntry> {
    yield* this.#returned.values();
    yield* this.#ranked;
  }

  #viewAfterReturned(view: StateView): StateView {
    if (this.#effects.size > 0) return this.#effects.on(view);
    if (this.#plain?.base !== view || this.#plain.height !== view.height) this.#plain = viewAfter(view, []).view;
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

  /** Stores those that come back. @returns what they did, up to the first that does not */
  #returning(discarded: Iterable<DiscardedTransaction>, readmission: Readmission, view: StateView): Returning {
    const entries: PoolEntry[] = [];
    const effects: ReturnedEffect[] = [];
    let isWhole = true;
    for (const { transaction, changeSet } of discarded) {
      const entry = this.#readmit(transaction, readmission, view);
      isWhole &&= entry !== undefined;
      if (entry === undefined) continue;
      entries.push(entry);
      if (isWhole) effects.push({ key: entry.key, changeSet });
    }
    return { entries, effects };
  }

  /** Stores it if neither the pool nor the chain has it. @returns undefined otherwise; it has no place in the pool yet */
  #readmit(transaction: Transaction, readmission: Readmission, view: StateView): PoolEntry | undefined {
    const { id } = transaction;
    if (!hasSender(transaction) || this.has(id) || readmission.has(id)) return undefined;
    if (view.findTransaction(id) !== undefined || !hasRoom(readmission.usage, this.#settings)) return undefined;
    const entry = this.#entryOf(transaction, view);
    this.#store(entry, transaction);
    readmission.add(entry);
    return entry;
  }

  /** What went first so far goes back into the common order. */
  #putFirst({ entries, effects }: Returning): void {
    for (const entry of this.#returned.values()) this.#ranked.insert(entry);
    this.#returned.clear();
    for (const entry of entries) {
      this.#count(entry);
      this.#returned.set(entry.key, entry);
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

  /** Removes from the storage what the pool has of them. @returns lets memory follow */
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
      for (const sizeBytes of unreadSizes) unread?.leaves(sizeBytes);
    };
  }

  #leave(entry: PoolEntry): void {
    if (!this.#entries.has(entry.key)) return;
    // First what may fail: memory has what the storage has.
    this.#storage.remove(bytesOfKey(entry.key) as TransactionId);
    this.#forget(entry);
  }

  #forget(entry: PoolEntry): void {
    if (!this.#entries.delete(entry.key)) return;
    this.#parsed.delete(entry.key);
    this.#byAge.remove(entry);
    if (this.#returned.delete(entry.key)) {
      this.#effects.left(entry.key);
      this.#refusals.forget();
    } else {
      this.#ranked.remove(entry);
    }
    this.#bytes -= entry.sizeBytes;
    if (entry.isScripted) this.#scripted--;
  }

  /** Undefined when the storage does not have it, or not in a form that this version reads. */
  #load(key: BytesKey): Transaction | undefined {
    const known = this.#parsed.get(key);
    if (known !== undefined) return known;
    const id = bytesOfKey(key) as TransactionId;
    const bytes = this.#storage.find(id);
    const transaction = bytes && this.#parse(bytes, id);
    if (transaction !== undefined) this.#parsed.set(key, transaction);
    return transaction;
  }

  /** @param knownId where it need not be computed */
  #parse(bytes: Uint8Array, knownId?: TransactionId): Transaction | undefined {
    try {
      return parseSignedTransaction(bytes, this.#chainId, ownRecords, knownId);
    } catch (error) {
      if (error instanceof WireError || error instanceof FormatError) return undefined;
      throw error;
    }
  }
}
