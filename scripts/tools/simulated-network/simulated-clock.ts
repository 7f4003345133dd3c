/**
 * A clock that goes from one event to the next, however far away that is. What an event sets off is over before the next one
 * comes: everything that waits, waits for an event of this clock, and nothing for the clock of the wall.
 */
import type { Cancel, Timers } from "../../../durable/peers/connection.ts";
import { EventHeap, type TimedEvent } from "./event-heap.ts";

interface ClockEvent extends TimedEvent {
  run: (() => void) | undefined;
  /** What comes when all that it has set off is over. */
  readonly settled: (() => void) | undefined;
}

export class SimulatedClock implements Timers {
  #nowMs: number;
  #sequence = 0;
  readonly #events = new EventHeap<ClockEvent>();
  /** How many events have come. */
  events = 0;

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  /** @param settled is called once nothing goes on any more without another event */
  after(delayMs: number, run: () => void, settled?: () => void): Cancel {
    if (Number.isNaN(delayMs)) throw new RangeError("a timer for no time at all");
    // One for the past comes at once, one for the end of time never.
    const timeMs = this.#nowMs + Math.max(0, Math.ceil(delayMs));
    const event: ClockEvent = { timeMs, sequence: this.#sequence++, run, settled };
    this.#events.put(event);
    return () => {
      event.run = undefined;
    };
  }

  /** Lets all events up to a time come, one by one. */
  async runUntil(timeMs: number): Promise<void> {
    // What was begun outside of any event comes first.
    await settled();
    for (let next = this.#events.first; next !== undefined && next.timeMs <= timeMs; next = this.#events.first) {
      this.#events.takeFirst();
      if (next.run === undefined) continue;
      this.#nowMs = next.timeMs;
      this.events += 1;
      next.run();
      await settled();
      if (next.settled === undefined) continue;
      next.settled();
      await settled();
    }
    this.#nowMs = Math.max(this.#nowMs, timeMs);
  }
}

/** Resolves once every promise that could has gone on: whatever has no event to wait for is done by then. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
