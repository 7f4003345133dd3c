/**
 * The verifiable random function that decides which generator forges (blocks of version 5): VXEdDSA over curve25519
 * with SHA-512 and Elligator 2. One key and one message give one output, which only the key's owner can compute and
 * everyone can verify. The proof differs with the random bytes, the output does not.
 *
 * @source docs/protocol/consensus-and-finality.md 1.2; gowaves: pkg/crypto/vxeddsa.go; curve25519-java 0.6.6,
 *   generalized_xveddsa_25519_verify (which, unlike gowaves, refuses scalars and points that are not reduced)
 */

import { mulAddUnsafe } from "@noble/curves/abstract/curve.js";
import type { EdwardsPoint } from "@noble/curves/abstract/edwards.js";
import { LRUCache } from "lru-cache";
import { bytesKey, concatBytes } from "./bytes.ts";
import { type SigningKey, signingKey } from "./curve25519.ts";
import {
  BASE_POINT_BYTES,
  edwardsCoordinate,
  encodedPoint,
  field,
  findPoint,
  GROUP_ORDER,
  littleEndian,
  littleEndianBytes,
  Point,
  scalarOf,
} from "./edwards25519.ts";
import { sha512 } from "./hash.ts";
import type { Digest, PrivateKey } from "./identities.ts";

export const VRF_PROOF_BYTES = 96;
const MAX_MESSAGE_BYTES = 1024 * 1024;
const HASH_BLOCK_BYTES = 128;
/** Coefficient A of the Montgomery curve v² = u³ + A·u² + u. */
const MONTGOMERY_A = 486662n;

/** Label that separates the hashes of the four steps: the protocol's name and a number. */
function labelOf(step: 1 | 2 | 3 | 4): Uint8Array {
  const protocol = new TextEncoder().encode("VEdDSA_25519_SHA512_Elligator2");
  const digit = new TextEncoder().encode(String(step));
  return concatBytes(Uint8Array.of(3, protocol.length), protocol, Uint8Array.of(0, digit.length), digit);
}
const POINT_LABEL = labelOf(1);
const NONCE_LABEL = labelOf(2);
const CHALLENGE_LABEL = labelOf(3);
const OUTPUT_LABEL = labelOf(4);

/** Zeros that fill `sizeBytes` up to whole blocks of the hash function. */
function paddingAfter(sizeBytes: number): Uint8Array {
  return new Uint8Array((HASH_BLOCK_BYTES - (sizeBytes % HASH_BLOCK_BYTES)) % HASH_BLOCK_BYTES);
}
const BEFORE_KEY_PADDING = paddingAfter(BASE_POINT_BYTES.length + NONCE_LABEL.length + 32);
const AFTER_KEY_PADDING = paddingAfter(32);

/** VRF output of a key for a message, and its proofs. */
export interface VrfDraw {
  /** The output that `vrfVerify` returns for each of its proofs. */
  readonly output: Digest;
  /**
   * Proof of the output; takes as long as the output did.
   * @param random 32 bytes
   * @returns V ‖ c ‖ s, 96 bytes
   * @throws RangeError wrong size of the random bytes
   */
  readonly prove: (random: Uint8Array) => Uint8Array;
}

/**
 * Computes the VRF output of a key: about 2 ms. The proof is computed on demand, because most outputs win no block.
 * @throws RangeError wrong size of a key or of the message
 */
export function vrfDraw(privateKey: PrivateKey, message: Uint8Array): VrfDraw {
  if (message.length > MAX_MESSAGE_BYTES) throw new RangeError(`a VRF message has at most ${MAX_MESSAGE_BYTES} bytes`);
  const { scalarBytes, scalar, encodedKey } = keyOfEvenX(privateKey);
  const point = hashToPoint(encodedKey, message);
  const value = point.multiply(scalar);
  const prove = (random: Uint8Array): Uint8Array => {
    if (random.length !== 32) throw new RangeError(`a VRF proof takes 32 random bytes, not ${random.length}`);
    const pointBytes = point.toBytes();
    const encodedValue = value.toBytes();
    const nonce = scalarOf(
      sha512(
        ...[BASE_POINT_BYTES, NONCE_LABEL, random, BEFORE_KEY_PADDING, scalarBytes, AFTER_KEY_PADDING],
        ...[NONCE_LABEL, encodedKey, pointBytes, encodedValue, message],
      ),
    );
    const commitments = [Point.BASE.multiply(nonce), point.multiply(nonce)] as const;
    const challenge = challengeOf(commitments, encodedKey, pointBytes, encodedValue, message);
    const response = (challenge * scalar + nonce) % GROUP_ORDER;
    return concatBytes(encodedValue, littleEndianBytes(challenge), littleEndianBytes(response));
  };
  return { output: outputOf(value), prove };
}

