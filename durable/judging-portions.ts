/**
 * Judging what peers send, in portions: no bound of the network keeps a block from taking minutes, and no call of an object may. A
 * call goes on where the one before it ended. Results of long steps survive a reset of the object; what transactions did is kept in
 * memory, since it follows from the block and its parent alone and takes less to find again. Whole blocks of an extension land, or
 * are kept beside the chain (`FinishedBlocks`).
 * @see docs/decisions/0071-judging-in-portions.md
 */
import { type BytesKey, bytesKey, equalBytes } from "../src/crypto/bytes.ts";
import { judgingOf } from "../src/rules/blocks/apply-block.ts";
import type { BlockJudging, PortionedJudging } from "../src/rules/blocks/block-judging.ts";
import type { JudgedTransaction } from "../src/rules/blocks/block-run.ts";
import { type JudgingWay, RepeatableWays } from "../src/rules/blocks/judging-ways.ts";
import { PortionSpent, PortionWork } from "./chain/portion-work.ts";
import { StepResults } from "./chain/step-results.ts";
import type { Unfinished } from "./peers/chain-for-peers.ts";
import type { SqlDatabase } from "./state/sql-database.ts";

/** 17 seconds at 45 µs for one, the dearest that is no long step. */
export const PORTION_WORK = 360_000;
/** Blocks and micro-blocks that are judged in part: of each the transactions in one way, 20 MB where a block is full. */
const MAX_BLOCKS = 3;
/** Ids of blocks whose judgement has not come to its end, of 32 bytes. */
const MAX_IDS = 1_000;
/** Header and voting of a block, and each byte of it: parsing, signatures, rows. 4 s for 1 MB. */
const BLOCK_WORK = 500;
const BYTES_PER_WORK = 12;

/** Progress with one block, or with a block that it challenges: the ways that are known, and the transactions of the one at hand. */
class JudgedBlock {
  readonly #ways = new Map<boolean, RepeatableWays>();
  #atHand: { readonly way: JudgingWay; readonly transactions: Map<number, JudgedTransaction> } | undefined;

  waysOf(ownsTransactions: boolean): RepeatableWays {
    const ways = this.#ways.get(ownsTransactions) ?? new RepeatableWays(ownsTransactions);
    this.#ways.set(ownsTransactions, ways);
    return ways;
  }

  /** By their numbers in the block. A way that was left is known by its outcome alone. */
  transactionsOf(way: JudgingWay): Map<number, JudgedTransaction> {
    if (this.#atHand?.way !== way) this.#atHand = { way, transactions: new Map() };
    return this.#atHand.transactions;
  }
}

class BlockProgress {
  readonly own = new JudgedBlock();
  /** Undefined once the challenge is known to have a reason. */
  challenged: JudgedBlock | undefined = new JudgedBlock();
}

export class JudgingPortions {
  readonly #results: StepResults;
  readonly #portion: number;
  /** By id. The one that was asked for last comes last. */
  readonly #blocks = new Map<BytesKey, BlockProgress>();
  /** Whether more than one call was about it, also of blocks whose progress is forgotten. The last one comes last. */
  readonly #asked = new Map<BytesKey, boolean>();

  constructor(sql: SqlDatabase, portion = PORTION_WORK) {
    this.#results = new StepResults(sql);
    this.#portion = portion;
  }

