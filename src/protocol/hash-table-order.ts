/**
 * The order in which the reference's hash tables hand out what they hold: that of the lists that clients see of a change set. Of rules
 * only one depends on it: which spelling of a data key is stored.
 * @source scala.collection.immutable: Map1 to Map4, HashMap
 */
import type { Address } from "../crypto/identities.ts";
import { productHash } from "./murmur-hash.ts";
import type { Asset } from "./transactions/asset.ts";

/** A table of at most so many keeps them in the order in which they came. */
const listedInOrder = 4;
/** Bits of the hash that one level of a larger table looks at. */
const levelBits = 5;

/** The items in the order of a table with them as keys. Keys must be distinct. @param hashOf 32 bits */
export function inHashTableOrder<Item>(items: readonly Item[], hashOf: (item: Item) => number): readonly Item[] {
  return items.length <= listedInOrder ? items : inHashMapOrder(items, hashOf);
}

/** What is kept of such a table: a larger one has no order even when few are left in it. */
export function inFilteredTableOrder<Item>(
  items: readonly Item[],
  isKept: (item: Item) => boolean,
  hashOf: (item: Item) => number,
): readonly Item[] {
  const kept = items.filter(isKept);
  return items.length <= listedInOrder ? kept : inHashMapOrder(kept, hashOf);
}

/** The same for a table that keeps no order even of a few: what a grouping gives. */
export function inHashMapOrder<Item>(items: readonly Item[], hashOf: (item: Item) => number): readonly Item[] {
  const keys = items.map((item) => ({ item, hash: improved(hashOf(item)) }));
  return nodeOrder(keys, 0).map(({ item }) => item);
}

/** What a table takes for the hash of an address: its checksum. */
export function addressHash(address: Address): number {
  return new DataView(address.buffer, address.byteOffset + address.length - 4, 4).getInt32(0);
}

/** What a table takes for the hash of a text. */
export function textHash(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index++) hash = (Math.imul(31, hash) + text.charCodeAt(index)) | 0;
  return hash;
}

/** What a table takes for the hash of a pair. */
export function pairHash(first: number, second: number): number {
  return productHash(textHash("Tuple2"), first, second);
}

/** What a table takes for the hash of an asset. */
export function assetHash(asset: Asset): number {
  return asset === null ? textHash("Waves") : bytesHash(asset);
}

/** What a table takes for the hash of bytes, such as an id. */
export function bytesHash(bytes: Uint8Array): number {
  let hash = 1;
  for (const byte of bytes) hash = (Math.imul(31, hash) + ((byte << 24) >> 24)) | 0;
  return hash;
}

/** Slots of a changeable set at first; when three quarters are taken, it doubles them. */
const firstSlots = 16;

/**
 * The items in the order of a changeable set of the reference. Items must be distinct.
 * @param hashOf 32 bits
 * @source scala.collection.mutable.HashSet
 */
export function inHashSetOrder<Item>(items: readonly Item[], hashOf: (item: Item) => number): readonly Item[] {
  let slots = firstSlots;
  // A set grows before it looks whether it has the item already, and something is always added twice.
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

/** A node hands out the keys that share their part of the hash with no other one, then its child nodes. */
function nodeOrder<Item>(keys: readonly HashedKey<Item>[], shift: number): readonly HashedKey<Item>[] {
  if (shift >= 32) return keys;
  const parts = Map.groupBy(keys, ({ hash }) => (hash >>> shift) & ((1 << levelBits) - 1));
  const groups = [...parts].toSorted(([left], [right]) => left - right).map(([, group]) => group);
  return [
    ...groups.filter((group) => group.length === 1).flat(),
    ...groups.filter((group) => group.length > 1).flatMap((group) => nodeOrder(group, shift + levelBits)),
  ];
}

/** Spreads hashes that differ in few bits. */
function improved(hash: number): number {
  const sum = (hash + ~(hash << 9)) | 0;
  const mixed = sum ^ (sum >>> 14);
  const scaled = (mixed + (mixed << 4)) | 0;
  return scaled ^ (scaled >>> 10);
}

/**
 * The items in the order of a table that several threads may change.
 * @param hashOf 32 bits, different for all items
 * @source scala.collection.concurrent.TrieMap, scala.util.hashing.byteswap32
 */
export function inTrieMapOrder<Item>(items: readonly Item[], hashOf: (item: Item) => number): readonly Item[] {
  const keys = items.map((item) => ({ item, digits: levelDigits(mangled(hashOf(item))) }));
  // Each level of the table is an array, whose places lie in the order of its part of the hash.
  keys.sort((left, right) =>
    left.digits.reduce((order, digit, level) => order || digit - (right.digits[level] ?? 0), 0),
  );
  return keys.map(({ item }) => item);
}

/** What each level looks at, the first one first. */
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
