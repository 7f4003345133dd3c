/** Many keys as one binding (statements take at most 100), and the results for each. */
import { encodeHex } from "../crypto/hex.ts";
import { int } from "../tables/schema/column.ts";
import { computed, type ResultRow } from "./columns.ts";

/** The JSON list that `requestedKeysAt` expands. */
export function blobList(blobs: readonly Uint8Array[]): string {
  return JSON.stringify(blobs.map(encodeHex));
}

/** SQL table `wanted` of the blobs bound as `blobList` at a placeholder: columns `place` (from 0) and `value`. */
export function requestedKeysAt(placeholder: string): string {
  return `(SELECT key AS place, unhex(value) AS value FROM json_each(${placeholder})) wanted`;
}

/** Index of the key that a row belongs to. */
export const keyIndex = computed("place", int, "place");

/** Values of the rows, in the order of the keys. @param absent value for keys without a row */
export function byKeyIndex<Found, Absent>(
  keys: readonly unknown[],
  rows: readonly ResultRow[],
  read: (row: ResultRow) => Found,
  absent: Absent,
): (Found | Absent)[] {
  const found: (Found | Absent)[] = keys.map(() => absent);
  for (const row of rows) found[keyIndex.read(row)] = read(row);
  return found;
}