  /**
   * Judges until the portion is spent.
   * @param judge where it throws PortionSpent, whole blocks may have landed, and nothing of the one at hand
   */
  async run<Result>(judge: (call: JudgingCall) => Promise<Result>): Promise<Result | Unfinished> {
    const work = new PortionWork(this.#portion, this.#results);
    const call = new JudgingCall(work, (key, before) => this.#progressOf(key, before));
    let result: Result;
    try {
      result = await judge(call);
    } catch (error) {
      if (!(error instanceof PortionSpent)) throw error;
      this.#results.add(work.found);
      return "unfinished";
    }
    this.#forget(call.key);
    const isOtherUnderWay = [...this.#blocks.keys()].some((other) => this.#asked.get(other) === true);
    if (work.usesStored && !isOtherUnderWay) this.#results.clear();
    return result;
  }

  /** Whatever became of the block, it is not asked for again. */
  #forget(key: BytesKey | undefined): void {
    if (key === undefined) return;
    this.#blocks.delete(key);
    this.#asked.delete(key);
  }

  /** Once a call for each block. @param before the one that this call has finished */
  #progressOf(key: BytesKey, before: BytesKey | undefined): BlockProgress {
    this.#forget(before);
    this.#ask(key);
    const progress = this.#blocks.get(key) ?? new BlockProgress();
    this.#blocks.delete(key);
    this.#blocks.set(key, progress);
    if (this.#blocks.size > MAX_BLOCKS) this.#blocks.delete(this.#leastWanted(key));
    return progress;
  }

  #ask(key: BytesKey): void {
    const isKnown = this.#asked.delete(key);
    this.#asked.set(key, isKnown);
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > MAX_IDS && oldest !== undefined) this.#asked.delete(oldest);
  }

  /**
   * One that a single call was about, before any whose judgement somebody goes on with: between two calls of that one may come as many
   * others as two generators care to make.
   */
  #leastWanted(asked: BytesKey): BytesKey {
    const others = [...this.#blocks.keys()].filter((key) => key !== asked);
    return (others.find((key) => this.#asked.get(key) !== true) ?? others[0]) as BytesKey;
  }
}

export class JudgingCall implements PortionedJudging {
  readonly work: PortionWork;
  readonly #progressOf: (key: BytesKey, before: BytesKey | undefined) => BlockProgress;
  #atHand: { readonly key: BytesKey; readonly progress: BlockProgress } | undefined;

  constructor(work: PortionWork, progressOf: (key: BytesKey, before: BytesKey | undefined) => BlockProgress) {
    this.work = work;
    this.#progressOf = progressOf;
  }

  /** Id of the block that was judged last; undefined: none was judged by the rules. */
  get key(): BytesKey | undefined {
    return this.#atHand?.key;
  }

  of(id: Uint8Array, ownsTransactions: boolean): BlockJudging {
    return this.#judging(this.#blockOf(id).own, ownsTransactions);
  }

  justify(id: Uint8Array, judge: (judging: BlockJudging) => void): void {
    const block = this.#blockOf(id);
    if (block.challenged === undefined) return;
    judge(this.#judging(block.challenged, true));
    block.challenged = undefined;
    this.work.noteFound();
  }

  finished(sizeBytes: number): void {
    this.work.spend(BLOCK_WORK + Math.ceil(sizeBytes / BYTES_PER_WORK));
    this.work.noteFound();
  }

  expectRoom(): void {
    this.work.expectRoom();
  }

  #blockOf(id: Uint8Array): BlockProgress {
    const key = bytesKey(id);
    if (this.#atHand?.key !== key) this.#atHand = { key, progress: this.#progressOf(key, this.key) };
    return this.#atHand.progress;
  }

  #judging(judged: JudgedBlock, ownsTransactions: boolean): BlockJudging {
    return {
      ways: judged.waysOf(ownsTransactions),
      placing: (way, handling, elides = false) => {
        const judge = judgingOf(handling, elides);
        const known = judged.transactionsOf(way);
        // What they read is kept again as they are placed.
        way.spellings.forgetKept();
        return (run, transaction, index) => {
          const before = known.get(index);
          if (before !== undefined && equalBytes(before.placed.transaction.id, transaction.id)) {
            run.place(before);
            return;
          }
          this.work.expectRoom();
          const next = judge(run, transaction, index);
          known.set(index, next);
          this.work.noteFound();
          run.place(next);
        };
      },
    };
  }
}
