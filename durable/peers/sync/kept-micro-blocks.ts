/** The last micro-blocks, as others ask for them: the chain itself has only the liquid block that they make up. */
import { type BytesKey, bytesKey } from "../../../src/crypto/bytes.ts";

const MOST_BYTES = 4 * 2 ** 20;

export class KeptMicroBlocks {
  readonly #maxCount: number;
  /** Payloads of messages, the oldest first. */
  readonly #payloads = new Map<BytesKey, Uint8Array>();
  #sizeBytes = 0;

  constructor(maxCount: number) {
    this.#maxCount = maxCount;
  }

  add(totalId: Uint8Array, payload: Uint8Array): void {
    const key = bytesKey(totalId);
    if (this.#payloads.has(key)) return;
    this.#payloads.set(key, payload);
    this.#sizeBytes += payload.length;
    for (const [oldest, { length }] of this.#payloads) {
      if (this.#payloads.size <= this.#maxCount && this.#sizeBytes <= MOST_BYTES) break;
      this.#payloads.delete(oldest);
      this.#sizeBytes -= length;
    }
  }

  find(totalId: Uint8Array): Uint8Array | undefined {
    return this.#payloads.get(bytesKey(totalId));
  }

  get size(): number {
    return this.#payloads.size;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }
}
