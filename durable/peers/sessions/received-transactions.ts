/**
 * Which transactions have come from peers of late, by the hash of their bytes: what several peers send is read once. The reference
 * remembers them for each peer apart.
 * @source Waves: network/LegacyFrameCodec.scala (received-txs-cache-timeout)
 */
import { type BytesKey, bytesKey } from "../../../src/crypto/bytes.ts";

/** Of 32 bytes each, and about as much again for their place. */
const MAX_TRANSACTIONS = 30_000;

export class ReceivedTransactions {
  readonly #timeoutMs: number;
  readonly #nowMs: () => number;
  /** With when it came, the first to come first. */
  readonly #received = new Map<BytesKey, number>();

  constructor(timeoutMs: number, nowMs: () => number) {
    this.#timeoutMs = timeoutMs;
    this.#nowMs = nowMs;
  }

  get size(): number {
    return this.#received.size;
  }

  /** @returns whether it is new */
  add(hash: Uint8Array): boolean {
    const nowMs = this.#nowMs();
    for (const [oldest, timeMs] of this.#received) {
      if (timeMs + this.#timeoutMs > nowMs && this.#received.size < MAX_TRANSACTIONS) break;
      this.#received.delete(oldest);
    }
    const key = bytesKey(hash);
    if (this.#received.has(key)) return false;
    this.#received.set(key, nowMs);
    return true;
  }

  /** It was not judged: whoever sends it again is heard. */
  forget(hash: Uint8Array): void {
    this.#received.delete(bytesKey(hash));
  }
}
