/** Recent micro-blocks in the form that peers request: the chain itself stores only the liquid block. */

import { bytesKey } from "../../../src/crypto/bytes.ts";
import { peerHubBytes } from "../../../src/platform/memory-budget.ts";
import { BoundedBytes } from "./bounded-bytes.ts";

export class MicroBlockCache {
  /** Payloads of messages, oldest first. */
  readonly #payloads: BoundedBytes;

  constructor(maxCount: number) {
    this.#payloads = new BoundedBytes({ maxCount, maxBytes: peerHubBytes.microBlocks });
  }

  add(totalId: Uint8Array, payload: Uint8Array): void {
    this.#payloads.add(bytesKey(totalId), payload);
  }

  find(totalId: Uint8Array): Uint8Array | undefined {
    return this.#payloads.find(bytesKey(totalId));
  }

  get size(): number {
    return this.#payloads.size;
  }

  get sizeBytes(): number {
    return this.#payloads.sizeBytes;
  }
}
