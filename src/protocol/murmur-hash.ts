/**
 * Hashes of the reference's collections and case classes, as signed 32-bit integers.
 * @source scala.util.hashing.MurmurHash3
 */

const productSeed = 0xcafebabe;

function rotated(bits: number, by: number): number {
  return (bits << by) | (bits >>> (32 - by));
}

function mixLast(hash: number, part: number): number {
  return hash ^ Math.imul(rotated(Math.imul(part, 0xcc9e2d51), 15), 0x1b873593);
}

function mix(hash: number, part: number): number {
  return (Math.imul(rotated(mixLast(hash, part), 13), 5) + 0xe6546b64) | 0;
}

function avalanche(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}

/** Hash of a case class, from its name and its fields. @param parts hashes, the name's first */
export function productHash(...parts: readonly number[]): number {
  return avalanche(parts.reduce(mix, productSeed) ^ (parts.length - 1));
}

/** Hash of a list or a vector; two or more items at equal distances are hashed as a range. @param items hashes */
export function sequenceHash(items: readonly number[], seed: number): number {
  const [first = 0, second = 0] = items;
  const distance = (second - first) | 0;
  const isRange =
    items.length === 2 ||
    (items.length > 2 &&
      distance !== 0 &&
      items.every((item, index) => index === 0 || ((item - (items[index - 1] as number)) | 0) === distance));
  if (isRange) return avalanche([first, distance, items.at(-1) as number].reduce(mix, seed));
  return avalanche(items.reduce(mix, seed) ^ items.length);
}

/** Hash state of a set, independent of the order of its items. */
export interface SetHash {
  readonly sum: number;
  readonly xor: number;
  readonly product: number;
  readonly size: number;
}

export const emptySetHash: SetHash = { sum: 0, xor: 0, product: 1, size: 0 };

/** @param item hash of an item that is not in the set */
export function withItem({ sum, xor, product, size }: SetHash, item: number): SetHash {
  return { sum: (sum + item) | 0, xor: xor ^ item, product: Math.imul(product, item | 1), size: size + 1 };
}

export function setHash({ sum, xor, product, size }: SetHash, seed: number): number {
  return avalanche(mixLast(mix(mix(seed, sum), xor), product) ^ size);
}
