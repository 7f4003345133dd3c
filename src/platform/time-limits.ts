/**
 * Time limits of many requests under one timer. The runtime takes 30 µs to set a timer and to clear it again, a tenth of what a
 * small answer takes; and hardly any of them ever goes off. So one request looks after all that wait in its isolate: it sets one
 * timer a second, behind its answer, and looks who has waited for too long.
 *
 * A timer belongs to its request, and what goes on behind a promise to the request that made the promise: so each waits for a
 * promise of its own, and the next one to look is woken to set its own timer.
 */

/** How often somebody looks: limits are kept to within so much. */
export const LOOK_EVERY_MS = 1_000;

/** The request that waits. */
export interface WaitingRequest {
  /** Work that goes on behind its answer, also when its client is gone. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/** What came instead of a value. */
export const late: unique symbol = Symbol("late");

interface Waiting {
  readonly deadlineMs: number;
  /** Lets the request look again. */
  wake: () => void;
  isLate: boolean;
}

export class TimeLimits {
  readonly #nowMs: () => number;
  readonly #waiting = new Set<Waiting>();
  /** Until when somebody is sure to have looked; undefined: nobody will. */
  #looksAtMs: number | undefined;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** @returns what the work gives, or `late`, at most `LOOK_EVERY_MS` behind the limit @throws what the work throws */
  async within<Value>(work: Promise<Value>, limitMs: number, request: WaitingRequest): Promise<Value | typeof late> {
    const waiting: Waiting = { deadlineMs: this.#nowMs() + limitMs, isLate: false, wake: () => {} };
    this.#waiting.add(waiting);
    try {
      for (;;) {
        const woken = new Promise<typeof late>((resolve) => {
          waiting.wake = () => resolve(late);
        });
        if (!this.#isLookedAfter) request.waitUntil(this.#look());
        const first = await Promise.race([work, woken]);
        if (first !== late || waiting.isLate) return first;
      }
    } finally {
      this.#waiting.delete(waiting);
    }
  }

  /** Whoever was to look, and did not by twice the time, is no more. */
  get #isLookedAfter(): boolean {
    const looksAtMs = this.#looksAtMs;
    if (looksAtMs === undefined) return false;
    const aheadMs = looksAtMs - this.#nowMs();
    // A clock that was put back puts nothing off.
    return aheadMs > -LOOK_EVERY_MS && aheadMs <= LOOK_EVERY_MS;
  }

  async #look(): Promise<void> {
    const looksAtMs = this.#nowMs() + LOOK_EVERY_MS;
    this.#looksAtMs = looksAtMs;
    await new Promise<void>((resolve) => {
      setTimeout(resolve, LOOK_EVERY_MS);
    });
    // Another one looks instead.
    if (this.#looksAtMs !== looksAtMs) return;
    this.#looksAtMs = undefined;
    const nowMs = this.#nowMs();
    for (const waiting of this.#waiting) {
      waiting.isLate = nowMs >= waiting.deadlineMs;
      // Where its client is gone it does nothing any more, not even this.
      if (waiting.isLate) this.#waiting.delete(waiting);
      // Of the others the first that is still there looks next.
      waiting.wake();
    }
  }
}
