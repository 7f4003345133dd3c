/**
 * A Map that forgets: values that are cheap to keep and dear to compute again.
 *
 * Two generations instead of a list in order of use: when the young one is full it becomes the old one, and what was
 * in the old one and has not been asked for since is dropped. So a hit in the young generation costs one lookup.
 */
export class BoundedCache<Key, Value> {
  readonly #capacity: number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();

  /** @param capacity the most recently used `capacity` values are kept for certain, and at most twice as many in all */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  find(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: Key, value: Value): void {
    if (this.#young.size >= this.#capacity && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  /** Values held now, a value in both generations counted twice: at most twice the capacity. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }
}
