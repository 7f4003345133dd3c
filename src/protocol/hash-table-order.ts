/**
 * Iteration order of the reference's hash tables: that of the lists in a state snapshot that clients see. Only one rule
 * depends on it: the choice of the spelling of a data key that is stored.
 * @source scala.collection.immutable: Map1 to Map4, HashMap
 */
import type { Address } from "../crypto/identities.ts";
import { productHash } from "./murmur-hash.ts";
import type { Asset } from "./transactions/asset.ts";

/** Tables up to this size keep the insertion order. */
const maxOrderedItems = 4;
/** Bits of the hash at each level of a larger table. */
const levelBits = 5;

/** Items in the order of a table with them as keys. Keys must be distinct. @param hashOf 32 bits */
export function inHashTableOrder<Item>(items: readonly Item[], hashOf: (item: Item) => number): readonly Item[] {
  return items.length <= maxOrderedItems ? items : inHashMapOrder(items, hashOf);
}

/** Items left after filtering such a table: a larger table does not regain the insertion order when it shrinks. */
export function inFilteredTableOrder<Item>(
  items: readonly Item[],
  isIncluded: (item: Item) => boolean,
  hashOf: (item: Item) => number,
): readonly Item[] {
  const filtered = items.filter(isIncluded);
  return items.length <= maxOrderedItems ? filtered : inHashMapOrder(filtered, hashOf);
}

/** Same for a table that never keeps the insertion order: the result of a grouping. */
export function inHashMapOrder<Item>(items: readonly Item[], hashOf: (item: Item) => number): readonly Item[] {
  const keys = items.map((item) => ({ item, hash: improved(hashOf(item)) }));
  return nodeOrder(keys, 0).map(({ item }) => item);
}

/** Hash of an address in a table: its checksum. */
export function addressHash(address: Address): number {
  return new DataView(address.buffer, address.byteOffset + address.length - 4, 4).getInt32(0);
}

/** Hash of a text in a table. */
export function textHash(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index++) hash = (Math.imul(31, hash) + text.charCodeAt(index)) | 0;
  return hash;
}

/** Hash of a pair in a table. */
export function pairHash(first: number, second: number): number {
  return productHash(textHash("Tuple2"), first, second);
}

/** Hash of an asset in a table. */
export function assetHash(asset: Asset): number {
  return asset === null ? textHash("Waves") : bytesHash(asset);
}

/** Hash of bytes in a table, such as an id. */
export function bytesHash(bytes: Uint8Array): number {
  let hash = 1;
  for (const byte of bytes) hash = (Math.imul(31, hash) + ((byte << 24) >> 24)) | 0;
  return hash;
}

/** Initial slots of a mutable set; it doubles them when three quarters are taken. */
const firstSlots = 16;

/**
 * Items in the order of a mutable set of the reference. Items must be distinct.
 * @param hashOf 32 bits
 * @source scala.collection.mutable.HashSet
 */
export function inHashSetOrder<Item>(items: readonly Item[], hashOf: (item: Item) => number): readonly Item[] {
  let slots = firstSlots;
  // A set grows before it checks for the item, and the reference always adds some item twice.
  while (items.length + 1 >= slots * 0.75) slots *= 2;
  const keys = items.map((item) => {
    const hash = hashOf(item);
    return { item, hash: hash ^ (hash >>> 16) };
  });
  const mask = slots - 1;
  keys.sort((left, right) => (left.hash & mask) - (right.hash & mask) || left.hash - right.hash);
  return keys.map(({ item }) => item);
}

interface HashedKey<Item> {
  readonly item: Item;
  readonly hash: number;
}

/** A node iterates over the keys that share their part of the hash with no other one, then over its child nodes. */
function nodeOrder<Item>(keys: readonly HashedKey<Item>[], shift: number): readonly HashedKey<Item>[] {
  if (shift >= 32) return keys;
  const parts = Map.groupBy(keys, ({ hash }) => (hash >>> shift) & ((1 << levelBits) - 1));
  const groups = [...parts].toSorted(([left], [right]) => left - right).map(([, group]) => group);
  return [
    ...groups.filter((group) => group.length === 1).flat(),
    ...groups.filter((group) => group.length > 1).flatMap((group) => nodeOrder(group, shift + levelBits)),
  ];
}

/** Mixes the bits of similar hashes. */
function improved(hash: number): number {
  const sum = (hash + ~(hash << 9)) | 0;
  const mixed = sum ^ (sum >>> 14);
  const scaled = (mixed + (mixed << 4)) | 0;
  return scaled ^ (scaled >>> 10);
}

/**
 * Items in the order of a concurrent table.
 * @param hashOf 32 bits, different for all items
 * @source scala.collection.concurrent.TrieMap, scala.util.hashing.byteswap32
 */
export function inTrieMapOrder<Item>(items: readonly Item[], hashOf: (item: Item) => number): readonly Item[] {
  const keys = items.map((item) => ({ item, digits: levelDigits(mangled(hashOf(item))) }));
  // Each level of the table is an array, ordered by that level's part of the hash.
  keys.sort((left, right) =>
    left.digits.reduce((order, digit, level) => order || digit - (right.digits[level] ?? 0), 0),
  );
  return keys.map(({ item }) => item);
}

/** Part of the hash at each level, the first one first. */
function levelDigits(hash: number): readonly number[] {
  const levels = Math.ceil(32 / levelBits);
  return Array.from({ length: levels }, (_, level) => (hash >>> (level * levelBits)) & ((1 << levelBits) - 1));
}

function mangled(hash: number): number {
  const factor = 0x9e3775cd;
  const scaled = Math.imul(hash, factor);
  const swapped = (scaled << 24) | ((scaled & 0xff00) << 8) | ((scaled >>> 8) & 0xff00) | (scaled >>> 24);
  return Math.imul(swapped, factor);
}
