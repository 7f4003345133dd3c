/**
 * The curve of signatures and VRF proofs: edwards25519, whose Montgomery form is curve25519. Public keys of the network
 * are Montgomery u-coordinates; signatures are verified on the Edwards form, with y = (u - 1) / (u + 1).
 *
 * @source RFC 7748, section 4.1 (the map); RFC 8032, section 5.1 (encodings)
 */
import type { EdwardsPoint } from "@noble/curves/abstract/edwards.js";
import { ed25519 } from "@noble/curves/ed25519.js";

export const Point = ed25519.Point;
/** Integers modulo p = 2^255 - 19. */
export const field = Point.Fp;
/** Order l of the base point. */
export const GROUP_ORDER = Point.Fn.ORDER;
/** The base point B, encoded. */
export const BASE_POINT_BYTES = Point.BASE.toBytes();

/** Reads a number, least significant byte first. @param bytes a multiple of 8, up to 64 */
export function littleEndian(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let value = 0n;
  for (let offset = bytes.length - 8; offset >= 0; offset -= 8)
    value = (value << 64n) | view.getBigUint64(offset, true);
  return value;
}

/** Encodes a number below 2^256 as 32 bytes, least significant first. */
export function littleEndianBytes(value: bigint): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(32));
  for (let offset = 0; offset < 32; offset += 8) view.setBigUint64(offset, value >> BigInt(offset * 8), true);
  return new Uint8Array(view.buffer);
}

/** The bytes of a hash or a scalar as a number modulo the group order. */
export function scalarOf(bytes: Uint8Array): bigint {
  return littleEndian(bytes) % GROUP_ORDER;
}

/** The scalar of a private key, clamped as X25519 requires (RFC 7748, section 5). @throws RangeError wrong size */
export function clampedScalar(privateKey: Uint8Array): Uint8Array<ArrayBuffer> {
  if (privateKey.length !== 32) throw new RangeError(`a private key has 32 bytes, not ${privateKey.length}`);
  const scalar = new Uint8Array(privateKey);
  scalar[0] = (scalar[0] as number) & 0xf8;
  scalar[31] = ((scalar[31] as number) & 0x7f) | 0x40;
  return scalar;
}

/** u-coordinate in a public key: top bit ignored, reduced modulo p. */
export function montgomeryCoordinate(publicKey: Uint8Array): bigint {
  return field.create(littleEndian(publicKey) & (2n ** 255n - 1n));
}

/** y of the Edwards points of a Montgomery u-coordinate; u = -1 gives 0, as a division by powers does. */
export function edwardsCoordinate(u: bigint): bigint {
  const denominator = field.add(u, 1n);
  return denominator === 0n ? 0n : field.mul(field.sub(u, 1n), field.inv(denominator));
}

/** 32 bytes: y with the sign of x in the top bit. @param signBit 0 or 1 */
export function encodedPoint(y: bigint, signBit: number): Uint8Array<ArrayBuffer> {
  const bytes = littleEndianBytes(y);
  bytes[31] = (bytes[31] as number) | (signBit << 7);
  return bytes;
}

/**
 * Decodes a point from 32 bytes; undefined if none on the curve has that y. As in the reference, y may be 2^255 - 19 or
 * more, and the sign of x = 0 may be either.
 */
export function findPoint(encoded: Uint8Array): EdwardsPoint | undefined {
  try {
    return Point.fromBytes(encoded, true);
  } catch {
    // The library throws for the only possible error in 32 bytes: no point has that y.
    return undefined;
  }
}
