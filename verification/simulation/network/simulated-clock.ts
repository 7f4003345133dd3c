/**
 * A clock that jumps from one event to the next. Everything that an event starts completes before the next one: all
 * waiting is for events of this clock, never for real time.
 */
import type { Cancel, Timers } from "../../../durable/peer-hub/connection.ts";
import { EventHeap, type TimedEvent } from "./event-heap.ts";

interface ClockEvent extends TimedEvent {
  run: (() => void) | undefined;
  /** Called when everything that the event started has completed. */
  readonly settled: (() => void) | undefined;
}

export class SimulatedClock implements Timers {
  #nowMs: number;
  #sequence = 0;
  readonly #events = new EventHeap<ClockEvent>();
  /** Number of events so far. */
  events = 0;

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  /** @param settled called once everything waits for another event */
  after(delayMs: number, run: () => void, settled?: () => void): Cancel {
    if (Number.isNaN(delayMs)) throw new RangeError("a timer for no time at all");
    // A time in the past fires at once, an infinite one never.
    const timeMs = this.#nowMs + Math.max(0, Math.ceil(delayMs));
    const event: ClockEvent = { timeMs, sequence: this.#sequence++, run, settled };
    this.#events.put(event);
    return () => {
      event.run = undefined;
    };
  }

  /** Runs all events up to a time, one by one. */
  async runUntil(timeMs: number): Promise<void> {
    // Work started outside of any event completes first.
    await settled();
    for (let next = this.#events.first; next !== undefined && next.timeMs <= timeMs; next = this.#events.first) {
      this.#events.removeFirst();
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

/** Resolves once every promise that can has settled: everything left waits for an event. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
