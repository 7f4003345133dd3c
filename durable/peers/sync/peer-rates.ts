/** How often each peer did something lately: who does it too often is no honest node. */
import type { Peer } from "../peer.ts";

export interface PeerRateFacts {
  readonly limit: number;
  readonly perMs: number;
  readonly nowMs: () => number;
}

export class PeerRates {
  readonly #facts: PeerRateFacts;
  readonly #counts = new WeakMap<Peer, { sinceMs: number; count: number }>();

  constructor(facts: PeerRateFacts) {
    this.#facts = facts;
  }

  /** Counts once more. @returns whether it was too often */
  isOver(peer: Peer): boolean {
    const { limit, perMs, nowMs } = this.#facts;
    const now = nowMs();
    let counted = this.#counts.get(peer);
    if (counted === undefined || now - counted.sinceMs >= perMs) {
      counted = { sinceMs: now, count: 0 };
      this.#counts.set(peer, counted);
    }
    counted.count += 1;
    return counted.count > limit;
  }

  forget(peer: Peer): void {
    this.#counts.delete(peer);
  }
}
