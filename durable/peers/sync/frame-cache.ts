/** Frames that many peers ask for at the same time: made once, and kept for a while. */
import { type BytesKey, bytesKey } from "../../../src/crypto/bytes.ts";

export interface FrameCacheLimits {
  readonly maxCount: number;
  readonly maxBytes: number;
}

export class FrameCache {
  readonly #limits: FrameCacheLimits;
  /** What was asked for longest ago first. */
  readonly #frames = new Map<BytesKey, Uint8Array>();
  readonly #underWay = new Map<BytesKey, Promise<Uint8Array | undefined>>();
  #sizeBytes = 0;

  constructor(limits: FrameCacheLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#frames.size;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** @param make undefined: there is no such thing, which is not kept */
  async get(id: Uint8Array, make: () => Promise<Uint8Array | undefined>): Promise<Uint8Array | undefined> {
    const key = bytesKey(id);
    const kept = this.#frames.get(key);
    if (kept !== undefined) {
      this.#frames.delete(key);
      this.#frames.set(key, kept);
      return kept;
    }
    const other = this.#underWay.get(key);
    if (other !== undefined) return other;
    const making = make();
    this.#underWay.set(key, making);
    try {
      const frame = await making;
      if (frame !== undefined) this.#keep(key, frame);
      return frame;
    } finally {
      this.#underWay.delete(key);
    }
  }

  #keep(key: BytesKey, frame: Uint8Array): void {
    if (this.#frames.has(key)) return;
    const { maxCount, maxBytes } = this.#limits;
    this.#frames.set(key, frame);
    this.#sizeBytes += frame.length;
    for (const [oldest, { length }] of this.#frames) {
      if (this.#frames.size <= maxCount && this.#sizeBytes <= maxBytes) break;
      this.#frames.delete(oldest);
      this.#sizeBytes -= length;
    }
  }
}
