/**
 * A clock that goes from one event to the next, however far away that is. What an event sets off is over before the next one
 * comes: everything that waits, waits for an event of this clock, and nothing for the clock of the wall.
 */
import type { Cancel, Timers } from "../../../durable/peers/connection.ts";

interface ClockEvent {
  readonly timeMs: number;
  /** Of two events at the same time the one that was asked for first comes first. */
  readonly sequence: number;
  run: (() => void) | undefined;
  /** What comes when all that it has set off is over. */
  readonly settled: (() => void) | undefined;
}

export class SimulatedClock implements Timers {
  #nowMs: number;
  #sequence = 0;
  /** A heap: each event is not later than the two below it. */
  readonly #events: ClockEvent[] = [];
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
    this.#put(event);
    return () => {
      event.run = undefined;
    };
  }

  /** Lets all events up to a time come, one by one. */
  async runUntil(timeMs: number): Promise<void> {
    // What was begun outside of any event comes first.
    await settled();
    for (let next = this.#events[0]; next !== undefined && next.timeMs <= timeMs; next = this.#events[0]) {
      this.#takeFirst();
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

  #put(event: ClockEvent): void {
    const events = this.#events;
    let index = events.push(event) - 1;
    while (index > 0) {
      const above = (index - 1) >> 1;
      if (!isBefore(event, events[above] as ClockEvent)) break;
      events[index] = events[above] as ClockEvent;
      index = above;
    }
    events[index] = event;
  }

  #takeFirst(): void {
    const events = this.#events;
    const last = events.pop() as ClockEvent;
    if (events.length === 0) return;
    let index = 0;
    for (;;) {
      let below = 2 * index + 1;
      if (below >= events.length) break;
      if (below + 1 < events.length && isBefore(events[below + 1] as ClockEvent, events[below] as ClockEvent))
        below += 1;
      if (!isBefore(events[below] as ClockEvent, last)) break;
      events[index] = events[below] as ClockEvent;
      index = below;
    }
    events[index] = last;
  }
}

function isBefore(one: ClockEvent, other: ClockEvent): boolean {
  return one.timeMs < other.timeMs || (one.timeMs === other.timeMs && one.sequence < other.sequence);
}

/** Resolves once every promise that could has gone on: whatever has no event to wait for is done by then. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
