/**
 * Signature verification step by step, as the network defines it: the oracle for tests of the native verifier, and the
 * verifier for the keys on which implementations differ. About 40 times slower than `curve25519.ts`.
 *
 * Ed25519 (RFC 8032) with these differences, all of which the network's history may contain:
 * - the key is a Montgomery coordinate, in any of its encodings; the sign of its Edwards form is the top bit of the
 *   signature;
 * - S need not be below the group order, only below 2^253;
 * - keys of small order are valid (blocks refuse them earlier);
 * - R is compared as bytes: a second encoding of the same R is invalid, and the cofactor has no effect.
 *
 * @source Waves: curve25519-java 0.6.6, curve25519_verify and crypto_sign_open_modified; gowaves: pkg/crypto/crypto.go
 */
import { equalBytes } from "./bytes.ts";
import { edwardsCoordinate, encodedPoint, findPoint, montgomeryCoordinate, Point, scalarOf } from "./edwards25519.ts";
import { sha512 } from "./hash.ts";

/** Whether the signature is valid; false for wrong sizes too. */
export function verifyExactly(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  if (signature.length !== 64 || publicKey.length !== 32) return false;
  const top = signature[63] as number;
  if ((top & 0x60) !== 0) return false;
  const encodedKey = encodedPoint(edwardsCoordinate(montgomeryCoordinate(publicKey)), top >>> 7);
  const key = findPoint(encodedKey);
  if (key === undefined) return false;

  const encodedNonce = signature.subarray(0, 32);
  const response = signature.slice(32);
  response[31] = top & 0x1f;
  const challenge = scalarOf(sha512(encodedNonce, encodedKey, message));
  const nonce = Point.BASE.multiplyUnsafe(scalarOf(response)).subtract(key.multiplyUnsafe(challenge));
  return equalBytes(nonce.toBytes(), encodedNonce);
}
