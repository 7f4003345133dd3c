/**
 * Which transactions have come from peers of late, by the hash of their bytes: what several peers send at about the same time is
 * read once. Later it may have come to fit, so that it is read again when another peer sends it; the reference remembers for each
 * peer apart.
 * @source Waves: network/LegacyFrameCodec.scala (received-txs-cache-timeout)
 */
import { bytesKey } from "../../../src/crypto/bytes.ts";
import { ExpiringMap } from "../expiring-map.ts";

/** Of 32 bytes each, and about as much again for their place. */
const MAX_TRANSACTIONS = 30_000;
/** Within this time a network passes a transaction on to everybody. */
const FROM_OTHERS_MS = 10_000;

export class ReceivedTransactions {
  readonly #nowMs: () => number;
  /** Who has sent it, and when. */
  readonly #received: ExpiringMap<{ readonly by: number; readonly timeMs: number }>;

  constructor(timeoutMs: number, nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#received = new ExpiringMap({ ttlMs: timeoutMs, maxSize: MAX_TRANSACTIONS, nowMs });
  }

  get size(): number {
    return this.#received.size;
  }

  /** @param by number of the peer. @returns whether it is to be read */
  add(hash: Uint8Array, by: number): boolean {
    const timeMs = this.#nowMs();
    const key = bytesKey(hash);
    const before = this.#received.get(key);
    if (before !== undefined && (before.by === by || before.timeMs + FROM_OTHERS_MS > timeMs)) return false;
    this.#received.set(key, { by, timeMs });
    return true;
  }

  /** It was not judged: whoever sends it again is heard. */
  forget(hash: Uint8Array): void {
    this.#received.delete(bytesKey(hash));
  }
}
