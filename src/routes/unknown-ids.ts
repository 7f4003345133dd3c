/**
 * Ids of transactions that ChainState has just not known. Anybody may ask for any id, again and again: without this each
 * question would reach the one object there is.
 */
import { LRUCache } from "lru-cache";
import { type BytesKey, bytesKey } from "../crypto/bytes.ts";

/** The answer holds for so long. Within it only a transaction that came through another city is told of too late. */
const HELD_MS = 500;
/** About 200 bytes each. */
const MAX_IDS = 20_000;

export class UnknownIds {
  /** When ChainState was asked, ms. */
  readonly #askedMs = new LRUCache<BytesKey, number>({ max: MAX_IDS });

  has(id: Uint8Array, nowMs: number): boolean {
    const askedMs = this.#askedMs.get(bytesKey(id));
    return askedMs !== undefined && nowMs - askedMs < HELD_MS;
  }

  add(id: Uint8Array, nowMs: number): void {
    this.#askedMs.set(bytesKey(id), nowMs);
  }

  /** To be called with every transaction that is accepted here. */
  remove(id: Uint8Array): void {
    this.#askedMs.delete(bytesKey(id));
  }
}
