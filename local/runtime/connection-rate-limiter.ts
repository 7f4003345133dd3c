/** Rate limiter of new connections: token buckets for each subscriber, the networks around it, and all together. */
import { networkSharesOf } from "../../src/network/subscriber.ts";
import { subscriberAt } from "./client-subscriber.ts";

export interface ConnectionRateLimiterOptions {
  /**
   * Buckets of one subscriber and of all together: connections at once, and then per second. A wider IPv6 network has
   * its own multiple of a subscriber's bucket.
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

/** Networks remembered at a time; those not seen for longest are forgotten first. */
const MAX_NETWORKS = 10_000;

export class ConnectionRateLimiter {
  readonly #options: ConnectionRateLimiterOptions;
  readonly #buckets = new Map<string, Bucket>();
  readonly #all: Bucket;

  constructor(options: ConnectionRateLimiterOptions) {
    this.#options = options;
    this.#all = { tokens: options.ofAll.burst, atMs: options.nowMs() };
  }

  /** Whether a connection of the address may be accepted now; if so, it is counted. */
  tryAcquire(address: string): boolean {
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
