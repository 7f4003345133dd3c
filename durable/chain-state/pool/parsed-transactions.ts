/**
 * Cache of the pool's most recently used parsed transactions. A full pool is 50 MB as bytes and several times that as
 * values, too much for an isolate of 128 MB; the others are parsed again when they are needed.
 */
import { LRUCache } from "lru-cache";
import type { BytesKey } from "../../../src/crypto/bytes.ts";
import { chainStateBytes } from "../../../src/platform/memory-budget.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";

/** Estimated memory of a value besides its bytes, which it holds about three times (whole, body, fields). */
const OVERHEAD_BYTES = 1_500;
const COPIES = 3;

export type ParsedTransactions = LRUCache<BytesKey, Transaction>;

export function parsedTransactions(): ParsedTransactions {
  return new LRUCache({
    maxSize: chainStateBytes.parsedTransactions,
    sizeCalculation: ({ bytes }) => OVERHEAD_BYTES + COPIES * bytes.length,
  });
}
