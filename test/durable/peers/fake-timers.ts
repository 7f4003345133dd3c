/** A clock that stands still until a test moves it. */
import type { Cancel, Timers } from "../../../durable/peers/connection.ts";

export class FakeTimers implements Timers {
  #nowMs: number;
  #nextId = 0;
  readonly #timers = new Map<number, { readonly atMs: number; readonly run: () => void }>();

  constructor(nowMs = 1_700_000_000_000) {
    this.#nowMs = nowMs;
  }

  /** How many timers run. */
  get pending(): number {
    return this.#timers.size;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, run: () => void): Cancel {
    const id = this.#nextId++;
    this.#timers.set(id, { atMs: this.#nowMs + delayMs, run });
    return () => void this.#timers.delete(id);
  }

  /** Lets so much time pass: timers run in their order, and what they begin is done before the next one. */
  async pass(byMs: number): Promise<void> {
    const endMs = this.#nowMs + byMs;
    await allDone();
    for (let next = this.#next(endMs); next !== undefined; next = this.#next(endMs)) {
      const [id, { atMs, run }] = next;
      this.#timers.delete(id);
      this.#nowMs = Math.max(this.#nowMs, atMs);
      run();
      await allDone();
    }
    this.#nowMs = endMs;
  }

  /** Time passes, and no timer runs in it. */
  stall(byMs: number): void {
    this.#nowMs += byMs;
  }

  #next(endMs: number): [number, { readonly atMs: number; readonly run: () => void }] | undefined {
    const due = [...this.#timers].filter(([, { atMs }]) => atMs <= endMs);
    return due.sort(([leftId, left], [rightId, right]) => left.atMs - right.atMs || leftId - rightId)[0];
  }
}

/** Resolves when nothing is left to do but what waits for a timer. */
export function allDone(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
