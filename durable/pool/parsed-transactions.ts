/**
 * Parsed transactions of the pool that were used last. A full pool is 50 MB as bytes and several times that as values,
 * which an isolate of 128 MB has no room for; the rest is parsed again when its turn comes.
 */
import type { BytesKey } from "../../src/crypto/bytes.ts";
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";

/** What one generation may weigh; there are two. */
const GENERATION_BYTES = 8_000_000;
/** Estimate of what a value costs beside its bytes, which it holds about three times (whole, body, fields). */
const OVERHEAD_BYTES = 1_500;
const COPIES = 3;

export class ParsedTransactions {
  #young = new Map<BytesKey, Transaction>();
  #old = new Map<BytesKey, Transaction>();
  #youngBytes = 0;

  find(key: BytesKey): Transaction | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: BytesKey, transaction: Transaction): void {
    if (this.#youngBytes > GENERATION_BYTES) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngBytes = 0;
    }
    this.#young.set(key, transaction);
    this.#youngBytes += OVERHEAD_BYTES + COPIES * transaction.bytes.length;
  }

  delete(key: BytesKey): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }
}
