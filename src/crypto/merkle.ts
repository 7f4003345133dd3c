/**
 * The Merkle tree over a block's transactions: leaf = H(message), pairs left to right H(left ‖ right), a missing right
 * node is Z = H(0x00); at least one pairing is done, so a single leaf gives H(leaf ‖ Z), and no leaf at all gives Z.
 *
 * @source spec/consensus-and-finality.md 1.6; Waves: lang/…/common/merkle/Merkle.scala
 */
import { concatBytes } from "./bytes.ts";
import { blake2b256 } from "./hash.ts";
import type { Digest } from "./identities.ts";

/** Z: stands for a node that is not there, and for the root of an empty tree. */
const MISSING = blake2b256(Uint8Array.of(0));

function parentOf(left: Uint8Array, right: Uint8Array): Digest {
  return blake2b256(concatBytes(left, right));
}

/** Root of the tree over the messages. */
export function merkleRoot(messages: readonly Uint8Array[]): Digest {
  return EMPTY_MERKLE_TREE.append(messages).root();
}

/**
 * A tree that only grows, as a block does with each micro-block: holds the right edge, one node a level, so that
 * neither appending nor the root looks at earlier leaves again. A value: appending gives a new tree.
 */
export class MerkleTree {
  readonly leafCount: number;
  /** By level, from the leaves up: the root of the whole subtree that waits for its right neighbour. */
  readonly #waiting: readonly (Digest | undefined)[];

  constructor(leafCount = 0, waiting: readonly (Digest | undefined)[] = []) {
    this.leafCount = leafCount;
    this.#waiting = waiting;
  }

  append(messages: readonly Uint8Array[]): MerkleTree {
    const waiting = [...this.#waiting];
    for (const message of messages) {
      let node = blake2b256(message);
      let level = 0;
      for (let left = waiting[0]; left !== undefined; left = waiting[level]) {
        node = parentOf(left, node);
        waiting[level++] = undefined;
      }
      waiting[level] = node;
    }
    return new MerkleTree(this.leafCount + messages.length, waiting);
  }

  root(): Digest {
    if (this.leafCount === 0) return MISSING;
    const height = Math.max(1, 32 - Math.clz32(this.leafCount - 1));
    let edge: Digest | undefined;
    for (let level = 0; level < height; level++) {
      const left = this.#waiting[level];
      if (left !== undefined) edge = parentOf(left, edge ?? MISSING);
      else if (edge !== undefined) edge = parentOf(edge, MISSING);
    }
    return edge ?? (this.#waiting[height] as Digest);
  }
}

export const EMPTY_MERKLE_TREE = new MerkleTree();

/** A tree of which every message can be proven. About 64 bytes a message. */
export class MerkleProofs {
  /** From the leaves up to the pair below the root. */
  readonly #levels: readonly (readonly Digest[])[];

  constructor(messages: readonly Uint8Array[]) {
    const levels = [messages.map(blake2b256)];
    for (let level = levels[0] as Digest[]; level.length > 2; ) {
      const parents: Digest[] = [];
      for (let left = 0; left < level.length; left += 2) {
        parents.push(parentOf(level[left] as Digest, level[left + 1] ?? MISSING));
      }
      levels.push(parents);
      level = parents;
    }
    this.#levels = levels;
  }

  /** Number of messages. */
  get size(): number {
    return this.#levels[0]?.length ?? 0;
  }

  /**
   * What proves that a message is in the tree: the neighbours on the way from its leaf, the topmost first.
   * @param index of the message, from 0
   * @throws RangeError no message has that index
   */
  of(index: number): readonly Digest[] {
    if (!Number.isInteger(index) || index < 0 || index >= this.size) {
      throw new RangeError(`there is no message ${index} among ${this.size}`);
    }
    return this.#levels.map((level, height) => level[(index >>> height) ^ 1] ?? MISSING).toReversed();
  }
}
