/**
 * How much of something each host did lately: who does it too often is no honest node, and no other one once it has made
 * another connection.
 */
import { bytesKey } from "../../../src/crypto/bytes.ts";
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
  readonly #counts: ExpiringMap<{ count: number }>;

  constructor({ limit, perMs, nowMs }: HostRateFacts) {
    this.#limit = limit;
    this.#counts = new ExpiringMap({ ttlMs: perMs, maxSize: MOST_HOSTS, nowMs });
  }

  /** Counts once more, or as much as it weighs. @returns whether it was too often */
  count({ remote }: Peer, weight = 1): boolean {
    const key = bytesKey(remote.ip);
    let counted = this.#counts.get(key);
    if (counted === undefined) {
      counted = { count: 0 };
      this.#counts.set(key, counted);
    }
    counted.count += weight;
    return counted.count > this.#limit;
  }

  /** Whether it was too often already. */
  isOver(peer: Peer): boolean {
    return this.lately(peer) > this.#limit;
  }

  /** How much was counted of the host. */
  lately({ remote }: Peer): number {
    return this.#counts.get(bytesKey(remote.ip))?.count ?? 0;
  }
}
