/**
 * Parsed transactions of the pool that were used last. A full pool is 50 MB as bytes and several times that as values,
 * which an isolate of 128 MB has no room for; the rest is parsed again when its turn comes.
 */
import { LRUCache } from "lru-cache";
import type { BytesKey } from "../../../src/crypto/bytes.ts";
import { chainStateBytes } from "../../../src/platform/memory-budget.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";

/** Estimate of what a value costs beside its bytes, which it holds about three times (whole, body, fields). */
const OVERHEAD_BYTES = 1_500;
const COPIES = 3;

export type ParsedTransactions = LRUCache<BytesKey, Transaction>;

export function parsedTransactions(): ParsedTransactions {
  return new LRUCache({
    maxSize: chainStateBytes.parsedTransactions,
    sizeCalculation: ({ bytes }) => OVERHEAD_BYTES + COPIES * bytes.length,
  });
}
