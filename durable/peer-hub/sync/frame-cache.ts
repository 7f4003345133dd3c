/** Cache of frames that many peers request at the same time: each is built once. */
import { type BytesKey, bytesKey } from "../../../src/crypto/bytes.ts";
import { BoundedBytes, type BytesBound } from "./bounded-bytes.ts";

export class FrameCache {
  /** Least recently used first. */
  readonly #frames: BoundedBytes;
  readonly #inFlight = new Map<BytesKey, Promise<Uint8Array | undefined>>();

  constructor(bound: BytesBound) {
    this.#frames = new BoundedBytes(bound);
  }

  get size(): number {
    return this.#frames.size;
  }

  get sizeBytes(): number {
    return this.#frames.sizeBytes;
  }

  /** @param make undefined: the object does not exist, which is not cached */
  async get(id: Uint8Array, make: () => Promise<Uint8Array | undefined>): Promise<Uint8Array | undefined> {
    const key = bytesKey(id);
    const cached = this.#frames.use(key);
    if (cached !== undefined) return cached;
    const pending = this.#inFlight.get(key);
    if (pending !== undefined) return pending;
    const making = make();
    this.#inFlight.set(key, making);
    try {
      const frame = await making;
      if (frame !== undefined) this.#frames.add(key, frame);
      return frame;
    } finally {
      this.#inFlight.delete(key);
    }
  }
}
