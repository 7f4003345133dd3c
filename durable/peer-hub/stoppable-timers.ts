/** Timers that can all be cancelled at once. */
import type { Cancel, Timers } from "./connection.ts";

export class StoppableTimers implements Timers {
  readonly #timers: Timers;
  readonly #running = new Set<Cancel>();
  #isStopped = false;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  nowMs(): number {
    return this.#timers.nowMs();
  }

  after(delayMs: number, run: () => void): Cancel {
    if (this.#isStopped) return () => {};
    const cancelTimer = this.#timers.after(delayMs, () => {
      this.#running.delete(cancel);
      run();
    });
    const cancel = (): void => {
      this.#running.delete(cancel);
      cancelTimer();
    };
    this.#running.add(cancel);
    return cancel;
  }

  /** Cancels all timers. Later timers never run. */
  stop(): void {
    this.#isStopped = true;
    for (const cancel of [...this.#running]) cancel();
  }
}
