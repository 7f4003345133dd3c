/** Byte strings by id, bounded in number and total size: beyond a bound the first one is removed. */
import type { BytesKey } from "../../../src/crypto/bytes.ts";

export interface BytesBound {
  readonly maxCount: number;
  readonly maxBytes: number;
}

export class BoundedBytes {
  readonly #bound: BytesBound;
  readonly #values = new Map<BytesKey, Uint8Array>();
  #sizeBytes = 0;

  constructor(bound: BytesBound) {
    this.#bound = bound;
  }

  get size(): number {
    return this.#values.size;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  find(key: BytesKey): Uint8Array | undefined {
    return this.#values.get(key);
  }

  /** Like `find`, and moves the value to the end. */
  use(key: BytesKey): Uint8Array | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  /** Appends a value, unless its id is present. */
  add(key: BytesKey, value: Uint8Array): void {
    if (this.#values.has(key)) return;
    const { maxCount, maxBytes } = this.#bound;
    this.#values.set(key, value);
    this.#sizeBytes += value.length;
    for (const [first, { length }] of this.#values) {
      if (this.#values.size <= maxCount && this.#sizeBytes <= maxBytes) break;
      this.#values.delete(first);
      this.#sizeBytes -= length;
    }
  }
}
