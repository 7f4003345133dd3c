/**
 * Merkle tree over a block's transactions: leaf = H(message), pairs left to right H(left ‖ right); a missing right node
 * is Z = H(0x00). There is at least one pairing, so a single leaf gives H(leaf ‖ Z); no leaf at all gives Z.
 *
 * @source docs/protocol/consensus-and-finality.md 1.6; Waves: lang/…/common/merkle/Merkle.scala
 */
import { concatBytes } from "./bytes.ts";
import { blake2b256 } from "./hash.ts";
import type { Digest } from "./identities.ts";

/** Z: hash in place of a missing node, and root of an empty tree. */
export const MISSING_NODE = blake2b256(Uint8Array.of(0));

function parentOf(left: Uint8Array, right: Uint8Array): Digest {
  return blake2b256(concatBytes(left, right));
}

/**
 * Append-only tree, as a block grows with each micro-block: neither appending nor the root reads earlier leaves again.
 * Immutable: appending returns a new tree. About 64 bytes of digests a message.
 */
export class MerkleTree {
  /** Nodes that further leaves do not change, by level from the leaves up. */
  readonly #levels: readonly (readonly Digest[])[];

  constructor(levels: readonly (readonly Digest[])[] = []) {
    this.#levels = levels;
  }

  get leafCount(): number {
    return this.#levels[0]?.length ?? 0;
  }

  append(messages: readonly Uint8Array[]): MerkleTree {
    const levels: Digest[][] = [[...(this.#levels[0] ?? []), ...messages.map(blake2b256)]];
    for (let below = levels[0] as Digest[]; below.length > 1; ) {
      const level = [...(this.#levels[levels.length] ?? [])];
      while (2 * level.length + 1 < below.length)
        level.push(parentOf(below[2 * level.length] as Digest, below[2 * level.length + 1] as Digest));
      levels.push(level);
      below = level;
    }
    return new MerkleTree(levels);
  }

  root(): Digest {
    if (this.leafCount === 0) return MISSING_NODE;
    const levels = this.#wholeLevels();
    const [left, right] = levels.at(-1) as readonly [Digest, Digest?];
    return parentOf(left, right ?? MISSING_NODE);
  }

  /**
   * Proof that a message is in the tree: the siblings on the path from its leaf up.
   * @param index of the message, from 0
   * @throws RangeError no message has that index
   */
  proof(index: number): readonly Digest[] {
    const { leafCount } = this;
    if (!Number.isInteger(index) || index < 0 || index >= leafCount)
      throw new RangeError(`there is no message ${index} among ${leafCount}`);
    return this.#wholeLevels().map((level, height) => level[(index >>> height) ^ 1] ?? MISSING_NODE);
  }

  /** All nodes below the root, level by level from the leaves up. */
  nodes(): Uint8Array {
    return concatBytes(...this.#wholeLevels().flat());
  }

  /** Levels from the leaves up to the pair below the root, with the nodes at the right edge. Cost: one hash a level. */
  #wholeLevels(): readonly (readonly Digest[])[] {
    const whole: (readonly Digest[])[] = [];
    for (let below = this.#levels[0] ?? []; ; ) {
      whole.push(below);
      if (below.length <= 2) return whole;
      const level = this.#levels[whole.length] ?? [];
      const edge = 2 * level.length;
      below =
        edge < below.length ? [...level, parentOf(below[edge] as Digest, below[edge + 1] ?? MISSING_NODE)] : level;
    }
  }
}

export const EMPTY_MERKLE_TREE = new MerkleTree();
