/**
 * Has final blocks written where readers look for them, once each and beside everything else
 * (docs/decisions/0048-final-objects-in-kv.md). How far it is stands in the node's own table: a start goes on
 * there. Of the blocks behind it each is there, or is left to its first reader.
 */
import type { StateStore } from "../state/state-store.ts";
import { inTime } from "./in-time.ts";

/** The chain that a final block is of, as readers know it. */
export interface FinalChain {
  readonly identity: string;
  readonly epoch: number;
}

/** Where final blocks are written. */
export interface FinalBlockSink {
  /**
   * Writes blocks from a height on, as many of the range as it holds at a time.
   * @returns up to which height they are there; below `from` where readers do not see them as final blocks of that chain
   * @throws what went wrong: then any of them may be there
   */
  write(range: { readonly from: number; readonly to: number }, chain: FinalChain): Promise<number>;
}

export interface FinalBlockFacts {
  readonly store: StateStore;
  readonly sink: FinalBlockSink;
  /** Of which blocks are final now. */
  readonly chain: () => FinalChain & { readonly finalizedHeight: number };
  /** Timestamp of the tip, ms since the epoch. */
  readonly tipTimestampMs: () => number;
  readonly nowMs: () => number;
  /** Is told why blocks were not written; they are tried again. */
  readonly onFault: (error: unknown) => void;
}

/** As many wait until they are written: a write of how far it is, and a question to the read model, for all of them. */
export const BLOCKS_TOGETHER = 10;
/** With more of them waiting none is written: so many have not become final one by one under the node's eyes. */
const MAX_WAITING_BLOCKS = 1_000;
/** A chain with an older tip is being caught up with. */
const UP_TO_DATE_MS = 600_000;
/** After a fault nothing is written for so long. */
const PAUSE_MS = 30_000;

/** Name of the value that the store keeps. */
const WRITTEN = "finalBlocks";

interface Written extends FinalChain {
  /** Of the last block that is not to be written any more. */
  readonly height: number;
}

export class FinalBlockWriter {
  readonly #facts: FinalBlockFacts;
  #written: Written | undefined;
  #writing: Promise<void> | undefined;
  /** When the last fault was. */
  #faultMs: number | undefined;

  constructor(facts: FinalBlockFacts) {
    this.#facts = facts;
    const known = facts.store.findMeta(WRITTEN);
    this.#written = known === undefined ? undefined : (JSON.parse(known) as Written);
  }

  /**
   * Writes what waits, if it is time to. To be called when readers see the chain as it is.
   * @returns resolves when nothing is to be written any more, whatever became of it
   */
  follow(): Promise<void> {
    this.#writing ??= this.#writeWaiting().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  /** Blocks that are final by now are left to their first readers. */
  leaveBehind(): void {
    const { identity, epoch, finalizedHeight: height } = this.#facts.chain();
    this.#remember({ identity, epoch, height });
  }

  async #writeWaiting(): Promise<void> {
    try {
      for (let range = this.#next(); range !== undefined; range = this.#next()) {
        const { from, to, chain } = range;
        const before = this.#written;
        const height = await inTime(this.#facts.sink.write({ from, to }, chain), "the store of final blocks");
        if (height < from) return;
        // Meanwhile more may have been left behind.
        if (this.#written === before) this.#remember({ ...chain, height });
      }
    } catch (error) {
      this.#faultMs = this.#facts.nowMs();
      this.#facts.onFault(error);
    }
  }

  /** The blocks to write now. */
  #next() {
    const { chain: chainNow, tipTimestampMs, nowMs } = this.#facts;
    if (this.#isPaused(nowMs())) return undefined;
    const { finalizedHeight, ...chain } = chainNow();
    const waiting = finalizedHeight - this.#heightOf(chain);
    if (waiting < BLOCKS_TOGETHER || nowMs() - tipTimestampMs() > UP_TO_DATE_MS) return undefined;
    if (waiting > MAX_WAITING_BLOCKS) {
      this.leaveBehind();
      return undefined;
    }
    const from = finalizedHeight - waiting + 1;
    return { from, to: from + BLOCKS_TOGETHER - 1, chain };
  }

  /** Of another chain, or one of which final blocks were taken back, nothing is there. */
  #heightOf({ identity, epoch }: FinalChain): number {
    const written = this.#written;
    return written?.identity === identity && written.epoch === epoch ? written.height : 0;
  }

  /** A clock that was set back ends the pause. */
  #isPaused(nowMs: number): boolean {
    const sinceMs = nowMs - (this.#faultMs ?? Number.NEGATIVE_INFINITY);
    return sinceMs >= 0 && sinceMs < PAUSE_MS;
  }

  #remember(written: Written): void {
    this.#facts.store.putMeta(WRITTEN, JSON.stringify(written));
    this.#written = written;
  }
}
