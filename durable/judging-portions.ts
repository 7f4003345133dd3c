/**
 * Judging what peers send, in portions: no bound of the network keeps a block from taking minutes, and no call of an object may. A
 * call goes on where the one before it ended. Results of long steps survive a reset of the object; what transactions did is kept in
 * memory, since it follows from the block and its parent alone and takes less to find again.
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
/** What took less is done again in each call: in a whole block less than a portion. */
const MIN_KEPT_WORK = 50;
/** Transactions of which it is kept what they do, of all blocks that are sent together: with 3 KB each 15 MB. */
const MAX_KEPT = 5_000;
/** Blocks sent by themselves, micro-blocks and extensions of which something is known. */
const MAX_OFFERS = 4;
/** Ids of blocks that have been asked for, of 32 bytes. */
const MAX_IDS = 1_000;

/** What was found of one block, or of a block that it challenges. */
class JudgedBlock {
  readonly #ways = new Map<boolean, RepeatableWays>();
  readonly #transactions = new Map<JudgingWay, Map<number, JudgedTransaction>>();

  waysOf(ownsTransactions: boolean): RepeatableWays {
    const ways = this.#ways.get(ownsTransactions) ?? new RepeatableWays(ownsTransactions);
    this.#ways.set(ownsTransactions, ways);
    return ways;
  }

  /** By their numbers in the block. */
  transactionsOf(way: JudgingWay): Map<number, JudgedTransaction> {
    const transactions = this.#transactions.get(way) ?? new Map();
    this.#transactions.set(way, transactions);
    return transactions;
  }
}

interface BlockProgress {
  readonly own: JudgedBlock;
  /** Undefined once the challenge is known to have a reason. */
  challenged: JudgedBlock | undefined;
}

/** What was found of blocks that are sent together. */
class OfferProgress {
  readonly #blocks = new Map<BytesKey, BlockProgress>();
  #kept = 0;

  of(id: Uint8Array): BlockProgress {
    const key = bytesKey(id);
    const progress = this.#blocks.get(key) ?? { own: new JudgedBlock(), challenged: new JudgedBlock() };
    this.#blocks.set(key, progress);
    return progress;
  }

  /** @returns whether one more transaction is kept */
  takesOne(): boolean {
    if (this.#kept === MAX_KEPT) return false;
    this.#kept += 1;
    return true;
  }
}

export class JudgingPortions {
  readonly #results: StepResults;
  readonly #portion: number;
  /** By the id of their first block. The one that was asked for last comes last. */
  readonly #offers = new Map<BytesKey, OfferProgress>();
  /** Whether more than one call was about it, also of such of which nothing is known any more. The last one comes last. */
  readonly #asked = new Map<BytesKey, boolean>();

  constructor(sql: SqlDatabase, portion = PORTION_WORK) {
    this.#results = new StepResults(sql);
    this.#portion = portion;
  }

  /**
   * Judges until the portion is spent.
   * @param judge changes nothing where it throws PortionSpent
   */
  async run<Result>(judge: (call: JudgingCall) => Promise<Result>): Promise<Result | Unfinished> {
    const work = new PortionWork(this.#portion, this.#results);
    const call = new JudgingCall(work, (key) => this.#progressOf(key));
    let result: Result;
    try {
      result = await judge(call);
    } catch (error) {
      if (!(error instanceof PortionSpent)) throw error;
      this.#results.add(work.found);
      return "unfinished";
    }
    this.#end(call);
    return result;
  }

  /** Whatever became of its blocks, they are not asked for again. */
  #end({ key, work }: JudgingCall): void {
    if (key !== undefined) {
      this.#offers.delete(key);
      this.#asked.delete(key);
    }
    const isOtherUnderWay = [...this.#offers.keys()].some((other) => this.#asked.get(other) === true);
    if (work.usesStored && !isOtherUnderWay) this.#results.clear();
  }

  /** Once a call. */
  #progressOf(key: BytesKey): OfferProgress {
    this.#ask(key);
    const progress = this.#offers.get(key) ?? new OfferProgress();
    this.#offers.delete(key);
    this.#offers.set(key, progress);
    if (this.#offers.size > MAX_OFFERS) this.#offers.delete(this.#leastWanted(key));
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
    const others = [...this.#offers.keys()].filter((key) => key !== asked);
    return (others.find((key) => this.#asked.get(key) !== true) ?? others[0]) as BytesKey;
  }
}

export class JudgingCall implements PortionedJudging {
  readonly work: PortionWork;
  readonly #progressOf: (key: BytesKey) => OfferProgress;
  #offer: { readonly key: BytesKey; readonly progress: OfferProgress } | undefined;

  constructor(work: PortionWork, progressOf: (key: BytesKey) => OfferProgress) {
    this.work = work;
    this.#progressOf = progressOf;
  }

  /** Id of the first block; undefined: none was judged by the rules. */
  get key(): BytesKey | undefined {
    return this.#offer?.key;
  }

  of(id: Uint8Array, ownsTransactions: boolean): BlockJudging {
    const offer = this.#offerOf(id);
    return this.#judging(offer, offer.of(id).own, ownsTransactions);
  }

  justify(id: Uint8Array, judge: (judging: BlockJudging) => void): void {
    const offer = this.#offerOf(id);
    const block = offer.of(id);
    if (block.challenged === undefined) return;
    judge(this.#judging(offer, block.challenged, true));
    block.challenged = undefined;
    this.work.noteFound();
  }

  #offerOf(id: Uint8Array): OfferProgress {
    if (this.#offer === undefined) {
      const key = bytesKey(id);
      this.#offer = { key, progress: this.#progressOf(key) };
    }
    return this.#offer.progress;
  }

  #judging(offer: OfferProgress, judged: JudgedBlock, ownsTransactions: boolean): BlockJudging {
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
          const spent = this.work.spent;
          const next = judge(run, transaction, index);
          if (this.work.spent - spent >= MIN_KEPT_WORK && offer.takesOne()) {
            known.set(index, next);
            this.work.noteFound();
          }
          run.place(next);
        };
      },
    };
  }
}
