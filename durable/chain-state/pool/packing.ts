/**
 * Fills a block or micro-block with the pool's transactions.
 * @source Waves: utx/UtxPoolImpl.scala (pack), mining/MiningConstraint.scala, mining/TxEstimators.scala
 */
import type { BytesKey } from "../../../src/crypto/bytes.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { WorkRefused } from "../../../src/ride/work-refused.ts";
import type { BlockRun } from "../../../src/rules/blocks/block-run.ts";
import { RemoteStateMissing } from "../../../src/rules/state/remote-state-missing.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import type { Effort } from "../../../src/rules/transactions/block-context.ts";
import { DeferredTransactions, deferredComplexity, PACK_COMPLEXITY, refusedComplexity } from "./pack-effort.ts";
import { isExpired } from "./pool-context.ts";
import type { PoolEntry } from "./pool-entry.ts";
import { scriptedAccounts } from "./scripted-accounts.ts";

export interface PackOptions {
  /** The tip on which the run was opened. */
  readonly view: StateView;
  /** Limit of transactions in this run. */
  readonly maxTransactions: number;
  readonly nowMs: number;
  /** Called before each transaction except the first: whether to stop with the transactions packed so far. */
  readonly isTimeUp?: (() => boolean) | undefined;
  /** Complexity of scripts after which no further transaction is tried; by default `PACK_COMPLEXITY`. */
  readonly maxComplexity?: bigint;
}

/** Size of the smallest transaction: with less room the block is full. */
const smallestTransactionBytes = 109;

/**
 * Bound per free slot of the block, for transactions tried, for those read in vain, and for those postponed to the next
 * round.
 */
const TRIES_PER_SLOT = 4;

export class Packing {
  readonly #run: BlockRun;
  readonly #options: PackOptions;
  readonly #load: (entry: PoolEntry) => Transaction | undefined;
  readonly #deferred: DeferredTransactions;
  #tries = 0;
  /**
   * Number of transactions read and then postponed, because their accounts have got scripts since they were last read.
   */
  #readInVain = 0;
  #spentComplexity = 0n;
  readonly packed: Transaction[] = [];
  /** Expired, invalid or lost transactions, to be removed from the pool. */
  readonly dropped: PoolEntry[] = [];
  /** Transaction that caused an error other than a rule violation. */
  failed: PoolEntry | undefined;

  /** @param unfit transactions that did not fit in earlier packings; receives those that do not fit into this one */
  constructor(
    run: BlockRun,
    options: PackOptions,
    load: (entry: PoolEntry) => Transaction | undefined,
    unfit = new DeferredTransactions(),
  ) {
    this.#run = run;
    this.#options = options;
    this.#load = load;
    this.#deferred = unfit;
  }

  /** Whether no further transaction can fit into the block. */
  get isBlockFull(): boolean {
    const { usage, limits } = this.#run;
    const { transactions, sizeBytes } = limits;
    if (transactions !== undefined && usage.transactions >= transactions) return true;
    return sizeBytes !== undefined && usage.sizeBytes + smallestTransactionBytes > sizeBytes;
  }

