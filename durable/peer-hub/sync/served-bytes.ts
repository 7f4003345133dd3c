/** Response bytes per host within a minute: a host over its share waits for the next minute. */
import type { Peer } from "../peer.ts";
import { HostRateLimiter } from "./host-rate-limiter.ts";

const PER_MS = 60_000;
const MiB = 2 ** 20;
/** Bytes a minute for one host, for all hosts together, and for each host once all together have used theirs. */
export const servedLimits = { ofHost: 128 * MiB, all: 512 * MiB, always: 8 * MiB } as const;
/** Cost of an id in a request, whether anything is found by it or not. */
const ID_BYTES = 1_024;

export class ServedBytes {
  readonly #nowMs: () => number;
  readonly #ofHosts: HostRateLimiter;
  #all = { sinceMs: Number.NEGATIVE_INFINITY, bytes: 0 };

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#ofHosts = new HostRateLimiter({ limit: servedLimits.ofHost, perMs: PER_MS, nowMs });
  }

  /** @param ids number of ids in the request @param bytes of its response */
  count(peer: Peer, ids: number, bytes: number): void {
    const sum = ids * ID_BYTES + bytes;
    if (!this.#isThisMinute) this.#all = { sinceMs: this.#nowMs(), bytes: 0 };
    this.#all.bytes += sum;
    this.#ofHosts.count(peer, sum);
  }

  /** Whether the peer's next request is to wait. */
  isOver(peer: Peer): boolean {
    const areAll = this.#isThisMinute && this.#all.bytes > servedLimits.all;
    return this.#ofHosts.isOver(peer) || (areAll && this.#ofHosts.lately(peer) > servedLimits.always);
  }

  get #isThisMinute(): boolean {
    return Math.abs(this.#nowMs() - this.#all.sinceMs) < PER_MS;
  }
}
