/** JSON text of a transaction: printed once, stored, and inserted into every response that contains the transaction. */
import { jsonText, RawJson } from "../json.ts";
import type { Transaction } from "./transaction.ts";
import { transactionJson } from "./transaction-json.ts";

/** The transaction's own members, without those that depend on the chain. */
export function rawTransactionJson(transaction: Transaction): RawJson {
  return new RawJson(jsonText(transactionJson(transaction)));
}

/** Beginning of the text of `transactionJson`; WAVES has no asset id, and some types have no fee asset. */
const beginning = /^\{"type":\d+,"id":"\w*","fee":(-?\d+)(,"feeAssetId":")?/;

/** Fee in wavelets if it is paid in WAVES, otherwise 0. @throws Error for text that is not a transaction's */
export function wavesFeeOf({ written }: RawJson): bigint {
  const found = beginning.exec(written);
  if (found === null) throw new Error(`no JSON of a transaction: ${written.slice(0, 64)}`);
  return found[2] === undefined ? BigInt(found[1] as string) : 0n;
}
