/** Events in the order of their times, then of insertion. */

export interface TimedEvent {
  readonly timeMs: number;
  /** Sequence number, which grows with each event. */
  readonly sequence: number;
}

/** Binary heap: each event is not later than its two children. */
export class EventHeap<E extends TimedEvent> {
  readonly #events: E[] = [];

  get first(): E | undefined {
    return this.#events[0];
  }

  put(event: E): void {
    const events = this.#events;
    let index = events.push(event) - 1;
    while (index > 0) {
      const above = (index - 1) >> 1;
      if (!isBefore(event, events[above] as E)) break;
      events[index] = events[above] as E;
      index = above;
    }
    events[index] = event;
  }

  removeFirst(): E | undefined {
    const events = this.#events;
    const first = events[0];
    const last = events.pop();
    if (last === undefined || events.length === 0) return first;
    let index = 0;
    for (;;) {
      let below = 2 * index + 1;
      if (below >= events.length) break;
      if (below + 1 < events.length && isBefore(events[below + 1] as E, events[below] as E)) below += 1;
      if (!isBefore(events[below] as E, last)) break;
      events[index] = events[below] as E;
      index = below;
    }
    events[index] = last;
    return first;
  }
}

function isBefore(one: TimedEvent, other: TimedEvent): boolean {
  return one.timeMs < other.timeMs || (one.timeMs === other.timeMs && one.sequence < other.sequence);
}
