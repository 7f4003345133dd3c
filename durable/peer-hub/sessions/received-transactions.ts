/**
 * Transactions recently received from peers, by the hash of their bytes: one that several peers send at about the same
 * time is read once. Later it may have become valid, so it is read again when another peer sends it. The reference
 * remembers them for each peer separately.
 * @source Waves: network/LegacyFrameCodec.scala (received-txs-cache-timeout)
 */
import { bytesKey } from "../../../src/crypto/bytes.ts";
import { ExpiringMap } from "../expiring-map.ts";

/** Entries of 32 bytes each, and about as much again for their place in the map. */
const MAX_TRANSACTIONS = 30_000;
/** Time in which a network relays a transaction to everybody. */
const FROM_OTHERS_MS = 10_000;

export class ReceivedTransactions {
  readonly #nowMs: () => number;
  /** Sender and time. */
  readonly #received: ExpiringMap<{ readonly by: number; readonly timeMs: number }>;

  constructor(timeoutMs: number, nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#received = new ExpiringMap({ ttlMs: timeoutMs, maxSize: MAX_TRANSACTIONS, nowMs });
  }

  get size(): number {
    return this.#received.size;
  }

  /** @param by number of the peer. @returns whether to read the transaction */
  add(hash: Uint8Array, by: number): boolean {
    const timeMs = this.#nowMs();
    const key = bytesKey(hash);
    const before = this.#received.get(key);
    if (before !== undefined && (before.by === by || before.timeMs + FROM_OTHERS_MS > timeMs)) return false;
    this.#received.set(key, { by, timeMs });
    return true;
  }

  /** Forgets a transaction that was not processed, so that it is read again. */
  forget(hash: Uint8Array): void {
    this.#received.delete(bytesKey(hash));
  }
}
