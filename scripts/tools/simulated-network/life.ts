/**
 * How long something runs: an object in memory, or a process. Whatever it waits for ends with it, and nothing that it still
 * does afterwards has any effect.
 */
import type { Cancel, Timers } from "../../../durable/peers/connection.ts";

export class Life {
  readonly #ends = new Set<() => void>();
  #isOver = false;

  get isOver(): boolean {
    return this.#isOver;
  }

  /** @param run is called at the end, unless it is taken back before */
  atEnd(run: () => void): Cancel {
    if (this.#isOver) throw new Error("it is over already");
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

/** Timers that come to nothing once it is over. @param skewMs by how much its clock is ahead */
export function timersOf(life: Life, timers: Timers, skewMs: number): Timers {
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
