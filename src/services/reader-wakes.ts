/**
 * Wakes of ChainState by reads that find nothing published. Thousands may do so within a second, and one wake is
 * enough: the others wait a moment, and look again.
 */

/** Minimum time between two wakes by one isolate. */
const PAUSE_MS = 1_000;
/** How long a read waits for the result of another one's wake: a small chain is published by then. */
const WAIT_MS = 300;

export class ReaderWakes {
  #lastMs = Number.NEGATIVE_INFINITY;

  /** Wakes it, or waits for the effect of another reader's wake. @throws errors of `wake` */
  async once(nowMs: number, wake: () => Promise<void>): Promise<void> {
    // A clock set back must not delay the next wake.
    if (Math.abs(nowMs - this.#lastMs) < PAUSE_MS) {
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
      return;
    }
    this.#lastMs = nowMs;
    await wake();
  }
}
