/**
 * Wakes of ChainState by reads that find nothing published. Thousands may find so within a second, and one wake is enough:
 * the others wait a moment, and look again.
 */

/** Between two wakes by one isolate. */
const PAUSE_MS = 1_000;
/** How long a read waits for what another one has asked for: a small chain is published by then. */
const WAIT_MS = 300;

export class ReaderWakes {
  #lastMs = Number.NEGATIVE_INFINITY;

  /** Wakes it, or waits for what another reader's wake brings. @throws what `wake` throws */
  async once(nowMs: number, wake: () => Promise<void>): Promise<void> {
    // A clock that was put back must not hold up the next wake.
    if (Math.abs(nowMs - this.#lastMs) < PAUSE_MS) {
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
      return;
    }
    this.#lastMs = nowMs;
    await wake();
  }
}
