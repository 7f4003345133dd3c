/**
 * BLS signatures of endorsers (feature 25) on the curve BLS12-381: public keys in the first group (compressed, 48
 * bytes), signatures in the second (compressed, 96 bytes). One message that many endorsers sign is verified at once,
 * with the sum of the signatures and the sum of the keys. A key that is crafted to cancel others is prevented by the
 * proof of possession, which is verified when the key is committed.
 *
 * Points are read strictly, as the reference's library does: compressed, coordinates below the field's order, infinity
 * as its mark and zeros. A key or signature that is infinity or lies outside the group of prime order verifies nothing.
 *
 * PERF: a verification is two Miller loops and one final exponentiation. Cached are keys as points, messages as the
 * lines of the point they hash to (every endorser of a block signs the same message), signatures as points, and the
 * valid signatures.
 *
 * @source docs/protocol/consensus-and-finality.md 3.2; draft-irtf-cfrg-bls-signature-05;
 * Waves 1.6: crypto/bls/BlsUtils.scala
 */
import type { Fp2 } from "@noble/curves/abstract/tower.js";
import type { WeierstrassPoint } from "@noble/curves/abstract/weierstrass.js";
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { expand, extract } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { LRUCache } from "lru-cache";
import { bytesOfInteger, integerOfBytes } from "./big-endian.ts";
import { type BytesKey, bytesKey, concatBytes, equalBytes } from "./bytes.ts";
import type { PrivateKey } from "./identities.ts";

/** Compressed point of the first group, 48 bytes. */
export type BlsPublicKey = Uint8Array & { readonly __brand: "BlsPublicKey" };
/** Compressed point of the second group, 96 bytes: the signature of one endorser, or the sum of several. */
export type BlsSignature = Uint8Array & { readonly __brand: "BlsSignature" };
/** Scalar, 32 bytes, most significant first. */
export type BlsSecretKey = Uint8Array & { readonly __brand: "BlsSecretKey" };

export const BLS_PUBLIC_KEY_BYTES = 48;
export const BLS_SIGNATURE_BYTES = 96;
const SECRET_KEY_BYTES = 32;
/** Shorter private keys give no BLS key: the draft requires at least as many bytes as the secret key has. */
const MIN_KEY_MATERIAL_BYTES = 32;
/** Bytes that the secret key is reduced from: 1.5 times the bits of the group's order. */
const EXPANDED_BYTES = 48;
const KEY_SALT = new TextEncoder().encode("BLS-SIG-KEYGEN-SALT-");
/** Domain of every signature: endorsements and proofs of possession alike. */
const DOMAIN = "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_";

/** The marks of a compressed and an infinite point, then zeros. */
const infinity = Uint8Array.from({ length: BLS_SIGNATURE_BYTES }, (_, index) =>
  index === 0 ? 0xc0 : 0,
) as BlsSignature;

type KeyPoint = WeierstrassPoint<bigint>;
type SignaturePoint = WeierstrassPoint<Fp2>;
type Lines = ReturnType<typeof bls12_381.utils.calcPairingPrecomputes>;
interface HashedMessage {
  readonly point: SignaturePoint;
  readonly lines: Lines;
}

const { G1, G2, fields } = bls12_381;
const groupOrder = fields.Fr.ORDER;
/** Negated base point of the keys, at which the lines of a signature are evaluated. */
const negatedBase = G1.Point.BASE.negate().toAffine();

/** Points of committed keys: enough for two periods; about 1 kB each. */
const keyPoints = new LRUCache<BytesKey, KeyPoint>({ max: 4_096 });
/** Points of signatures in endorsements that await a voting; about 0.8 kB each. */
const signaturePoints = new LRUCache<BytesKey, SignaturePoint>({ max: 512 });
/** Messages that endorsers currently sign; about 53 kB each. */
const hashedMessages = new LRUCache<BytesKey, HashedMessage>({ max: 16 });
/** Valid signatures, with their keys and messages. */
const verifiedSignatures = new LRUCache<BytesKey, true>({ max: 1_024 });
/** Longest message that an endorser or committer signs. */
const MAX_CACHED_MESSAGE_BYTES = 132;

