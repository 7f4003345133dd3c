/**
 * Validation of peers' data in work slices: a block may take minutes, and a call of an object must not. A call
 * continues where the one before it ended. Results survive a reset of the object: those of long steps, effects of a
 * block's transactions, and whole blocks, which are applied or wait beside the chain (`CandidateChain`).
 * @see docs/decisions/0071-judging-in-portions.md
 */
import { type BytesKey, bytesKey, equalBytes } from "../../../src/crypto/bytes.ts";
import type { Unfinished } from "../../../src/rpc/chain-for-peers.ts";
import { executorOf } from "../../../src/rules/blocks/apply-block.ts";
import type { BlockValidation, SlicedValidation } from "../../../src/rules/blocks/block-validation.ts";
import type { SqlDatabase } from "../../sql/sql-database.ts";
import { ValidatedParts } from "../chain/judged-parts.ts";
import { StepResults } from "../chain/step-results.ts";
import { SliceSpent, WorkSlice } from "../chain/work-slice.ts";
import { BlockProgress, type ValidatedBlock } from "./judged-block.ts";

/** Work of one slice: 17 seconds at 45 µs a unit, the most expensive one apart from long steps. */
export const SLICE_WORK = 360_000;
/**
 * Partly validated blocks and micro-blocks in memory: each holds the effects of one variant, 20 MB for a full block.
 */
const MAX_BLOCKS = 3;
/** Remembered ids of blocks whose validation has not ended, 32 bytes each. */
const MAX_IDS = 1_000;
/** Work of a block's header and voting, and bytes per unit of work: parsing, signatures, rows. 4 s for 1 MB. */
const BLOCK_WORK = 500;
const BYTES_PER_WORK = 12;

export class SlicedValidator {
  readonly #results: StepResults;
  readonly #parts: ValidatedParts;
  readonly #limit: number;
  /** Progress by block id; the last requested one is last. */
  readonly #blocks = new Map<BytesKey, BlockProgress>();
  /**
   * Whether more than one call was about a block, by id, also for blocks whose progress is forgotten. The last
   * requested one is last.
   */
  readonly #requested = new Map<BytesKey, boolean>();

  constructor(sql: SqlDatabase, portion = SLICE_WORK) {
    this.#results = new StepResults(sql);
    this.#parts = new ValidatedParts(sql);
    this.#limit = portion;
  }

  /**
   * Validates until the slice is spent.
   * @param judge may throw SliceSpent: then whole blocks may have been applied, and nothing of the one at hand
   */
  async run<Result>(judge: (call: ValidationSlice) => Promise<Result>): Promise<Result | Unfinished> {
    const work = new WorkSlice(this.#limit, this.#results);
    const call = new ValidationSlice(work, (id, before) => this.#progressOf(id, before));
    let result: Result;
    try {
      result = await judge(call);
    } catch (error) {
      if (!(error instanceof SliceSpent)) throw error;
      this.#results.add(work.found);
      if (call.atHand !== undefined) this.#save(call.atHand);
      return "unfinished";
    }
    const id = call.atHand?.id ?? new Uint8Array();
    this.#forget(id);
    const isOtherUnderWay = [...this.#blocks.keys()].some((other) => this.#requested.get(other) === true);
    if (work.usesStored && !isOtherUnderWay && !this.#parts.hasOthers(id)) this.#results.clear();
    return result;
  }

  #save({ id, progress }: BlockAtHand): void {
    this.#parts.add(id, [...progress.findings()]);
  }

  /** Forgets a block whose validation has ended: it is not requested again. */
  #forget(id: Uint8Array): void {
    const key = bytesKey(id);
    this.#blocks.delete(key);
    this.#requested.delete(key);
    this.#parts.forget(id);
  }

  /**
   * Progress of a block; to be called once a call for each block.
   * @param before id of the block that the call has finished
   */
  #progressOf(id: Uint8Array, before: Uint8Array | undefined): BlockProgress {
    if (before !== undefined) this.#forget(before);
    const key = bytesKey(id);
    this.#noteRequest(key);
    const progress = this.#blocks.get(key) ?? new BlockProgress(this.#parts.find(id));
    this.#blocks.delete(key);
    this.#blocks.set(key, progress);
    if (this.#blocks.size > MAX_BLOCKS) this.#blocks.delete(this.#evictionCandidate(key));
    return progress;
  }

  #noteRequest(key: BytesKey): void {
    const isKnown = this.#requested.delete(key);
    this.#requested.set(key, isKnown);
    const [oldest] = this.#requested.keys();
    if (this.#requested.size > MAX_IDS && oldest !== undefined) this.#requested.delete(oldest);
  }

  /**
   * Block to evict: first one with a single call, before any with repeated calls. Otherwise two generators could
   * displace a block in validation by making any number of others between two of its calls.
   */
  #evictionCandidate(asked: BytesKey): BytesKey {
    const others = [...this.#blocks.keys()].filter((key) => key !== asked);
    return (others.find((key) => this.#requested.get(key) !== true) ?? others[0]) as BytesKey;
  }
}

/** Block that a call validates. */
interface BlockAtHand {
  /** Id of the block; for a micro-block, its id and the total id before it. */
  readonly id: Uint8Array;
  readonly progress: BlockProgress;
}

type ProgressOf = (id: Uint8Array, before: Uint8Array | undefined) => BlockProgress;

export class ValidationSlice implements SlicedValidation {
  readonly work: WorkSlice;
  readonly #progressOf: ProgressOf;
  #atHand: BlockAtHand | undefined;

  constructor(work: WorkSlice, progressOf: ProgressOf) {
    this.work = work;
    this.#progressOf = progressOf;
  }

  /** The last validated block; undefined: none was validated by the rules. */
  get atHand(): BlockAtHand | undefined {
    return this.#atHand;
  }

  validationOf(id: Uint8Array, ownsTransactions: boolean): BlockValidation {
    return this.#validation(this.#blockOf(id).own, ownsTransactions);
  }

  justify(id: Uint8Array, judge: (judging: BlockValidation) => void): void {
    const block = this.#blockOf(id);
    if (block.challenged === undefined) return;
    judge(this.#validation(block.challenged, true));
    block.justify();
    this.work.noteFound();
  }

  finished(sizeBytes: number): void {
    this.work.spend(BLOCK_WORK + Math.ceil(sizeBytes / BYTES_PER_WORK));
    this.work.noteFound();
  }

  assertBudget(): void {
    this.work.assertBudget();
  }

  #blockOf(id: Uint8Array): BlockProgress {
    if (this.#atHand === undefined || !equalBytes(this.#atHand.id, id))
      this.#atHand = { id, progress: this.#progressOf(id, this.#atHand?.id) };
    return this.#atHand.progress;
  }

  #validation(judged: ValidatedBlock, ownsTransactions: boolean): BlockValidation {
    return {
      variants: judged.waysOf(ownsTransactions),
      includerOf: (way, handling, elides = false) => {
        const judge = executorOf(handling, elides);
        // First reads are recorded again when the effects are applied.
        way.spellings.clearFirstReads();
        return (run, transaction, index) => {
          const before = judged.find(way, run, transaction, index);
          if (before !== undefined) {
            run.include(before);
            return;
          }
          this.work.assertBudget();
          const next = judge(run, transaction, index);
          judged.add(way, index, next);
          this.work.noteFound();
          run.include(next);
        };
      },
    };
  }
}
