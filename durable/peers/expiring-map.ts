/** Values by ids, kept for a while, and no more of them than were allowed: what was written first goes first. */
import type { BytesKey } from "../../src/crypto/bytes.ts";

export interface ExpiringMapFacts {
  readonly ttlMs: number;
  readonly maxSize: number;
  readonly nowMs: () => number;
}

export class ExpiringMap<Value, Key = BytesKey> {
  readonly #facts: ExpiringMapFacts;
  /** In the order in which they were written, which is the one in which they expire. */
  readonly #entries = new Map<Key, { readonly value: Value; readonly expiresMs: number }>();

  constructor(facts: ExpiringMapFacts) {
    this.#facts = facts;
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    return entry === undefined || entry.expiresMs <= this.#facts.nowMs() ? undefined : entry.value;
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined;
  }

  set(key: Key, value: Value): void {
    const { ttlMs, maxSize, nowMs } = this.#facts;
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

  /** As `size`. */
  *values(): Iterable<Value> {
    for (const { value } of this.#entries.values()) yield value;
  }

  /** How many it holds, those that have expired and were not swept yet among them. */
  get size(): number {
    return this.#entries.size;
  }
}
