/** How long changes of the chain wait for the read model: since when the oldest waits that it has not taken. */

interface WaitingChange {
  /** Number of its last outbox entry. */
  sequence: number;
  readonly sinceMs: number;
}

/** Times that are remembered. A change beyond them counts as old as the newest of these. */
const MAX_CHANGES = 1_000;

export class UnpublishedChanges {
  /** Oldest first. */
  readonly #waiting: WaitingChange[] = [];

  /**
   * To be called after a change, and at the start: what waits then has waited for longer, but nobody knows how long.
   * @param newest number of the newest entry in the outbox; undefined when there is none
   * @param published number of the last entry that the read model has
   */
  changed(newest: number | undefined, published: number, nowMs: number): void {
    this.#forget(published);
    const last = this.#waiting.at(-1);
    if (newest === undefined || newest <= Math.max(published, last?.sequence ?? 0)) return;
    if (last !== undefined && this.#waiting.length >= MAX_CHANGES) last.sequence = newest;
    else this.#waiting.push({ sequence: newest, sinceMs: nowMs });
  }

  /** Milliseconds since the oldest change that is not published; 0 when there is none. */
  ageMs(published: number, nowMs: number): number {
    this.#forget(published);
    const [oldest] = this.#waiting;
    return oldest === undefined ? 0 : Math.max(0, nowMs - oldest.sinceMs);
  }

  #forget(published: number): void {
    const left = this.#waiting.findIndex(({ sequence }) => sequence > published);
    this.#waiting.splice(0, left === -1 ? this.#waiting.length : left);
  }
}
