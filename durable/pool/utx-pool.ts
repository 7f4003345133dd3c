/**
 * The UTX pool: transactions that were checked against the tip and wait for a block.
 *
 * Memory holds about 300 bytes of each, what decides about its place; the transactions themselves are in the storage.
 * So a pool of 100,000 transactions and 50 MB, the reference's default limits, fits into an isolate.
 * @source Waves: utx/UtxPoolImpl.scala, utx/UtxPriorityPool.scala
 */

import { type BytesKey, bytesKey, bytesOfKey, equalBytes } from "../../src/crypto/bytes.ts";
import type { UtxSettings } from "../../src/network/settings.ts";
import type { BlockId } from "../../src/protocol/blocks/block.ts";
import { RuleError, WireError } from "../../src/protocol/faults.ts";
import { encodeProtobuf, transactionSizeBytes } from "../../src/protocol/transactions/encode-for-block.ts";
import { FormatError } from "../../src/protocol/transactions/format-faults.ts";
import { parseSignedTransaction } from "../../src/protocol/transactions/parse-transaction.ts";
import { hasSender } from "../../src/protocol/transactions/signer.ts";
import type { Transaction, TransactionId } from "../../src/protocol/transactions/transaction.ts";
import { WorkRefused } from "../../src/ride/work-refused.ts";
import type { BlockRun } from "../../src/rules/blocks/block-run.ts";
import { OverlayView } from "../../src/rules/state/overlay-view.ts";
import type { StateView } from "../../src/rules/state/state-view.ts";
import { applyTransaction } from "../../src/rules/transactions/apply-transaction.ts";
import type { BlockContext } from "../../src/rules/transactions/block-context.ts";
import { tipContext } from "../../src/rules/transactions/tip-context.ts";
import { OrderedList } from "./ordered-list.ts";
import { UnfitTransactions } from "./pack-effort.ts";
import { Packing, type PackOptions } from "./packing.ts";
import { parsedTransactions } from "./parsed-transactions.ts";
import { checkAdmission, hasRoom, type PoolUsage } from "./pool-admission.ts";
import { isExpired, isRefusal, viewAfter } from "./pool-context.ts";
import type { PoolEntry } from "./pool-entry.ts";
import { compareProfit, compareRanks, poolRank } from "./pool-order.ts";
import type { PoolStorage } from "./pool-storage.ts";
import { areSignaturesFinal, isScripted } from "./scripted-accounts.ts";

export interface Packed {
  /** In the order of the run. They stay in the pool until `removeAll`. */
  readonly transactions: readonly Transaction[];
  /** Whether the block has no room for any further transaction. */
  readonly isBlockFull: boolean;
}

export type AddOptions = Pick<BlockContext, "trace"> & { readonly execution?: "strict" | "limited" };

