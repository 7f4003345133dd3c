import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { concatBytes } from "../../src/crypto/bytes.ts";
import { blake2b256 } from "../../src/crypto/hash.ts";
import { EMPTY_MERKLE_TREE, MISSING_NODE } from "../../src/crypto/merkle.ts";

const H = blake2b256;
const MISSING = H(Uint8Array.of(0));
const pair = (left: Uint8Array, right: Uint8Array) => H(concatBytes(left, right));
const message = (index: number) => Uint8Array.of(index + 1, index >> 8);
const messagesOf = (count: number) => Array.from({ length: count }, (_, index) => message(index));
const leaf = (index: number) => H(message(index));

const merkleRoot = (messages: readonly Uint8Array[]) => EMPTY_MERKLE_TREE.append(messages).root();
const merkleProof = (messages: readonly Uint8Array[], index: number) => EMPTY_MERKLE_TREE.append(messages).proof(index);

/** Root that follows from a leaf and a proof. */
function merkleRootOfProof(leafDigest: Uint8Array, index: number, proof: readonly Uint8Array[]): Uint8Array {
  return proof.reduce(
    (node, neighbour, level) => ((index >> level) % 2 === 0 ? pair(node, neighbour) : pair(neighbour, node)),
    leafDigest,
  );
}

/** The definition, literally: whole levels, from the leaves up. */
function rootByLevels(messages: readonly Uint8Array[]): Uint8Array {
  if (messages.length === 0) return MISSING;
  let level: Uint8Array[] = messages.map(H);
  do {
    const parents: Uint8Array[] = [];
    for (let left = 0; left < level.length; left += 2) {
      parents.push(pair(level[left] as Uint8Array, level[left + 1] ?? MISSING));
    }
    level = parents;
  } while (level.length > 1);
  return level[0] as Uint8Array;
}

describe("merkleRoot", () => {
  it("of no message is the digest of a zero byte", () => {
    expect(encodeBase58(merkleRoot([]))).toBe("D4bn122GiEqs99z526GdhYETJqctLHGSmWokypEo9qu");
  });

  it("pairs leaves from the left and fills with the digest of a zero byte", () => {
    const messages = messagesOf(5);
    const [a, b, c, d, e] = [leaf(0), leaf(1), leaf(2), leaf(3), leaf(4)];
    expect(merkleRoot(messages.slice(0, 1))).toEqual(pair(a, MISSING));
    expect(merkleRoot(messages.slice(0, 2))).toEqual(pair(a, b));
    expect(merkleRoot(messages.slice(0, 3))).toEqual(pair(pair(a, b), pair(c, MISSING)));
    expect(merkleRoot(messages)).toEqual(pair(pair(pair(a, b), pair(c, d)), pair(pair(e, MISSING), MISSING)));
  });

  // gowaves: pkg/crypto/merkle_test.go
  it.each([
    [1, "AwohNCpXvMWhFD5XgM9ox9jquXwTAQrzdNgTJG8zP9Es"],
    [2, "CT3jS3cgFQw8DVoD4HzJ2xsjP6aVRDUGesWWe4pF5Mbg"],
    [3, "C7w1DCGggWHaeYJ81QsNyxsEvpmedFoD85fDDJ9JZ4Jq"],
  ])("of %i messages is the one that the Go node computes", (count, root) => {
    const messages = [Uint8Array.of(1, 2, 3), Uint8Array.of(4, 5, 6), Uint8Array.of(7, 8, 9)];
    expect(encodeBase58(merkleRoot(messages.slice(0, count)))).toBe(root);
  });

  it("follows the rule for every number of leaves", () => {
    for (let count = 0; count <= 70; count++)
      expect(merkleRoot(messagesOf(count))).toEqual(rootByLevels(messagesOf(count)));
  });
});

describe("MerkleTree", () => {
  it("grows to the same root however it is cut, and stays what it was", () => {
    fc.assert(
      fc.property(fc.nat({ max: 130 }), fc.nat({ max: 130 }), (first, second) => {
        const messages = messagesOf(first + second);
        const tree = EMPTY_MERKLE_TREE.append(messages.slice(0, first));
        const grown = tree.append(messages.slice(first));
        expect(grown.root()).toEqual(rootByLevels(messages));
        expect(grown.leafCount).toBe(first + second);
        expect(tree.root()).toEqual(rootByLevels(messages.slice(0, first)));
      }),
    );
    expect(EMPTY_MERKLE_TREE.leafCount).toBe(0);
  });
});

describe("nodes", () => {
  it("are all nodes below the root, from the leaves up, however the tree has grown", () => {
    expect(EMPTY_MERKLE_TREE.nodes()).toEqual(new Uint8Array());
    expect(EMPTY_MERKLE_TREE.append(messagesOf(1)).nodes()).toEqual(leaf(0));
    const [a, b, c] = [leaf(0), leaf(1), leaf(2)];
    const three = concatBytes(a, b, c, pair(a, b), pair(c, MISSING));
    expect(EMPTY_MERKLE_TREE.append(messagesOf(3)).nodes()).toEqual(three);
    const inParts = EMPTY_MERKLE_TREE.append(messagesOf(2)).append(messagesOf(3).slice(2));
    expect(inParts.nodes()).toEqual(three);
    expect(MISSING_NODE).toEqual(MISSING);
  });
});

describe("merkleProof", () => {
  it("lists the neighbours from the leaf up", () => {
    const messages = messagesOf(3);
    const [a, b, c] = [leaf(0), leaf(1), leaf(2)];
    expect(merkleProof(messages, 0)).toEqual([b, pair(c, MISSING)]);
    expect(merkleProof(messages, 1)).toEqual([a, pair(c, MISSING)]);
    expect(merkleProof(messages, 2)).toEqual([MISSING, pair(a, b)]);
    expect(merkleProof(messages.slice(0, 1), 0)).toEqual([MISSING]);
  });

  it("leads from every leaf to the root, and from no other place", () => {
    for (const count of [1, 2, 3, 7, 8, 9, 33]) {
      const messages = messagesOf(count);
      const root = merkleRoot(messages);
      for (let index = 0; index < count; index++) {
        const proof = merkleProof(messages, index);
        expect(merkleRootOfProof(leaf(index), index, proof)).toEqual(root);
        expect(merkleRootOfProof(leaf(index), index ^ 1, proof)).not.toEqual(root);
        expect(merkleRootOfProof(H(leaf(index)), index, proof)).not.toEqual(root);
        expect(merkleRootOfProof(leaf(index), index, proof.slice(1))).not.toEqual(root);
      }
    }
  });

  it("needs an index that the tree has", () => {
    for (const index of [-1, 3, 0.5, Number.NaN]) {
      expect(() => merkleProof(messagesOf(3), index)).toThrow(`there is no message ${index} among 3`);
    }
  });
});
