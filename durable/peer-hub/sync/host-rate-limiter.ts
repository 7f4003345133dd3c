/**
 * Rate limiter by host: no honest node exceeds the limit. The count also holds for other connections of the host, and
 * for other addresses of its IPv6 network.
 */
import { networkSharesOf, subscriberOf, widestNetworkOf } from "../../../src/network/subscriber.ts";
import { ExpiringMap } from "../expiring-map.ts";
import type { Peer } from "../peer.ts";

export interface HostRateLimiterOptions {
  readonly limit: number;
  readonly perMs: number;
  readonly nowMs: () => number;
}

const MOST_HOSTS = 10_000;

export class HostRateLimiter {
  readonly #limit: number;
  readonly #counts: ExpiringMap<{ count: number }, string>;

  constructor({ limit, perMs, nowMs }: HostRateLimiterOptions) {
    this.#limit = limit;
    this.#counts = new ExpiringMap({ ttlMs: perMs, maxSize: MOST_HOSTS, nowMs });
  }

  /** Adds a weight to the count. @returns whether the limit is exceeded */
  count(peer: Peer, weight = 1): boolean {
    for (const { name } of networkSharesOf(subscriberOf(peer.remote.ip))) {
      let entry = this.#counts.get(name);
      if (entry === undefined) {
        entry = { count: 0 };
        this.#counts.set(name, entry);
      }
      entry.count += weight;
    }
    return this.isOver(peer);
  }

  /** Whether the host, or a network around it, has exceeded the limit. */
  isOver({ remote }: Peer): boolean {
    return networkSharesOf(subscriberOf(remote.ip)).some(
      ({ name, share }) => (this.#counts.get(name)?.count ?? 0) > this.#limit * share,
    );
  }

  /** Recent count of the host's widest network. */
  lately({ remote }: Peer): number {
    return this.#counts.get(widestNetworkOf(subscriberOf(remote.ip)))?.count ?? 0;
  }
}
