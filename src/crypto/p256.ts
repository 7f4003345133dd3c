/**
 * Signatures on the curve P-256, with keys and signatures as plain numbers.
 * @source FIPS 186-5, 6.4.2; Waves 1.6: crypto/P256Curve.scala, with the first of its providers
 */
import { p256 } from "@noble/curves/nist.js";
import { integerOfBytes } from "./big-endian.ts";
import { verifyOnCurve } from "./nist-curves.ts";

const { Point } = p256;
const numberBytes = 32;
const signatureBytes = 2 * numberBytes;
const keyBytes = 2 * numberBytes;
const order = Point.Fn.ORDER;
const field = Point.Fp.ORDER;

/** Invalid key or signature, with the reference's error text. */
export class P256Error extends Error {
  override readonly name = "P256Error";
}

const openSsl = (code: string, text: string): string => `error:${code}:${text}`;
const badKey = (text: string): string => `java.security.spec.InvalidKeySpecException: ${text}: ${text}`;
const messages = {
  pastField: badKey(openSsl("0f000080", "elliptic curve routines:OPENSSL_internal:DECODE_ERROR")),
  offCurve: badKey(openSsl("0f000078", "elliptic curve routines:OPENSSL_internal:POINT_IS_NOT_ON_CURVE")),
  numbers: openSsl("1a000064", "ECDSA routines:OPENSSL_internal:BAD_SIGNATURE"),
  size: "requirement failed: Signature must be exactly 64 bytes",
};

/**
 * Whether the key signed the SHA-256 of the message.
 * Cost: a tenth of a millisecond.
 * @param signature r and s, 32 bytes each; both forms of s are accepted
 * @param key both coordinates, 32 bytes each; further bytes are ignored
 * @throws P256Error the key is no point of the curve, the signature has another size, numbers are out of range
 */
export function verifyP256(message: Uint8Array, signature: Uint8Array, key: Uint8Array): boolean {
  const x = coordinate(key, 0);
  const y = coordinate(key, numberBytes);
  if (x >= field || y >= field) throw new P256Error(messages.pastField);
  if (!isOnCurve(x, y)) throw new P256Error(messages.offCurve);
  if (signature.length !== signatureBytes) throw new P256Error(messages.size);
  const [r, s] = [0, numberBytes].map((start) => integerOfBytes(signature.subarray(start, start + numberBytes))) as [
    bigint,
    bigint,
  ];
  if ([r, s].some((number) => number === 0n || number >= order)) throw new P256Error(messages.numbers);
  return verifyOnCurve("p256", "sha256", message, { r, s }, key.subarray(0, keyBytes));
}

function coordinate(key: Uint8Array, start: number): bigint {
  const end = start + numberBytes;
  if (key.length >= end) return integerOfBytes(key.subarray(start, end));
  throw new P256Error(`Range [${start}, ${start} + ${numberBytes}) out of bounds for length ${key.length}`);
}

function isOnCurve(x: bigint, y: bigint): boolean {
  const { a, b } = Point.CURVE();
  return (y * y - (x * x * x + a * x + b)) % field === 0n;
}
