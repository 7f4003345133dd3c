/**
 * How much of something each host did lately: who does it too often is no honest node, and no other one once it has made
 * another connection, or has come from another address of its IPv6 network.
 */
import { networkSharesOf, subscriberOf, widestNetworkOf } from "../../../src/network/subscriber.ts";
import { ExpiringMap } from "../expiring-map.ts";
import type { Peer } from "../peer.ts";

export interface HostRateFacts {
  readonly limit: number;
  readonly perMs: number;
  readonly nowMs: () => number;
}

const MOST_HOSTS = 10_000;

export class HostRates {
  readonly #limit: number;
  readonly #counts: ExpiringMap<{ count: number }, string>;

  constructor({ limit, perMs, nowMs }: HostRateFacts) {
    this.#limit = limit;
    this.#counts = new ExpiringMap({ ttlMs: perMs, maxSize: MOST_HOSTS, nowMs });
  }

  /** Counts once more, or as much as it weighs. @returns whether it was too often */
  count(peer: Peer, weight = 1): boolean {
    for (const { name } of networkSharesOf(subscriberOf(peer.remote.ip))) {
      let counted = this.#counts.get(name);
      if (counted === undefined) {
        counted = { count: 0 };
        this.#counts.set(name, counted);
      }
      counted.count += weight;
    }
    return this.isOver(peer);
  }

  /** Whether it was too often already, of the host or a network around it. */
  isOver({ remote }: Peer): boolean {
    return networkSharesOf(subscriberOf(remote.ip)).some(
      ({ name, share }) => (this.#counts.get(name)?.count ?? 0) > this.#limit * share,
    );
  }

  /** How much was counted of the host's widest network. */
  lately({ remote }: Peer): number {
    return this.#counts.get(widestNetworkOf(subscriberOf(remote.ip)))?.count ?? 0;
  }
}
