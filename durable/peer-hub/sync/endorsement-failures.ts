/** Counts of invalid endorsement signatures: each costs milliseconds, and sending one costs its sender nothing. */
import type { Peer } from "../peer.ts";
import { HostRateLimiter } from "./host-rate-limiter.ts";

const PER_MS = 60_000;
/** `ofHost`: then its endorsements are ignored. `all`: then those of every host with an invalid one are. */
const MOST = { ofHost: 10, all: 100 } as const;

export class EndorsementFailures {
  readonly #nowMs: () => number;
  readonly #ofHosts: HostRateLimiter;
  #all = { sinceMs: Number.NEGATIVE_INFINITY, count: 0 };

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#ofHosts = new HostRateLimiter({ limit: MOST.ofHost, perMs: PER_MS, nowMs });
  }

  /** Counts an invalid signature. @returns whether its host has sent too many */
  count(peer: Peer): boolean {
    const nowMs = this.#nowMs();
    if (Math.abs(nowMs - this.#all.sinceMs) >= PER_MS) this.#all = { sinceMs: nowMs, count: 0 };
    this.#all.count += 1;
    return this.#ofHosts.count(peer);
  }

  /** Whether to ignore the peer's endorsements for now. */
  isOver(peer: Peer): boolean {
    return this.#ofHosts.isOver(peer) || (this.#areMany && this.#ofHosts.lately(peer) > 0);
  }

  get #areMany(): boolean {
    return this.#all.count >= MOST.all && Math.abs(this.#nowMs() - this.#all.sinceMs) < PER_MS;
  }
}
