/**
 * Merkle proofs: of trees with the language's own format, and of the transactions in a block.
 * @source Waves: common/merkle/Merkle.scala, ScryptoMerkleProof.scala, lang/v1/evaluator/ctx/impl/CryptoContext.scala
 */
import { concatBytes, equalBytes } from "../../crypto/bytes.ts";
import { blake2b256 } from "../../crypto/hash.ts";
import { ThrownError } from "../execution-error.ts";
import type { List } from "../values/value.ts";
import { WorkRefused } from "../work-refused.ts";
import { type LibraryFunction, native, refusal } from "./function-definition.ts";

const digestBytes = 32;
const maxProofLength = 16;
/** Limit of old proofs: the reference recurses for each neighbour, which may have only two bytes. */
const maxSafeProofBytes = 1_000;
const rootUsage = "createMerkleRoot(merkleProof: ByteVector, valueBytes: ByteVector, index: Int)";

export const merkleFunctions: readonly LibraryFunction[] = [
  native(700, "checkMerkleProof(merkleRoot: ByteVector, merkleProof: ByteVector, valueBytes: ByteVector): Boolean", {
    since: 3,
    complexity: 30,
    takes: ["ByteVector", "ByteVector", "ByteVector"],
    until: 3,
    evaluate: ([root, proof, value], { environment }) => {
      if (environment.mayRefuseWork && proof.length > maxSafeProofBytes) {
        throw new WorkRefused("a Merkle proof is so long that it ends the thread of a reference node");
      }
      return root.length === digestBytes && provesValue(root, proof, value);
    },
  }),
  native(701, "createMerkleRoot(merkleProof: List[ByteVector], valueBytes: ByteVector, index: Int): ByteVector", {
    since: 4,
    complexity: { 4: 30, 9: 3 },
    takes: ["List", "ByteVector", "Int"],
    usage: rootUsage,
    evaluate: ([proof, value, index]) => rootOf(proof, value, index),
  }),
];

/** Verifies a proof: a sequence of (side, size, digest), from the leaf up; sizes are signed bytes. */
function provesValue(root: Uint8Array, proof: Uint8Array, value: Uint8Array): boolean {
  let digest: Uint8Array = blake2b256(concatBytes(Uint8Array.of(0), value));
  let offset = 0;
  while (offset < proof.length) {
    const side = proof[offset];
    const sizeBytes = proof[offset + 1];
    if (sizeBytes === undefined || sizeBytes > 0x7f) return false;
    const neighbour = proof.subarray(offset + 2, offset + 2 + sizeBytes);
    digest = blake2b256(
      side === 0 ? concatBytes(Uint8Array.of(1), digest, neighbour) : concatBytes(Uint8Array.of(1), neighbour, digest),
    );
    offset += 2 + sizeBytes;
  }
  return equalBytes(digest, root);
}

function rootOf(proof: List, value: Uint8Array, index: bigint): Uint8Array {
  const neighbours = proof.items.filter(
    (item): item is Uint8Array => item instanceof Uint8Array && item.length === digestBytes,
  );
  if (value.length !== digestBytes || proof.items.length > maxProofLength || neighbours.length < proof.items.length) {
    throw refusal([proof, value, index], rootUsage);
  }
  if (BigInt.asIntN(32, index) !== index) throw new ThrownError("integer overflow");
  let digest = value;
  let position = Number(index);
  for (const neighbour of neighbours) {
    digest = blake2b256(position % 2 === 0 ? concatBytes(digest, neighbour) : concatBytes(neighbour, digest));
    position = Math.trunc(position / 2);
  }
  if (position !== 0) {
    throw new ThrownError(`Index ${index} out of range allowed by proof list length ${neighbours.length}`);
  }
  return digest;
}
