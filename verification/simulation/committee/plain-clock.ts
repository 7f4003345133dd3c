/** A clock for synchronous events: faster than `SimulatedClock`, whose events may start promises. */
import { EventHeap, type TimedEvent } from "../network/event-heap.ts";

interface PlainEvent extends TimedEvent {
  readonly run: () => void;
}

export class PlainClock {
  #nowMs = 0;
  #sequence = 0;
  readonly #events = new EventHeap<PlainEvent>();

  nowMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, run: () => void): void {
    this.#events.put({ timeMs: this.#nowMs + Math.max(0, Math.ceil(delayMs)), sequence: this.#sequence++, run });
  }

  /** Runs the next event. @returns false when there is none */
  step(): boolean {
    const event = this.#events.removeFirst();
    if (event === undefined) return false;
    this.#nowMs = event.timeMs;
    event.run();
    return true;
  }
}
