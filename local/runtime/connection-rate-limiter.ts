/** Rate of new connections: token buckets, one of each subscriber, of networks around it, and of all. */
import { networkSharesOf } from "../../src/network/subscriber.ts";
import { subscriberAt } from "./client-subscriber.ts";

export interface AcceptRateOptions {
  /**
   * Of one subscriber, and of all together: connections at once, and from then on a second. A wider IPv6 network may make its
   * share of a subscriber's.
   */
  readonly ofAddress: BucketSize;
  readonly ofAll: BucketSize;
  /** A clock that never goes back. */
  readonly nowMs: () => number;
}

export interface BucketSize {
  readonly burst: number;
  readonly perSecond: number;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

/** Networks remembered at a time; those that came longest ago are forgotten first. */
const MAX_NETWORKS = 10_000;

export class AcceptRate {
  readonly #options: AcceptRateOptions;
  readonly #buckets = new Map<string, Bucket>();
  readonly #all: Bucket;

  constructor(options: AcceptRateOptions) {
    this.#options = options;
    this.#all = { tokens: options.ofAll.burst, atMs: options.nowMs() };
  }

  /** Whether a connection of the address may be taken now; it counts if so. */
  take(address: string): boolean {
    const { ofAddress, ofAll, nowMs } = this.#options;
    const atMs = nowMs();
    const buckets = [refilled(this.#all, ofAll, atMs)];
    for (const { name, share } of networkSharesOf(subscriberAt(address))) {
      const size = { burst: ofAddress.burst * share, perSecond: ofAddress.perSecond * share };
      buckets.push(refilled(this.#bucketOf(name, size.burst, atMs), size, atMs));
    }
    if (buckets.some(({ tokens }) => tokens < 1)) return false;
    for (const bucket of buckets) bucket.tokens--;
    return true;
  }

  #bucketOf(name: string, burst: number, atMs: number): Bucket {
    const bucket = this.#buckets.get(name) ?? { tokens: burst, atMs };
    this.#buckets.delete(name);
    this.#buckets.set(name, bucket);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > MAX_NETWORKS && oldest !== undefined) this.#buckets.delete(oldest);
    return bucket;
  }
}

function refilled(bucket: Bucket, { burst, perSecond }: BucketSize, atMs: number): Bucket {
  bucket.tokens = Math.min(burst, bucket.tokens + ((atMs - bucket.atMs) / 1_000) * perSecond);
  bucket.atMs = atMs;
  return bucket;
}
