/** Values by id for a limited time. Beyond the maximum size the oldest entry is removed. */
import type { BytesKey } from "../../src/crypto/bytes.ts";

export interface ExpiringMapOptions {
  readonly ttlMs: number;
  readonly maxSize: number;
  readonly nowMs: () => number;
}

export class ExpiringMap<Value, Key = BytesKey> {
  readonly #options: ExpiringMapOptions;
  /** Entries in the order of writing, which is the order of expiry. */
  readonly #entries = new Map<Key, { readonly value: Value; readonly expiresMs: number }>();

  constructor(options: ExpiringMapOptions) {
    this.#options = options;
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    return entry === undefined || entry.expiresMs <= this.#options.nowMs() ? undefined : entry.value;
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined;
  }

  set(key: Key, value: Value): void {
    const { ttlMs, maxSize, nowMs } = this.#options;
    const now = nowMs();
    this.#entries.delete(key);
    this.#entries.set(key, { value, expiresMs: now + ttlMs });
    for (const [oldest, { expiresMs }] of this.#entries) {
      if (expiresMs > now && this.#entries.size <= maxSize) break;
      this.#entries.delete(oldest);
    }
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** Values in the order of writing, including expired ones that were not removed yet. */
  *values(): Iterable<Value> {
    for (const { value } of this.#entries.values()) yield value;
  }

  /** Number of entries, including expired ones that were not removed yet. */
  get size(): number {
    return this.#entries.size;
  }
}
