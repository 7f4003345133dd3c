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
import { PACK_COMPLEXITY, refusedComplexity, UnfitTransactions, unfitComplexity } from "./pack-effort.ts";
import { isExpired } from "./pool-context.ts";
import type { PoolEntry } from "./pool-entry.ts";
import { scriptedAccounts } from "./scripted-accounts.ts";

export interface PackOptions {
  /** The tip, on which the run was opened. */
  readonly view: StateView;
  /** Of this run. */
  readonly maxTransactions: number;
  readonly nowMs: number;
  /** Asked before each transaction but the first: whether to make do with what is packed. */
  readonly isTimeUp?: (() => boolean) | undefined;
  /** What scripts may cost before no further transaction is tried; by default `PACK_COMPLEXITY`. */
  readonly maxComplexity?: bigint;
}

/** With less room than this the block is full: no transaction is smaller. */
const smallestTransactionBytes = 109;

/** How many are tried, read in vain, and come back in the next round, for each that there is room for. */
const TRIES_PER_PLACE = 4;

export class Packing {
  readonly #run: BlockRun;
  readonly #options: PackOptions;
  readonly #load: (entry: PoolEntry) => Transaction | undefined;
  readonly #unfit: UnfitTransactions;
  #tries = 0;
  /** Those that have got scripts since they were looked at, and wait for a turn. */
  #readInVain = 0;
  #spentComplexity = 0n;
  readonly packed: Transaction[] = [];
  /** Expired, invalid or lost: they leave the pool. */
  readonly dropped: PoolEntry[] = [];
  /** The one at which something failed that no rule is against. */
  failed: PoolEntry | undefined;

  /** @param unfit known from earlier packings; gets those that do not fit into this one */
  constructor(
    run: BlockRun,
    options: PackOptions,
    load: (entry: PoolEntry) => Transaction | undefined,
    unfit = new UnfitTransactions(),
  ) {
    this.#run = run;
    this.#options = options;
    this.#load = load;
    this.#unfit = unfit;
  }

  /** Whether no further transaction can fit into the block. */
  get isBlockFull(): boolean {
    const { usage, limits } = this.#run;
    const { transactions, sizeBytes } = limits;
    if (transactions !== undefined && usage.transactions >= transactions) return true;
    return sizeBytes !== undefined && usage.sizeBytes + smallestTransactionBytes > sizeBytes;
  }

  /**
   * Takes transactions that return from dropped micro-blocks as they come. Of the others, a script has its turn once in
   * a round, so that the transactions of one dApp do not hold up all others.
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
   * @param seen accounts whose scripts had their turn already
   * @returns entries that wait for the next round
   */
  #packRound(entries: Iterable<PoolEntry>, seen: Set<BytesKey>): PoolEntry[] {
    const { maxTransactions } = this.#options;
    const most = TRIES_PER_PLACE * maxTransactions;
    const postponed: PoolEntry[] = [];
    for (const entry of entries) {
      if (this.#isDone()) break;
      if (this.#passesOver(entry)) continue;
      const isHeldUp = () => !entry.isFavoured && entry.scriptedAccounts.some((account) => seen.has(account));
      const postpone = () => postponed.length < most && postponed.push(entry);
      // One account may have most of the pool: what is known to wait for its turn is not read, and holds up nobody else.
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
    if (this.packed.length >= maxTransactions || this.#tries >= TRIES_PER_PLACE * maxTransactions) return true;
    if (this.isBlockFull || this.#spentComplexity >= maxComplexity) return true;
    return this.#tries > 0 && isTimeUp?.() === true;
  }

  /** Settles without reading it what is too old, and what there is no room for: both count as tried. */
  #passesOver(entry: PoolEntry): boolean {
    const { view, nowMs } = this.#options;
    const expired = isExpired(BigInt(entry.timestampMs), view, nowMs);
    if (!expired && this.#mayFit(entry)) return false;
    this.#tries++;
    if (expired) this.dropped.push(entry);
    return true;
  }

  /** Whether there may be room for it, by its size and by what its scripts cost when there was none. */
  #mayFit(entry: PoolEntry): boolean {
    const { usage, limits } = this.#run;
    const { sizeBytes, scriptComplexity } = limits;
    if (sizeBytes !== undefined && usage.sizeBytes + entry.sizeBytes > sizeBytes) return false;
    return (
      scriptComplexity === undefined ||
      usage.scriptComplexity + this.#unfit.complexityOf(entry) <= BigInt(scriptComplexity)
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
      const unfit = unfitComplexity(error, before);
      if (unfit !== undefined) {
        this.#unfit.put(entry, unfit);
        this.#spentComplexity += unfit;
        return;
      }
      this.#spentComplexity += refusedComplexity(error, effort);
      if (!waits(error)) this.dropped.push(entry);
    }
  }
}

/**
 * Whether a later block may take the transaction: this one has no room for it, or is dated too far before it. (A block's
 * date lags behind the clock by which the pool let it in.)
 */
function waits({ fault: { code } }: RuleError): boolean {
  return code === "blockLimitExceeded" || code === "timestampFromFuture";
}
