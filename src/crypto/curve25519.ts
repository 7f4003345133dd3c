/**
 * Signatures of accounts: Ed25519 over curve25519 keys, with the sign of the key's Edwards form in the top bit of the
 * signature. Verified natively (`node:crypto`), 0.04 ms each.
 *
 * @source Waves: lang/jvm/…/crypto/Curve25519.scala, curve25519-java 0.6.6
 */
import { createPublicKey, type KeyObject, verify as verifyEd25519 } from "node:crypto";
import { LRUCache } from "lru-cache";
import { bytesKey, concatBytes, equalBytes } from "./bytes.ts";
import { verifyExactly } from "./curve25519-exact.ts";
import {
  clampedScalar,
  edwardsCoordinate,
  encodedPoint,
  field,
  GROUP_ORDER,
  littleEndian,
  littleEndianBytes,
  montgomeryCoordinate,
  Point,
  scalarOf,
} from "./edwards25519.ts";
import { sha512 } from "./hash.ts";
import type { PrivateKey, PublicKey, Signature } from "./identities.ts";
import { isWeakPublicKey } from "./weak-public-keys.ts";

const SIGNATURE_BYTES = 64;
const PUBLIC_KEY_BYTES = 32;
const SIGN_BIT = 0x80;
/** Bits of the last byte that are set only when S is 2^253 or more. */
const EXCESS_BITS = 0x60;
/** The last byte of the group order: if the last byte of S is lower, S is reduced. */
const GROUP_ORDER_TOP_BYTE = 0x10;

/** Prefix of an Ed25519 key in a SubjectPublicKeyInfo (RFC 8410, section 4). */
const SPKI_PREFIX = Uint8Array.of(0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00);
/** Prefix that separates the nonce's hash from all other uses of the key (XEdDSA, section 2.5: hash_1). */
const NONCE_PREFIX = Uint8Array.from({ length: 32 }, (_, index) => (index === 0 ? 0xfe : 0xff));

/** Keys in native form: creating one adds half to the time of a verification. About 1 kB each. */
const nativeKeys = new LRUCache<string, KeyObject>({ max: 4096 });
/** The signature without its sign bit; verification is synchronous, so one buffer serves all. */
const nativeSignature = new Uint8Array(SIGNATURE_BYTES);

/**
 * Whether `signature` was made over `message` by the owner of `publicKey`. False for wrong sizes too; never throws.
 * Keys of small order are accepted, see `weak-public-keys.ts`.
 */
export function verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES || publicKey.length !== PUBLIC_KEY_BYTES) return false;
  const top = signature[63] as number;
  if ((top & EXCESS_BITS) !== 0) return false;
  // Implementations agree on every key except these.
  if (isWeakPublicKey(publicKey)) return verifyExactly(signature, message, publicKey);

  nativeSignature.set(signature);
  nativeSignature[63] = top & ~SIGN_BIT;
  if ((nativeSignature[63] as number) >= GROUP_ORDER_TOP_BYTE) reduceResponse(nativeSignature);
  return verifyEd25519(null, message, nativeKey(publicKey, top >>> 7), nativeSignature);
}

/**
 * Derived parts of private keys, for as long as the caller holds the key object: half of a signature's time goes into
 * the public part.
 */
const signingKeys = new WeakMap<PrivateKey, SigningKey>();

export interface SigningKey {
  readonly scalarBytes: Uint8Array;
  readonly scalar: bigint;
  /** The public key as a point of the Edwards curve. */
  readonly encodedKey: Uint8Array;
}

/** @throws RangeError wrong size */
export function signingKey(privateKey: PrivateKey): SigningKey {
  const known = signingKeys.get(privateKey);
  const scalarBytes = clampedScalar(privateKey);
  // The caller may have overwritten the bytes of the key object.
  if (known !== undefined && equalBytes(known.scalarBytes, scalarBytes)) return known;
  const scalar = scalarOf(scalarBytes);
  const key: SigningKey = { scalarBytes, scalar, encodedKey: Point.BASE.multiply(scalar).toBytes() };
  signingKeys.set(privateKey, key);
  return key;
}

/**
 * Signs a message; the signature differs with the random bytes.
 * @param random 64 bytes: they keep the nonce safe even if the hash function is not
 * @throws RangeError wrong size of a key or of the random bytes
 */
export function sign(privateKey: PrivateKey, message: Uint8Array, random: Uint8Array): Signature {
  if (random.length !== 64) throw new RangeError(`a signature takes 64 random bytes, not ${random.length}`);
  const { scalarBytes, scalar, encodedKey } = signingKey(privateKey);
  const nonce = scalarOf(sha512(NONCE_PREFIX, scalarBytes, message, random));
  const encodedNonce = Point.BASE.multiply(nonce).toBytes();
  const challenge = scalarOf(sha512(encodedNonce, encodedKey, message));
  const response = littleEndianBytes((challenge * scalar + nonce) % GROUP_ORDER);
  response[31] = (response[31] as number) | ((encodedKey[31] as number) & SIGN_BIT);
  return concatBytes(encodedNonce, response) as Signature;
}

/** The public key (Montgomery coordinate) of a private key. @throws RangeError wrong size */
export function publicKeyOf(privateKey: PrivateKey): PublicKey {
  const { y } = Point.BASE.multiply(scalarOf(clampedScalar(privateKey))).toAffine();
  return littleEndianBytes(field.div(field.add(1n, y), field.sub(1n, y))) as Uint8Array as PublicKey;
}

/**
 * Reduces S of a signature modulo the group order. The base point has that order, so S and S modulo l verify alike; the
 * network accepts both, the native verifier only the smaller.
 */
function reduceResponse(signature: Uint8Array): void {
  const response = littleEndian(signature.subarray(32));
  if (response >= GROUP_ORDER) signature.set(littleEndianBytes(response % GROUP_ORDER), 32);
}

function nativeKey(publicKey: Uint8Array, signBit: number): KeyObject {
  const cacheKey = bytesKey(publicKey) + signBit;
  const known = nativeKeys.get(cacheKey);
  if (known !== undefined) return known;
  const encodedKey = encodedPoint(edwardsCoordinate(montgomeryCoordinate(publicKey)), signBit);
  const key = createPublicKey({
    key: Buffer.from(concatBytes(SPKI_PREFIX, encodedKey)),
    format: "der",
    type: "spki",
  });
  nativeKeys.set(cacheKey, key);
  return key;
}
