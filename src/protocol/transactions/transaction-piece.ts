/** A transaction's own JSON as a piece of text: it is written once, stored, and joined into every answer that shows it. */
import { JsonPiece, jsonText } from "../json.ts";
import type { Transaction } from "./transaction.ts";
import { transactionJson } from "./transaction-json.ts";

/** Its own members, without those that depend on the chain. */
export function transactionPiece(transaction: Transaction): JsonPiece {
  return new JsonPiece(jsonText(transactionJson(transaction)));
}

/** How `transactionJson` begins; WAVES is no asset, and some types do not name one. */
const beginning = /^\{"type":\d+,"id":"\w*","fee":(-?\d+)(,"feeAssetId":")?/;

/** The fee, if it is paid in WAVES; else 0. Wavelets. @throws Error for what is no piece of a transaction */
export function wavesFeeOf({ written }: JsonPiece): bigint {
  const found = beginning.exec(written);
  if (found === null) throw new Error(`no JSON of a transaction: ${written.slice(0, 64)}`);
  return found[2] === undefined ? BigInt(found[1] as string) : 0n;
}
