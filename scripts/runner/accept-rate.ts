/** Rate of new connections: token buckets, one of each address and one of all. */

export interface AcceptRateOptions {
  /** Of one address, and of all together: connections at once, and from then on a second. */
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

/** Addresses remembered at a time; those that came longest ago are forgotten first. */
const MAX_ADDRESSES = 10_000;

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
    const bucket = this.#buckets.get(address) ?? { tokens: ofAddress.burst, atMs };
    this.#buckets.delete(address);
    this.#buckets.set(address, bucket);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > MAX_ADDRESSES && oldest !== undefined) this.#buckets.delete(oldest);
    refill(bucket, ofAddress, atMs);
    refill(this.#all, ofAll, atMs);
    if (bucket.tokens < 1 || this.#all.tokens < 1) return false;
    bucket.tokens--;
    this.#all.tokens--;
    return true;
  }
}

function refill(bucket: Bucket, { burst, perSecond }: BucketSize, atMs: number): void {
  bucket.tokens = Math.min(burst, bucket.tokens + ((atMs - bucket.atMs) / 1_000) * perSecond);
  bucket.atMs = atMs;
}
