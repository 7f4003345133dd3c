/** Frames that many peers ask for at the same time: made once, and kept for a while. */
import { type BytesKey, bytesKey } from "../../../src/crypto/bytes.ts";
import { BoundedBytes, type BytesBound } from "./bounded-bytes.ts";

export class FrameCache {
  /** What was asked for longest ago first. */
  readonly #frames: BoundedBytes;
  readonly #underWay = new Map<BytesKey, Promise<Uint8Array | undefined>>();

  constructor(bound: BytesBound) {
    this.#frames = new BoundedBytes(bound);
  }

  get size(): number {
    return this.#frames.size;
  }

  get sizeBytes(): number {
    return this.#frames.sizeBytes;
  }

  /** @param make undefined: there is no such thing, which is not kept */
  async get(id: Uint8Array, make: () => Promise<Uint8Array | undefined>): Promise<Uint8Array | undefined> {
    const key = bytesKey(id);
    const kept = this.#frames.use(key);
    if (kept !== undefined) return kept;
    const other = this.#underWay.get(key);
    if (other !== undefined) return other;
    const making = make();
    this.#underWay.set(key, making);
    try {
      const frame = await making;
      if (frame !== undefined) this.#frames.add(key, frame);
      return frame;
    } finally {
      this.#underWay.delete(key);
    }
  }
}
