/**
 * Writer of final blocks for readers, once each and independent of everything else
 * (docs/decisions/0048-final-objects-in-kv.md). The progress is stored in the node's own table, so a start continues
 * there. Each earlier block is written already, or left to its first reader.
 */
import type { StateStore } from "../state/state-store.ts";
import { withTimeout } from "./with-timeout.ts";

/** Chain of a final block, as readers know it. */
export interface FinalChain {
  readonly identity: string;
  readonly epoch: number;
}

/** Store for final blocks. */
export interface FinalBlockSink {
  /**
   * Writes blocks from a height on, as many of the range as fit into one call.
   * @returns height up to which they are written; below `from` if readers do not see them as final blocks of that chain
   * @throws the store's error: then any of the blocks may be written
   */
  write(range: { readonly from: number; readonly to: number }, chain: FinalChain): Promise<number>;
}

export interface FinalBlockWriterOptions {
  readonly store: StateStore;
  readonly sink: FinalBlockSink;
  /** Chain with its finalized height at the moment. */
  readonly chain: () => FinalChain & { readonly finalizedHeight: number };
  /** Timestamp of the tip, ms since the epoch. */
  readonly tipTimestampMs: () => number;
  readonly nowMs: () => number;
  /** Receives the error of a failed write, which is retried. */
  readonly onError: (error: unknown) => void;
}

/** Blocks that are written together: they share a write of the progress and a query to the read model. */
export const BATCH_BLOCKS = 10;
/** With more waiting blocks none is written: they did not become final one by one while the node was running. */
const MAX_WAITING_BLOCKS = 1_000;
/** A chain with an older tip is still catching up. */
const UP_TO_DATE_MS = 600_000;
/** Pause after an error. */
const PAUSE_MS = 30_000;

/** Name of the stored value. */
const WRITTEN = "finalBlocks";

interface Written extends FinalChain {
  /** Height of the last block that needs no write any more. */
  readonly height: number;
}

export class FinalBlockWriter {
  readonly #options: FinalBlockWriterOptions;
  #written: Written | undefined;
  #writing: Promise<void> | undefined;
  /** Time of the last error. */
  #failedMs: number | undefined;

  constructor(options: FinalBlockWriterOptions) {
    this.#options = options;
    const known = options.store.findMeta(WRITTEN);
    this.#written = known === undefined ? undefined : (JSON.parse(known) as Written);
  }

  /**
   * Writes waiting blocks if there are enough. To be called when readers see the current chain.
   * @returns resolves when there is nothing more to write, or after an error
   */
  follow(): Promise<void> {
    this.#writing ??= this.#writeWaiting().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  /** Leaves the blocks that are final now to their first readers. */
  skipFinalized(): void {
    const { identity, epoch, finalizedHeight: height } = this.#options.chain();
    this.#remember({ identity, epoch, height });
  }

  async #writeWaiting(): Promise<void> {
    try {
      for (let range = this.#next(); range !== undefined; range = this.#next()) {
        const { from, to, chain } = range;
        const before = this.#written;
        const height = await withTimeout(this.#options.sink.write({ from, to }, chain), "the store of final blocks");
        if (height < from) return;
        // More blocks may have been skipped meanwhile.
        if (this.#written === before) this.#remember({ ...chain, height });
      }
    } catch (error) {
      this.#failedMs = this.#options.nowMs();
      this.#options.onError(error);
    }
  }

  /** Range of the blocks to write now. */
  #next() {
    const { chain: chainNow, tipTimestampMs, nowMs } = this.#options;
    if (this.#isPaused(nowMs())) return undefined;
    const { finalizedHeight, ...chain } = chainNow();
    const waiting = finalizedHeight - this.#heightOf(chain);
    if (waiting < BATCH_BLOCKS || nowMs() - tipTimestampMs() > UP_TO_DATE_MS) return undefined;
    if (waiting > MAX_WAITING_BLOCKS) {
      this.skipFinalized();
      return undefined;
    }
    const from = finalizedHeight - waiting + 1;
    return { from, to: from + BATCH_BLOCKS - 1, chain };
  }

  /** Nothing is written for another chain, or for one with rolled back final blocks. */
  #heightOf({ identity, epoch }: FinalChain): number {
    const written = this.#written;
    return written?.identity === identity && written.epoch === epoch ? written.height : 0;
  }

  /** A clock that was set back ends the pause. */
  #isPaused(nowMs: number): boolean {
    const sinceMs = nowMs - (this.#failedMs ?? Number.NEGATIVE_INFINITY);
    return sinceMs >= 0 && sinceMs < PAUSE_MS;
  }

  #remember(written: Written): void {
    this.#options.store.putMeta(WRITTEN, JSON.stringify(written));
    this.#written = written;
  }
}
