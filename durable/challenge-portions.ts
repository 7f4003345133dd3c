/**
 * Judging blocks that challenge others, in portions. What such a block elides uses nothing of its limits: two generators together can
 * have each of its thousands of transactions run to the end, which takes minutes, or hours. The network knows no bound, and who
 * refused such a block would leave it; but no call of an object may take so long, and nobody else would be answered meanwhile. So a call
 * goes on where the one before it ended: what a transaction does in the block follows from the block and its parent alone.
 */
import { type BytesKey, bytesKey } from "../src/crypto/bytes.ts";
import type { Block } from "../src/protocol/blocks/block.ts";
import { judgeOrElide, type PlaceTransaction, type TransactionHandling } from "../src/rules/blocks/apply-block.ts";
import type { JudgedTransaction } from "../src/rules/blocks/block-run.ts";
import type { ChallengeJudging } from "./chain/liquid-chain.ts";
import { elidedComplexity } from "./pool/pack-effort.ts";

/** Of scripts, in one call; a block has room for 2,500,000, and its first call judges the challenged one besides. */
export const PORTION_COMPLEXITY = 1_000_000n;
/** Blocks of which something is known. Half judged, one takes some megabytes. */
const MOST_BLOCKS = 3;
/** Ids of blocks that have been asked for, of 32 bytes. */
const MOST_IDS = 1_000;

/** The block is judged in part: the same call again goes on. */
export class JudgementUnfinished extends Error {
  override readonly name = "JudgementUnfinished";
}

interface Progress {
  /** The challenge has a reason. */
  isJustified: boolean;
  /** The first ones of its transactions. */
  readonly judged: JudgedTransaction[];
}

export class ChallengePortions implements ChallengeJudging {
  /** The one that was asked for last comes last. */
  readonly #blocks = new Map<BytesKey, Progress>();
  /** Whether more than one call was about the block, also of such of which nothing is known any more. The last one comes last. */
  readonly #asked = new Map<BytesKey, boolean>();
  readonly #portion: bigint;

  constructor(portion = PORTION_COMPLEXITY) {
    this.#portion = portion;
  }

  justify(block: Block, judge: () => void): void {
    this.#ask(block);
    const progress = this.#progressOf(block);
    if (!progress.isJustified) judge();
    progress.isJustified = true;
  }

  /** @returns what throws JudgementUnfinished besides faults of the transaction */
  placing(block: Block, { isVerified }: TransactionHandling): PlaceTransaction {
    const { judged } = this.#progressOf(block);
    let spent = 0n;
    return (run, transaction, index) => {
      let one = judged[index];
      if (one === undefined) {
        if (spent > this.#portion)
          throw new JudgementUnfinished(`${index} transactions of a challenging block are judged`);
        const before = run.usage.scriptComplexity;
        one = judgeOrElide(run, transaction, isVerified?.(index) === true ? false : undefined, (refusal, effort) => {
          spent += elidedComplexity(refusal, effort, run);
        });
        spent += one.usage.scriptComplexity - before;
        judged.push(one);
      }
      run.place(one);
    };
  }

  end({ id }: Block): void {
    this.#blocks.delete(bytesKey(id));
  }

  #progressOf({ id }: Block): Progress {
    const key = bytesKey(id);
    const progress = this.#blocks.get(key) ?? { isJustified: false, judged: [] };
    this.#blocks.delete(key);
    this.#blocks.set(key, progress);
    if (this.#blocks.size > MOST_BLOCKS) this.#blocks.delete(this.#leastWanted(key));
    return progress;
  }

  /** Once a call. */
  #ask({ id }: Block): void {
    const key = bytesKey(id);
    const isKnown = this.#asked.delete(key);
    this.#asked.set(key, isKnown);
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > MOST_IDS && oldest !== undefined) this.#asked.delete(oldest);
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
