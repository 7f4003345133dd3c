/**
 * Many keys as one binding (statements take at most 100), and what was found for each.
 */
import { encodeHex } from "../crypto/hex.ts";
import { int } from "../tables/schema/column.ts";
import { computed, type ResultRow } from "./columns.ts";

/** The JSON list that `wantedAt` unfolds. */
export function blobList(blobs: readonly Uint8Array[]): string {
  return JSON.stringify(blobs.map(encodeHex));
}

/** Table `wanted` of the blobs bound as `blobList` at a placeholder: columns `place` (from 0) and `value`. */
export function wantedAt(placeholder: string): string {
  return `(SELECT key AS place, unhex(value) AS value FROM json_each(${placeholder})) wanted`;
}

/** Place of the key that a row was found for. */
export const place = computed("place", int, "place");

/** What the rows hold, in the order of the keys. @param absent for keys that nothing was found for */
export function byPlace<Found, Absent>(
  keys: readonly unknown[],
  rows: readonly ResultRow[],
  read: (row: ResultRow) => Found,
  absent: Absent,
): (Found | Absent)[] {
  const found: (Found | Absent)[] = keys.map(() => absent);
  for (const row of rows) found[place.read(row)] = read(row);
  return found;
}