/** @throws RuleError also in place of work that is refused */
function asked(apply: () => void): void {
  try {
    apply();
  } catch (error) {
    if (error instanceof WorkRefused)
      throw new RuleError({ code: "generic", message: error.message }, { cause: error });
    throw error;
  }
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
  /** Those at which something failed that no rule is against. */
  readonly #suspects = new WeakSet<PoolEntry>();
  readonly #unfit = new UnfitTransactions();
  #bytes = 0;
  #scripted = 0;
  #arrivals = 0;
  /** The tip with the returned transactions on top. */
  #composite: { readonly tipId: BlockId; readonly view: StateView } | undefined;
  /** Entries that the running pass of the clean-up has still to see; those that arrived after its start are not due. */
  #unseen: Iterator<PoolEntry> | undefined;
  #passEnd = 0;
  #isPassDue = false;

  constructor(facts: { readonly settings: UtxSettings; readonly chainId: number; readonly storage: PoolStorage }) {
    this.#settings = facts.settings;
    this.#chainId = facts.chainId;
    this.#storage = facts.storage;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Sum of the transactions' sizes. */
  get sizeBytes(): number {
    return this.#bytes;
  }

  has(id: TransactionId): boolean {
    return this.#entries.has(bytesKey(id));
  }

  find(id: TransactionId): Transaction | undefined {
    const entry = this.#entries.get(bytesKey(id));
    return entry && this.#load(entry);
  }

  /** Protobuf `SignedTransaction` of a waiting transaction. */
  findBytes(id: TransactionId): Uint8Array | undefined {
    return this.has(id) ? this.#storage.find(id) : undefined;
  }

  /** In the order in which the miner takes them. The pool must not change while they are read. */
  *all(): Iterable<Transaction> {
    for (const entry of this.#inOrder()) {
      const transaction = this.#load(entry);
      if (transaction !== undefined) yield transaction;
    }
  }

  /** As `all`: costs no reading. */
  *ids(): Iterable<TransactionId> {
    for (const { key } of this.#inOrder()) yield bytesOfKey(key) as TransactionId;
  }

  /**
   * Checks the transaction against the tip and takes it in.
   * @param view the tip
   * @param options how far scripts run: of what clients send to their end, of what peers send as far as it could be refused
   * @returns false when it is there already
   * @throws RuleError why the chain's rules or the pool refuse it
   */
  add(transaction: Transaction, view: StateView, nowMs: number, options: AddOptions = {}): boolean {
    if (this.has(transaction.id)) return false;
    const entry = this.#entryOf(transaction, view, areSignaturesFinal(transaction, view));
    const first = this.#ranked.first();
    checkAdmission(
      { transaction, ...entry, isMostProfitable: first === undefined || compareProfit(entry, first) < 0 },
      this.#usage(),
      this.#settings,
    );
    const context = { ...tipContext(view, nowMs, true), execution: "strict", ...options } as const;
    asked(() => applyTransaction(transaction, this.#viewAfterReturned(view, nowMs), context));
    this.#enter(entry, transaction);
    this.#ranked.insert(entry);
    return true;
  }

  /**
   * Moves what fits into the run, in the pool's order, and throws out what has become invalid or too old.
   * @throws what is a bug in a rule, or a fault of the database: a transaction that brings it out twice is thrown out
   */
  pack(run: BlockRun, options: PackOptions): Packed {
    const packing = new Packing(run, options, (entry) => this.#load(entry), this.#unfit);
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

  /** To be called with the transactions of every appended block and micro-block. */
  removeAll(transactions: Iterable<Pick<Transaction, "id">>): void {
    for (const { id } of transactions) {
      const entry = this.#entries.get(bytesKey(id));
      if (entry !== undefined) this.#leave(entry);
    }
  }

  /**
   * To be called after every key block, once its own transactions are removed: those of micro-blocks that it dropped
   * come first from now on. They are not checked again before they are packed. What came first so far goes back into
   * the common order (the reference loses it when the key block dropped nothing).
   */
  returnDiscarded(discarded: Iterable<Transaction>, view: StateView): void {
    for (const entry of this.#returned.values()) this.#ranked.insert(entry);
    this.#returned.clear();
    this.#composite = undefined;
    for (const transaction of discarded) {
      const entry = this.#readmitted(transaction, view);
      if (entry !== undefined) this.#returned.set(entry.key, entry);
    }
    this.startCleanUp();
  }

  /** Takes back transactions of blocks that were rolled back, unchecked: the clean-up sees to them. */
  readmit(transactions: Iterable<Transaction>, view: StateView): void {
    for (const transaction of transactions) {
      const entry = this.#readmitted(transaction, view);
      if (entry !== undefined) this.#ranked.insert(entry);
    }
    this.startCleanUp();
  }

  /**
   * Fills the pool with what the storage keeps: when the object starts, and after a change of the storage was undone.
   * What it knew before is forgotten.
   */
  restore(view: StateView): void {
    this.#forget();
    const unreadable: TransactionId[] = [];
    for (const { id, bytes } of this.#storage.all()) {
      const transaction = this.#parse(bytes);
      if (transaction === undefined || !equalBytes(transaction.id, id)) {
        unreadable.push(id);
        continue;
      }
      const entry = this.#entryOf(transaction, view);
      this.#count(entry);
      this.#ranked.insert(entry);
    }
    for (const id of unreadable) this.#storage.remove(id);
    this.startCleanUp();
  }

  /** Whether `cleanUp` has work to do. */
  get hasCleanUp(): boolean {
    return this.#entries.size > 0 && (this.#isPassDue || this.#unseen !== undefined);
  }

  /** To be called when the tip has changed: everything is to be checked again. */
  startCleanUp(): void {
    this.#isPassDue = true;
  }

  /**
   * Checks some transactions again and throws out those that have expired or that the tip no longer lets in.
   * @param atMost how many: the work of one call
   * @returns whether there is more to do
   */
  cleanUp(view: StateView, nowMs: number, atMost = 200): boolean {
    if (this.#unseen === undefined) {
      if (!this.#isPassDue) return false;
      this.#isPassDue = false;
      this.#unseen = this.#entries.values();
      this.#passEnd = this.#arrivals;
    }
    for (let count = 0; count < atMost; count++) {
      // A Map's iterator goes on after entries were removed or added.
      const { done, value } = this.#unseen.next();
      if (done || value.arrival >= this.#passEnd) {
        this.#unseen = undefined;
        return this.#isPassDue;
      }
      if (!this.#returned.has(value.key) && !this.#stillHolds(value, view, nowMs)) this.#leave(value);
    }
    return true;
  }

  /** Signatures are left to the packing, which verifies those that are not known to be valid. */
  #stillHolds(entry: PoolEntry, view: StateView, nowMs: number): boolean {
    const transaction = this.#load(entry);
    if (transaction === undefined || isExpired(transaction, view, nowMs)) return false;
    try {
      const context = { ...tipContext(view, nowMs, false), execution: "limited" } as const;
      applyTransaction(transaction, this.#viewAfterReturned(view, nowMs), context);
      return true;
    } catch (error) {
      if (isRefusal(error)) return false;
      this.#suspect(entry);
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

  #viewAfterReturned(view: StateView, nowMs: number): StateView {
    const tipId = view.findHeader(view.height)?.id;
    if (this.#returned.size === 0 || tipId === undefined)
      return new OverlayView(view, { height: view.height, mayRefuseWork: true });
    if (this.#composite === undefined || !equalBytes(this.#composite.tipId, tipId)) {
      const returned = [...this.#returned.values()].flatMap((entry) => this.#load(entry) ?? []);
      this.#composite = { tipId, view: viewAfter(returned, view, nowMs) };
    }
    return this.#composite.view;
  }

  #forget(): void {
    for (const known of [this.#entries, this.#returned, this.#parsed]) known.clear();
    this.#ranked.clear();
    this.#bytes = 0;
    this.#scripted = 0;
    this.#composite = undefined;
    this.#unseen = undefined;
  }

  #entryOf(transaction: Transaction, view: StateView, hasVerifiedSignatures = false): PoolEntry {
    return {
      ...poolRank(transaction, this.#arrivals++, this.#settings),
      key: bytesKey(transaction.id),
      sizeBytes: transactionSizeBytes(transaction),
      isScripted: isScripted(transaction, view),
      hasVerifiedSignatures,
    };
  }

  /** The entry, now in the pool but without a place in it; undefined for what the pool or the chain has. */
  #readmitted(transaction: Transaction, view: StateView): PoolEntry | undefined {
    if (!hasSender(transaction) || this.has(transaction.id)) return undefined;
    if (view.findTransaction(transaction.id) !== undefined || !hasRoom(this.#usage(), this.#settings)) return undefined;
    const entry = this.#entryOf(transaction, view);
    this.#enter(entry, transaction);
    return entry;
  }

  #usage(): PoolUsage {
    return { transactions: this.size, bytes: this.#bytes, scriptedTransactions: this.#scripted };
  }

  #enter(entry: PoolEntry, transaction: Transaction): void {
    this.#storage.put(transaction.id, encodeProtobuf(transaction));
    this.#parsed.set(entry.key, transaction);
    this.#count(entry);
  }

  #count(entry: PoolEntry): void {
    this.#entries.set(entry.key, entry);
    this.#bytes += entry.sizeBytes;
    if (entry.isScripted) this.#scripted++;
  }

  #leave(entry: PoolEntry): void {
    if (!this.#entries.has(entry.key)) return;
    // First what may fail: memory has what the storage has.
    this.#storage.remove(bytesOfKey(entry.key) as TransactionId);
    this.#entries.delete(entry.key);
    this.#parsed.delete(entry.key);
    if (this.#returned.delete(entry.key)) this.#composite = undefined;
    else this.#ranked.remove(entry);
    this.#bytes -= entry.sizeBytes;
    if (entry.isScripted) this.#scripted--;
  }

  /** Undefined when the storage does not have it, or not in a form that this version reads. */
  #load({ key }: PoolEntry): Transaction | undefined {
    const known = this.#parsed.get(key);
    if (known !== undefined) return known;
    const bytes = this.#storage.find(bytesOfKey(key) as TransactionId);
    const transaction = bytes && this.#parse(bytes);
    if (transaction !== undefined) this.#parsed.set(key, transaction);
    return transaction;
  }

  #parse(bytes: Uint8Array): Transaction | undefined {
    try {
      return parseSignedTransaction(bytes, this.#chainId);
    } catch (error) {
      if (error instanceof WireError || error instanceof FormatError) return undefined;
      throw error;
    }
  }
}
