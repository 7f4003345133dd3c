/** Clock that only a test moves. */
import type { Cancel, Timers } from "../../../durable/peer-hub/connection.ts";

export class FakeTimers implements Timers {
  #nowMs: number;
  #nextId = 0;
  readonly #timers = new Map<number, { readonly atMs: number; readonly run: () => void }>();

  constructor(nowMs = 1_700_000_000_000) {
    this.#nowMs = nowMs;
  }

  /** Number of running timers. */
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

  /** Moves the clock: timers fire in their order, and each one's work is done before the next. */
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

  /** Moves the clock without firing timers. */
  stall(byMs: number): void {
    this.#nowMs += byMs;
  }

  #next(endMs: number): [number, { readonly atMs: number; readonly run: () => void }] | undefined {
    const due = [...this.#timers].filter(([, { atMs }]) => atMs <= endMs);
    return due.sort(([leftId, left], [rightId, right]) => left.atMs - right.atMs || leftId - rightId)[0];
  }
}

/** Resolves when only timers are left to wait for. */
export function allDone(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
