/** Lifetime of an object in memory, or of a process. Pending work ends with it, and later actions have no effect. */
import type { Cancel, Timers } from "../../../durable/peer-hub/connection.ts";

export class Lifetime {
  readonly #ends = new Set<() => void>();
  #isOver = false;

  get isOver(): boolean {
    return this.#isOver;
  }

  /** @param run called at the end, unless cancelled before */
  atEnd(run: () => void): Cancel {
    if (this.#isOver) throw new Error("its lifetime has ended");
    this.#ends.add(run);
    return () => {
      this.#ends.delete(run);
    };
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const run of this.#ends) run();
    this.#ends.clear();
  }
}

/** Timers that are void after the end. @param skewMs offset of its clock */
export function timersOf(life: Lifetime, timers: Timers, skewMs: number): Timers {
  return {
    nowMs: () => timers.nowMs() + skewMs,
    after(delayMs, run) {
      if (life.isOver) return () => {};
      const cancel = timers.after(delayMs, () => {
        forget();
        run();
      });
      const forget = life.atEnd(cancel);
      return () => {
        forget();
        cancel();
      };
    },
  };
}
