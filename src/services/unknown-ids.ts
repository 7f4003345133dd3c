/**
 * Ids that ChainState has recently reported as unknown. Any client may query any id repeatedly: without this cache each
 * query would reach the single object.
 */
import { LRUCache } from "lru-cache";
import { type BytesKey, bytesKey } from "../crypto/bytes.ts";

/** Validity of an entry. Within it, only a transaction submitted through another data center is reported late. */
const VALID_MS = 500;
/** About 200 bytes each. */
const MAX_IDS = 20_000;

export class UnknownIds {
  /** Time of the request to ChainState, ms. */
  readonly #requestedMs = new LRUCache<BytesKey, number>({ max: MAX_IDS });

  has(id: Uint8Array, nowMs: number): boolean {
    const requestedMs = this.#requestedMs.get(bytesKey(id));
    return requestedMs !== undefined && nowMs - requestedMs < VALID_MS;
  }

  add(id: Uint8Array, nowMs: number): void {
    this.#requestedMs.set(bytesKey(id), nowMs);
  }

  /** Removes an id; call it for every transaction accepted here. */
  remove(id: Uint8Array): void {
    this.#requestedMs.delete(bytesKey(id));
  }
}
