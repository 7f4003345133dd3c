/**
 * How columns cross the border of D1. It hands out blobs as lists of numbers and rounds integers past 2^53, so
 * statements select blobs as hexadecimal and 64-bit integers as decimal text.
 */
import { decodeHex, encodeHex } from "../crypto/hex.ts";

/** Expression that selects a blob column (or NULL). */
export function blob(column: string, name = column): string {
  return `CASE WHEN ${column} IS NULL THEN NULL ELSE hex(${column}) END AS ${name}`;
}

/** Expression that selects a 64-bit integer column (or NULL). */
export function i64(column: string, name = column): string {
  return `CAST(${column} AS TEXT) AS ${name}`;
}

/** What `blob` selected. */
export type BlobText = string & { readonly __brand: "BlobText" };
/** What `i64` selected. */
export type I64Text = string & { readonly __brand: "I64Text" };

export function bytesOf<Kind extends Uint8Array = Uint8Array>(text: BlobText): Kind {
  return decodeHex(text) as Uint8Array as Kind;
}

export function i64Of(text: I64Text): bigint {
  return BigInt(text);
}

/**
 * Many blobs as one binding (statements take at most 100): the JSON list that `blobsOf` unfolds.
 */
export function blobList(blobs: readonly Uint8Array[]): string {
  return JSON.stringify(blobs.map(encodeHex));
}

/** Table expression of the blobs bound as `blobList` at a placeholder: columns `place` (0-based) and `value`. */
export function blobsOf(placeholder: string): string {
  return `(SELECT key AS place, unhex(value) AS value FROM json_each(${placeholder}))`;
}
