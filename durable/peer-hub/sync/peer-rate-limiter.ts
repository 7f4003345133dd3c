/** Rate limiter by peer: no honest node exceeds the limit. */
import type { Peer } from "../peer.ts";

export interface PeerRateFacts {
  readonly limit: number;
  readonly perMs: number;
  readonly nowMs: () => number;
}

export class PeerRates {
  readonly #facts: PeerRateFacts;
  readonly #counts = new WeakMap<Peer, { sinceMs: number; count: number }>();

  constructor(options: PeerRateFacts) {
    this.#facts = options;
  }

  /** Counts an event. @returns whether the limit is exceeded */
  isOver(peer: Peer): boolean {
    const { limit, perMs, nowMs } = this.#facts;
    const now = nowMs();
    let entry = this.#counts.get(peer);
    if (entry === undefined || now - entry.sinceMs >= perMs) {
      entry = { sinceMs: now, count: 0 };
      this.#counts.set(peer, entry);
    }
    entry.count += 1;
    return entry.count > limit;
  }

  forget(peer: Peer): void {
    this.#counts.delete(peer);
  }
}
