/** Bytes that hosts were sent for their questions within a minute: a host that has had its share waits for the next one. */
import type { Peer } from "../peer.ts";
import { HostRateLimiter } from "./host-rate-limiter.ts";

const PER_MS = 60_000;
const MiB = 2 ** 20;
/** Of one host; of all; and what each still gets where all together have had that. */
export const servedLimits = { ofHost: 128 * MiB, all: 512 * MiB, always: 8 * MiB } as const;
/** What an id in a question costs, whether anything is found by it or not. */
const ID_BYTES = 1_024;

export class ServedBytes {
  readonly #nowMs: () => number;
  readonly #ofHosts: HostRateLimiter;
  #all = { sinceMs: Number.NEGATIVE_INFINITY, bytes: 0 };

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#ofHosts = new HostRateLimiter({ limit: servedLimits.ofHost, perMs: PER_MS, nowMs });
  }

  /** @param ids in the question. @param bytes of its answer */
  count(peer: Peer, ids: number, bytes: number): void {
    const sum = ids * ID_BYTES + bytes;
    if (!this.#isThisMinute) this.#all = { sinceMs: this.#nowMs(), bytes: 0 };
    this.#all.bytes += sum;
    this.#ofHosts.count(peer, sum);
  }

  /** Whether the peer's next question is to wait. */
  isOver(peer: Peer): boolean {
    const areAll = this.#isThisMinute && this.#all.bytes > servedLimits.all;
    return this.#ofHosts.isOver(peer) || (areAll && this.#ofHosts.lately(peer) > servedLimits.always);
  }

  get #isThisMinute(): boolean {
    return Math.abs(this.#nowMs() - this.#all.sinceMs) < PER_MS;
  }
}
