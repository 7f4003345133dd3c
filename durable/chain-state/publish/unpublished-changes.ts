/** Waiting times of changes for the read model: the time since the oldest unpublished one. */

interface WaitingChange {
  /** Number of its last outbox entry. */
  sequence: number;
  readonly sinceMs: number;
}

/** Maximum of remembered times. Further changes count as old as the newest of these. */
const MAX_CHANGES = 1_000;

export class UnpublishedChanges {
  /** Oldest first. */
  readonly #waiting: WaitingChange[] = [];

  /**
   * To be called after a change, and at the start: changes found then have waited longer, for an unknown time.
   * @param newest number of the newest entry in the outbox; undefined if there is none
   * @param published number of the last entry in the read model
   */
  changed(newest: number | undefined, published: number, nowMs: number): void {
    this.#forget(published);
    const last = this.#waiting.at(-1);
    if (newest === undefined || newest <= Math.max(published, last?.sequence ?? 0)) return;
    if (last !== undefined && this.#waiting.length >= MAX_CHANGES) last.sequence = newest;
    else this.#waiting.push({ sequence: newest, sinceMs: nowMs });
  }

  /** Milliseconds since the oldest unpublished change; 0 if there is none. */
  ageMs(published: number, nowMs: number): number {
    this.#forget(published);
    const [oldest] = this.#waiting;
    return oldest === undefined ? 0 : Math.max(0, nowMs - oldest.sinceMs);
  }

  #forget(published: number): void {
    const firstWaiting = this.#waiting.findIndex(({ sequence }) => sequence > published);
    this.#waiting.splice(0, firstWaiting === -1 ? this.#waiting.length : firstWaiting);
  }
}
