/**
 * How far our chain is behind the best peer. Peers say what their chain weighs, not how high it is: how many blocks that are
 * follows from how our own has grown lately.
 */
import type { ChainStanding } from "../chain-for-peers.ts";
import type { KnownStanding, StandingListener } from "./known-standing.ts";

/** Growth is measured over at least so many blocks. */
const MEASURED_BLOCKS = 10;

export class SyncProgressEstimate implements StandingListener {
  /** An earlier standing, and the last one far enough above it. */
  #from: ChainStanding | undefined;
  #to: ChainStanding | undefined;

  constructor(standing: KnownStanding) {
    standing.listen(this);
  }

  changed(standing: ChainStanding): void {
    if (this.#from === undefined || standing.height < this.#from.height) {
      this.#from = standing;
      this.#to = undefined;
    } else if (standing.height - (this.#to ?? this.#from).height >= MEASURED_BLOCKS) {
      this.#from = this.#to ?? this.#from;
      this.#to = standing;
    }
  }

  /**
   * @param bestScore of the best peer
   * @param missing blocks whose ids are known
   */
  blocksAhead(current: ChainStanding, bestScore: bigint, missing: number, nowMs: number): number {
    if (bestScore <= current.score) return 0;
    const atLeast = Math.max(1, missing);
    if (this.#from === undefined || this.#to === undefined) return atLeast;
    const blocks = this.#to.height - this.#from.height;
    const scoreOfBlock = (this.#to.score - this.#from.score) / BigInt(blocks);
    const blockMs = (this.#to.tipTimestampMs - this.#from.tipTimestampMs) / blocks;
    // Blocks may weigh much more later on, and the best chain may stand still: the smaller number is nearer to the truth.
    const byScore = scoreOfBlock > 0n ? Number((bestScore - current.score) / scoreOfBlock) : atLeast;
    const byTime = blockMs > 0 ? Math.round((nowMs - current.tipTimestampMs) / blockMs) : byScore;
    return Math.max(atLeast, Math.min(byScore, byTime));
  }
}