/**
 * BLS secret key of an account: KeyGen of the draft, from the account's private key. The salt is not hashed first,
 * unlike in older drafts.
 * @throws RangeError fewer than 32 bytes
 */
export function blsSecretKeyOf(privateKey: PrivateKey): BlsSecretKey {
  if (privateKey.length < MIN_KEY_MATERIAL_BYTES)
    throw new RangeError(`a BLS key takes ${MIN_KEY_MATERIAL_BYTES} bytes or more, not ${privateKey.length}`);
  const material = concatBytes(privateKey, Uint8Array.of(0));
  const info = Uint8Array.of(0, EXPANDED_BYTES);
  for (let salt: Uint8Array = KEY_SALT; ; salt = sha256(salt)) {
    const expanded = expand(sha256, extract(sha256, material, salt), info, EXPANDED_BYTES);
    const scalar = integerOfBytes(expanded) % groupOrder;
    if (scalar !== 0n) return bytesOfInteger(scalar, SECRET_KEY_BYTES) as Uint8Array as BlsSecretKey;
  }
}

/** @throws RangeError not a scalar from 1 up to the group's order */
export function blsPublicKeyOf(secretKey: BlsSecretKey): BlsPublicKey {
  return G1.Point.BASE.multiply(scalarOf(secretKey)).toBytes() as Uint8Array as BlsPublicKey;
}

/**
 * Signs a message. The same key and message always give the same signature.
 * @throws RangeError not a scalar from 1 up to the group's order
 */
export function blsSign(secretKey: BlsSecretKey, message: Uint8Array): BlsSignature {
  return encodedSignature(hashed(message).point.multiply(scalarOf(secretKey)));
}

/** Whether the bytes are a valid public key: a point of the group, not infinity. */
export function isValidBlsPublicKey(bytes: Uint8Array): boolean {
  return findKeyPoint(bytes) !== undefined;
}

/** Whether `signature` was made over `message` by the owner of `publicKey`. False for any other bytes; never throws. */
export function blsVerify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const key = findKeyPoint(publicKey);
  return key !== undefined && satisfiesPairing(key, publicKey, message, signature);
}

/** Decodes a signature into the cache, which makes `aggregateSignatures` cheap. */
export function prepareBlsSignature(signature: BlsSignature): void {
  findSignaturePoint(signature);
}

/**
 * Sum of signatures, for one verification of all; infinity if they cancel each other (`isSumOfNothing`).
 * @param signatures one or more, each verified before
 * @throws RangeError no signatures, or bytes that are not a signature
 */
export function aggregateSignatures(signatures: readonly BlsSignature[]): BlsSignature {
  if (signatures.length === 0) throw new RangeError("no signatures to add up");
  let sum = G2.Point.ZERO;
  for (const signature of signatures) {
    const point = findSignaturePoint(signature);
    if (point === undefined) throw new RangeError("a signature to add up is no point of the group");
    sum = sum.add(point);
  }
  return sum.is0() ? infinity : encodedSignature(sum);
}

/**
 * Whether a sum of signatures is infinity, which verifies nothing. Signatures of two keys cancel each other if one key
 * is the negative of the other. Both may be committed, since the owner of one can derive the other.
 */
export function isSumOfNothing(signature: BlsSignature): boolean {
  return equalBytes(signature, infinity);
}

/**
 * Whether `signature` is the sum of the signatures that the owners of all the keys made over one message. False for no
 * keys, for keys whose sum is infinity and for any other bytes; never throws.
 * @param publicKeys committed keys, for which a proof of possession was verified
 */
