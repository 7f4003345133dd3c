/**
 * Validation of peers' data in portions: a block may take minutes, and a call of an object must not. A call continues
 * where the one before it ended. Results survive a reset of the object: those of long steps, effects of a block's
 * transactions, and whole blocks, which land or wait beside the chain (`CandidateChain`).
 * @see docs/decisions/0071-judging-in-portions.md
 */
import { type BytesKey, bytesKey, equalBytes } from "../../../src/crypto/bytes.ts";
import type { Unfinished } from "../../../src/rpc/chain-for-peers.ts";
import { judgingOf } from "../../../src/rules/blocks/apply-block.ts";
import type { BlockJudging, PortionedJudging } from "../../../src/rules/blocks/block-validation.ts";
import type { SqlDatabase } from "../../sql/sql-database.ts";
import { JudgedParts } from "../chain/judged-parts.ts";
import { StepResults } from "../chain/step-results.ts";
import { PortionSpent, PortionWork } from "../chain/work-slice.ts";
import { BlockProgress, type JudgedBlock } from "./judged-block.ts";

/** 17 seconds at 45 µs for one, the dearest that is no long step. */
export const PORTION_WORK = 360_000;
/** Blocks and micro-blocks that are judged in part: of each the transactions in one way, 20 MB where a block is full. */
const MAX_BLOCKS = 3;
/** Ids of blocks whose judgement has not come to its end, of 32 bytes. */
const MAX_IDS = 1_000;
/** Header and voting of a block, and each byte of it: parsing, signatures, rows. 4 s for 1 MB. */
const BLOCK_WORK = 500;
const BYTES_PER_WORK = 12;

export class JudgingPortions {
  readonly #results: StepResults;
  readonly #parts: JudgedParts;
  readonly #portion: number;
  /** By id. The one that was asked for last comes last. */
  readonly #blocks = new Map<BytesKey, BlockProgress>();
  /** Whether more than one call was about it, also of blocks whose progress is forgotten. The last one comes last. */
  readonly #asked = new Map<BytesKey, boolean>();

  constructor(sql: SqlDatabase, portion = PORTION_WORK) {
    this.#results = new StepResults(sql);
    this.#parts = new JudgedParts(sql);
    this.#portion = portion;
  }

  /**
   * Judges until the portion is spent.
   * @param judge where it throws PortionSpent, whole blocks may have landed, and nothing of the one at hand
   */
  async run<Result>(judge: (call: JudgingCall) => Promise<Result>): Promise<Result | Unfinished> {
    const work = new PortionWork(this.#portion, this.#results);
    const call = new JudgingCall(work, (id, before) => this.#progressOf(id, before));
    let result: Result;
    try {
      result = await judge(call);
    } catch (error) {
      if (!(error instanceof PortionSpent)) throw error;
      this.#results.add(work.found);
      if (call.atHand !== undefined) this.#save(call.atHand);
      return "unfinished";
    }
    const id = call.atHand?.id ?? new Uint8Array();
    this.#forget(id);
    const isOtherUnderWay = [...this.#blocks.keys()].some((other) => this.#asked.get(other) === true);
    if (work.usesStored && !isOtherUnderWay && !this.#parts.hasOthers(id)) this.#results.clear();
    return result;
  }

  #save({ id, progress }: BlockAtHand): void {
    this.#parts.add(id, [...progress.findings()]);
  }

  /** Whatever became of the block, it is not asked for again. */
  #forget(id: Uint8Array): void {
    const key = bytesKey(id);
    this.#blocks.delete(key);
    this.#asked.delete(key);
    this.#parts.forget(id);
  }

  /** Once a call for each block. @param before the one that this call has finished */
  #progressOf(id: Uint8Array, before: Uint8Array | undefined): BlockProgress {
    if (before !== undefined) this.#forget(before);
    const key = bytesKey(id);
    this.#ask(key);
    const progress = this.#blocks.get(key) ?? new BlockProgress(this.#parts.find(id));
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

/** Block that a call validates. */
interface BlockAtHand {
  /** For a micro-block, its id and the total id before it. */
  readonly id: Uint8Array;
  readonly progress: BlockProgress;
}

type ProgressOf = (id: Uint8Array, before: Uint8Array | undefined) => BlockProgress;

export class JudgingCall implements PortionedJudging {
  readonly work: PortionWork;
  readonly #progressOf: ProgressOf;
  #atHand: BlockAtHand | undefined;

  constructor(work: PortionWork, progressOf: ProgressOf) {
    this.work = work;
    this.#progressOf = progressOf;
  }

  /** The block that was judged last; undefined: none was judged by the rules. */
  get atHand(): BlockAtHand | undefined {
    return this.#atHand;
  }

  of(id: Uint8Array, ownsTransactions: boolean): BlockJudging {
    return this.#judging(this.#blockOf(id).own, ownsTransactions);
  }

  justify(id: Uint8Array, judge: (judging: BlockJudging) => void): void {
    const block = this.#blockOf(id);
    if (block.challenged === undefined) return;
    judge(this.#judging(block.challenged, true));
    block.justify();
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
    if (this.#atHand === undefined || !equalBytes(this.#atHand.id, id))
      this.#atHand = { id, progress: this.#progressOf(id, this.#atHand?.id) };
    return this.#atHand.progress;
  }

  #judging(judged: JudgedBlock, ownsTransactions: boolean): BlockJudging {
    return {
      ways: judged.waysOf(ownsTransactions),
      placing: (way, handling, elides = false) => {
        const judge = judgingOf(handling, elides);
        // What they read is kept again as they are placed.
        way.spellings.forgetKept();
        return (run, transaction, index) => {
          const before = judged.find(way, run, transaction, index);
          if (before !== undefined) {
            run.place(before);
            return;
          }
          this.work.expectRoom();
          const next = judge(run, transaction, index);
          judged.add(way, index, next);
          this.work.noteFound();
          run.place(next);
        };
      },
    };
  }
}
