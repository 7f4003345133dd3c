/**
 * Estimate of the number of blocks that our chain lacks. Peers send their scores, not their heights: the number follows
 * from the recent growth of our own chain.
 */
import type { ChainTip } from "../../../src/rpc/chain-for-peers.ts";
import type { KnownTip, TipListener } from "./known-tip.ts";

/** Minimum of blocks over which growth is measured. */
const MEASURED_BLOCKS = 10;

export class SyncProgressEstimate implements TipListener {
  /** An earlier tip, and the last one far enough above it. */
  #from: ChainTip | undefined;
  #to: ChainTip | undefined;

  constructor(tip: KnownTip) {
    tip.listen(this);
  }

  changed(tip: ChainTip): void {
    if (this.#from === undefined || tip.height < this.#from.height) {
      this.#from = tip;
      this.#to = undefined;
    } else if (tip.height - (this.#to ?? this.#from).height >= MEASURED_BLOCKS) {
      this.#from = this.#to ?? this.#from;
      this.#to = tip;
    }
  }

  /**
   * @param bestScore score of the best peer
   * @param missing number of blocks whose ids are known
   */
  blocksAhead(current: ChainTip, bestScore: bigint, missing: number, nowMs: number): number {
    if (bestScore <= current.score) return 0;
    const atLeast = Math.max(1, missing);
    if (this.#from === undefined || this.#to === undefined) return atLeast;
    const blocks = this.#to.height - this.#from.height;
    const scoreOfBlock = (this.#to.score - this.#from.score) / BigInt(blocks);
    const blockMs = (this.#to.tipTimestampMs - this.#from.tipTimestampMs) / blocks;
    // Blocks may weigh much more later on, and the best chain may have halted: the smaller number is nearer to the
    // truth.
    const byScore = scoreOfBlock > 0n ? Number((bestScore - current.score) / scoreOfBlock) : atLeast;
    const byTime = blockMs > 0 ? Math.round((nowMs - current.tipTimestampMs) / blockMs) : byScore;
    return Math.max(atLeast, Math.min(byScore, byTime));
  }
}