export function fastAggregateVerify(
  publicKeys: readonly Uint8Array[],
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  let sum = G1.Point.ZERO;
  for (const publicKey of publicKeys) {
    const key = findKeyPoint(publicKey);
    if (key === undefined) return false;
    sum = sum.add(key);
  }
  if (sum.is0()) return false;
  // PERF: the affine coordinates are needed twice, and computing them takes a millisecond.
  const key = G1.Point.fromAffine(sum.toAffine());
  return satisfiesPairing(key, key.toBytes(), message, signature);
}

/** e(key, H(message)) = e(base point, signature), as one product that has to be 1. */
function satisfiesPairing(key: KeyPoint, encodedKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const point = findSignaturePoint(signature);
  if (point === undefined) return false;
  // Keyed by the message's hash: an endorser who contradicts the chain may send ids of a kilobyte, verified again with
  // each micro-block.
  const cacheKey = bytesKey(concatBytes(encodedKey, signature, sha256(message)));
  if (verifiedSignatures.has(cacheKey)) return true;
  const { x, y } = key.toAffine();
  const product = bls12_381.millerLoopBatch([
    [hashed(message).lines, x, y],
    [bls12_381.utils.calcPairingPrecomputes(point), negatedBase.x, negatedBase.y],
  ]);
  const { Fp12 } = fields;
  const isOne = Fp12.eql(Fp12.finalExponentiate(product), Fp12.ONE);
  if (isOne) verifiedSignatures.set(cacheKey, true);
  return isOne;
}

/** Hashes a message to a point of the second group. */
function hashed(message: Uint8Array): HashedMessage {
  const cacheKey = bytesKey(message);
  const known = hashedMessages.get(cacheKey);
  if (known !== undefined) return known;
  const point = G2.hashToCurve(message, { DST: DOMAIN });
  const hashedMessage: HashedMessage = { point, lines: bls12_381.utils.calcPairingPrecomputes(point) };
  if (message.length <= MAX_CACHED_MESSAGE_BYTES) hashedMessages.set(cacheKey, hashedMessage);
  return hashedMessage;
}

function findKeyPoint(bytes: Uint8Array): KeyPoint | undefined {
  return bytes.length === BLS_PUBLIC_KEY_BYTES ? cachedPoint(keyPoints, G1.Point, bytes) : undefined;
}

function findSignaturePoint(bytes: Uint8Array): SignaturePoint | undefined {
  return bytes.length === BLS_SIGNATURE_BYTES ? cachedPoint(signaturePoints, G2.Point, bytes) : undefined;
}

/** Decodes a point of the group; undefined for infinity and for other bytes. */
function cachedPoint<Point extends KeyPoint | SignaturePoint>(
  cache: LRUCache<BytesKey, Point>,
  group: { readonly fromBytes: (bytes: Uint8Array) => Point },
  bytes: Uint8Array,
): Point | undefined {
  const cacheKey = bytesKey(bytes);
  const known = cache.get(cacheKey);
  if (known !== undefined) return known;
  const point = decodedPoint(group, bytes);
  if (point === undefined || point.is0()) return undefined;
  cache.set(cacheKey, point);
  return point;
}

/** Decodes a point of the group, infinity included. */
function decodedPoint<Point>(
  group: { readonly fromBytes: (bytes: Uint8Array) => Point },
  bytes: Uint8Array,
): Point | undefined {
  try {
    return group.fromBytes(bytes);
  } catch {
    // The library's error has no code; the only failure in decoding is that the bytes are no point of the group.
    return undefined;
  }
}

function encodedSignature(point: SignaturePoint): BlsSignature {
  return point.toBytes() as Uint8Array as BlsSignature;
}

function scalarOf(secretKey: BlsSecretKey): bigint {
  const scalar = integerOfBytes(secretKey);
  if (secretKey.length !== SECRET_KEY_BYTES || scalar === 0n || scalar >= groupOrder)
    throw new RangeError("a BLS secret key is 32 bytes, from 1 up to the order of the group");
  return scalar;
}