/** The one of the two Edwards keys with the same Montgomery key whose x is even. */
function keyOfEvenX(privateKey: PrivateKey): SigningKey {
  const key = signingKey(privateKey);
  const { scalar, encodedKey } = key;
  const top = encodedKey[31] as number;
  if ((top & 0x80) === 0) return key;
  const negated = GROUP_ORDER - scalar;
  return { scalarBytes: littleEndianBytes(negated), scalar: negated, encodedKey: encodedKey.with(31, top & 0x7f) };
}

function outputOf(value: EdwardsPoint): Digest {
  return sha512(BASE_POINT_BYTES, OUTPUT_LABEL, value.clearCofactor().toBytes()).slice(0, 32) as Digest;
}

/**
 * Outputs of valid proofs: a block's output is needed when the block is forged or received, and again when it is
 * appended.
 */
const knownOutputs = new LRUCache<string, Digest>({ max: 256 });
/** Longest message that a chain uses as VRF input. */
const MAX_KNOWN_MESSAGE_BYTES = 64;

/**
 * Verifies a proof of any bytes: its output, or undefined for an invalid proof. About 2 ms unless cached.
 * @param publicKey small-order keys are refused here too
 */
export function vrfVerify(publicKey: Uint8Array, message: Uint8Array, proof: Uint8Array): Digest | undefined {
  if (publicKey.length !== 32 || proof.length !== VRF_PROOF_BYTES || message.length > MAX_MESSAGE_BYTES) {
    return undefined;
  }
  if (message.length > MAX_KNOWN_MESSAGE_BYTES) return provenOutput(publicKey, message, proof);
  const cacheKey = bytesKey(concatBytes(publicKey, proof, message));
  const output = knownOutputs.get(cacheKey) ?? provenOutput(publicKey, message, proof);
  if (output !== undefined) knownOutputs.set(cacheKey, output);
  // A copy for each caller.
  return output && (output.slice() as Digest);
}

function provenOutput(publicKey: Uint8Array, message: Uint8Array, proof: Uint8Array): Digest | undefined {
  const u = littleEndian(publicKey);
  const encodedValue = proof.subarray(0, 32);
  const challenge = littleEndian(proof.subarray(32, 64));
  const response = littleEndian(proof.subarray(64));
  if (u >= field.ORDER || (littleEndian(encodedValue) & (2n ** 255n - 1n)) >= field.ORDER) return undefined;
  if (challenge >= GROUP_ORDER || response >= GROUP_ORDER) return undefined;

  const encodedKey = encodedPoint(edwardsCoordinate(u), 0);
  const key = findPoint(encodedKey);
  const value = findPoint(encodedValue);
  if (key === undefined || value === undefined) return undefined;
  const point = hashToPoint(encodedKey, message);
  if (key.isSmallOrder() || value.isSmallOrder() || point.is0()) return undefined;

  const commitments = [
    Point.BASE.multiplyUnsafe(response).subtract(key.multiplyUnsafe(challenge)),
    mulAddUnsafe(Point, [point, value.negate()], [response, challenge]),
  ] as const;
  if (challengeOf(commitments, encodedKey, point.toBytes(), encodedValue, message) !== challenge) return undefined;
  return outputOf(value);
}

function challengeOf(
  [commitment, pointCommitment]: readonly [EdwardsPoint, EdwardsPoint],
  encodedKey: Uint8Array,
  pointBytes: Uint8Array,
  encodedValue: Uint8Array,
  message: Uint8Array,
): bigint {
  return scalarOf(
    sha512(
      ...[BASE_POINT_BYTES, CHALLENGE_LABEL, commitment.toBytes(), CHALLENGE_LABEL, encodedKey],
      ...[pointBytes, encodedValue, pointCommitment.toBytes(), message],
    ),
  );
}

/** Hashes a key and a message to a point in the group of the base point. */
function hashToPoint(encodedKey: Uint8Array, message: Uint8Array): EdwardsPoint {
  const digest = sha512(BASE_POINT_BYTES, POINT_LABEL, encodedKey, message).subarray(0, 32);
  const signBit = (digest[31] as number) >>> 7;
  const representative = field.create(littleEndian(digest) & (2n ** 255n - 1n));
  return elligatorPoint(representative, signBit).clearCofactor();
}

/** Elligator 2: u = -A / (1 + 2r²), and -u - A if that is no coordinate of the curve; exactly one of them is. */
function elligatorPoint(representative: bigint, signBit: number): EdwardsPoint {
  const denominator = field.add(1n, field.mul(2n, field.sqr(representative)));
  const u = field.neg(field.div(MONTGOMERY_A, denominator));
  // u = -1 has no Edwards form (A - 2 is not a square), so it counts as off the curve.
  const point = field.add(u, 1n) === 0n ? undefined : findPoint(encodedPoint(edwardsCoordinate(u), signBit));
  if (point !== undefined) return point;
  const other = findPoint(encodedPoint(edwardsCoordinate(field.sub(field.neg(u), MONTGOMERY_A)), signBit));
  if (other === undefined) throw new Error("Elligator 2 found neither of its two points on the curve");
  return other;
}