  /**
   * Takes transactions of the priority pool in their order. Of the others, each script runs once in a round, so that
   * the transactions of one dApp do not delay all others.
   */
  pack(returned: Iterable<PoolEntry>, ordinary: Iterable<PoolEntry>): void {
    const seen = new Set<BytesKey>();
    for (const entry of returned) {
      if (this.#isDone()) return;
      if (this.#passesOver(entry)) continue;
      const transaction = this.#load(entry);
      this.#add(entry, transaction);
      for (const account of this.#scriptedAccounts(entry, transaction)) seen.add(account);
    }
    let round = this.#packRound(ordinary, seen);
    while (round.length > 0 && !this.#isDone()) round = this.#packRound(round, new Set());
  }

  /**
   * @param seen accounts whose scripts have already run
   * @returns entries postponed to the next round
   */
  #packRound(entries: Iterable<PoolEntry>, seen: Set<BytesKey>): PoolEntry[] {
    const { maxTransactions } = this.#options;
    const most = TRIES_PER_SLOT * maxTransactions;
    const postponed: PoolEntry[] = [];
    for (const entry of entries) {
      if (this.#isDone()) break;
      if (this.#passesOver(entry)) continue;
      const isHeldUp = () => !entry.isFavoured && entry.scriptedAccounts.some((account) => seen.has(account));
      const postpone = () => postponed.length < most && postponed.push(entry);
      // One account may have most of the pool: entries known to wait are not read, and delay no others.
      if (isHeldUp()) {
        postpone();
        continue;
      }
      const transaction = this.#load(entry);
      const accounts = this.#scriptedAccounts(entry, transaction);
      entry.scriptedAccounts = accounts;
      if (isHeldUp()) {
        postpone();
        this.#readInVain++;
        if (this.#readInVain >= most) break;
        continue;
      }
      this.#add(entry, transaction);
      for (const account of accounts) seen.add(account);
    }
    return postponed;
  }

  #scriptedAccounts({ isFavoured }: PoolEntry, transaction: Transaction | undefined): readonly BytesKey[] {
    return transaction === undefined || isFavoured ? [] : scriptedAccounts(transaction, this.#options.view);
  }

  #isDone(): boolean {
    const { maxTransactions, isTimeUp, maxComplexity = PACK_COMPLEXITY } = this.#options;
    if (this.packed.length >= maxTransactions || this.#tries >= TRIES_PER_SLOT * maxTransactions) return true;
    if (this.isBlockFull || this.#spentComplexity >= maxComplexity) return true;
    return this.#tries > 0 && isTimeUp?.() === true;
  }

  /** Skips an entry that is too old or has no room, without reading it. It counts as tried. */
  #passesOver(entry: PoolEntry): boolean {
    const { view, nowMs } = this.#options;
    const expired = isExpired(BigInt(entry.timestampMs), view, nowMs);
    if (!expired && this.#mayFit(entry)) return false;
    this.#tries++;
    if (expired) this.dropped.push(entry);
    return true;
  }

  /** Whether there may be room for the entry, by its size and by the complexity known from an earlier packing. */
  #mayFit(entry: PoolEntry): boolean {
    const { usage, limits } = this.#run;
    const { sizeBytes, scriptComplexity } = limits;
    if (sizeBytes !== undefined && usage.sizeBytes + entry.sizeBytes > sizeBytes) return false;
    return (
      scriptComplexity === undefined ||
      usage.scriptComplexity + this.#deferred.complexityOf(entry) <= BigInt(scriptComplexity)
    );
  }

  #add(entry: PoolEntry, transaction: Transaction | undefined): void {
    this.#tries++;
    if (transaction === undefined) {
      this.dropped.push(entry);
      return;
    }
    const before = this.#run.usage.scriptComplexity;
    const effort: Effort = { hasRun: false, complexity: 0 };
    try {
      this.#run.add(transaction, !entry.hasVerifiedSignatures, effort);
      this.packed.push(transaction);
      this.#spentComplexity += this.#run.usage.scriptComplexity - before;
    } catch (error) {
      if (error instanceof WorkRefused) {
        this.#spentComplexity += refusedComplexity(error, effort);
        this.dropped.push(entry);
        return;
      }
      if (error instanceof RemoteStateMissing) throw error;
      if (!(error instanceof RuleError)) {
        this.failed = entry;
        throw error;
      }
      const unfit = deferredComplexity(error, before);
      if (unfit !== undefined) {
        this.#deferred.put(entry, unfit);
        this.#spentComplexity += unfit;
        return;
      }
      this.#spentComplexity += refusedComplexity(error, effort);
      if (!waits(error)) this.dropped.push(entry);
    }
  }
}

/**
 * Whether a later block may take the transaction: this one has no room for it, or its timestamp is too far before the
 * transaction's. (A block's timestamp lags behind the clock with which the pool checked the transaction.)
 */
function waits({ violation: { code } }: RuleError): boolean {
  return code === "blockLimitExceeded" || code === "timestampFromFuture";
}
