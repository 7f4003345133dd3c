/**
 * Which transactions have come from peers of late, by the hash of their bytes: what several peers send at about the same time is
 * read once. Later it may have come to fit, so that it is read again when another peer sends it; the reference remembers for each
 * peer apart.
 * @source Waves: network/LegacyFrameCodec.scala (received-txs-cache-timeout)
 */
import { type BytesKey, bytesKey } from "../../../src/crypto/bytes.ts";

/** Of 32 bytes each, and about as much again for their place. */
const MAX_TRANSACTIONS = 30_000;
/** Within this time a network passes a transaction on to everybody. */
const FROM_OTHERS_MS = 10_000;

export class ReceivedTransactions {
  readonly #timeoutMs: number;
  readonly #nowMs: () => number;
  /** Who has sent it, and when; the first to come first. */
  readonly #received = new Map<BytesKey, { readonly by: number; readonly timeMs: number }>();

  constructor(timeoutMs: number, nowMs: () => number) {
    this.#timeoutMs = timeoutMs;
    this.#nowMs = nowMs;
  }

  get size(): number {
    return this.#received.size;
  }

  /** @param by number of the peer. @returns whether it is to be read */
  add(hash: Uint8Array, by: number): boolean {
    const nowMs = this.#nowMs();
    for (const [oldest, { timeMs }] of this.#received) {
      if (timeMs + this.#timeoutMs > nowMs && this.#received.size < MAX_TRANSACTIONS) break;
      this.#received.delete(oldest);
    }
    const key = bytesKey(hash);
    const before = this.#received.get(key);
    if (before !== undefined && (before.by === by || before.timeMs + FROM_OTHERS_MS > nowMs)) return false;
    this.#received.delete(key);
    this.#received.set(key, { by, timeMs: nowMs });
    return true;
  }

  /** It was not judged: whoever sends it again is heard. */
  forget(hash: Uint8Array): void {
    this.#received.delete(bytesKey(hash));
  }
}
