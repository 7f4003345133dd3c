/** Rate limiter by peer: no honest node exceeds the limit. */
import type { Peer } from "../peer.ts";

export interface PeerRateLimiterOptions {
  readonly limit: number;
  readonly perMs: number;
  readonly nowMs: () => number;
}

export class PeerRateLimiter {
  readonly #options: PeerRateLimiterOptions;
  readonly #counts = new WeakMap<Peer, { sinceMs: number; count: number }>();

  constructor(options: PeerRateLimiterOptions) {
    this.#options = options;
  }

  /** Counts an event. @returns whether the limit is exceeded */
  isOver(peer: Peer): boolean {
    const { limit, perMs, nowMs } = this.#options;
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
