/**
 * The order in which the reference prints the fields of an object: up to four as they were declared, more of them in
 * the order of the hash trie (CHAMP) that holds them.
 * @source Scala library 2.13: collection/Hashing.scala (improve), collection/immutable/HashMap.scala
 */

const keptInOrder = 4;

/** Field names in the order of printing. */
export function printedOrder(names: readonly string[]): readonly string[] {
  if (names.length <= keptInOrder) return names;
  return trieOrder(
    names.map((name) => ({ name, hash: improvedHash(name) })),
    0,
  );
}

interface Hashed {
  readonly name: string;
  readonly hash: number;
}

/** A node lists its own entries before its subnodes, both by five bits of the hash. */
function trieOrder(entries: readonly Hashed[], shift: number): readonly string[] {
  if (shift > 30) return entries.map((entry) => entry.name);
  const slots: Hashed[][] = [];
  for (const entry of entries) {
    const slot = (entry.hash >>> shift) & 31;
    slots[slot] ??= [];
    slots[slot].push(entry);
  }
  const own: string[] = [];
  const below: string[] = [];
  for (const slot of slots) {
    if (slot === undefined) continue;
    if (slot.length === 1) own.push((slot[0] as Hashed).name);
    else below.push(...trieOrder(slot, shift + 5));
  }
  return [...own, ...below];
}

function improvedHash(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index++) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  hash = (hash + ~(hash << 9)) | 0;
  hash ^= hash >>> 14;
  hash = (hash + (hash << 4)) | 0;
  return hash ^ (hash >>> 10);
}
