/**
 * Curve25519 public keys of small order: anyone can sign for them, so blocks and (from feature 17 on) VRF proofs by
 * them are refused.
 *
 * @source Waves: node/…/crypto/package.scala (isWeakPublicKey); the orders: libsodium, x25519_ref10.c
 */

/** Little-endian u-coordinates, in hex. The top bit is not part of a coordinate. */
const WEAK_COORDINATES = [
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
  "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
].map((hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));

/** Whether a key is one of the small-order keys, its top bit ignored. False for anything but 32 bytes. */
export function isWeakPublicKey(publicKey: Uint8Array): boolean {
  return publicKey.length === 32 && WEAK_COORDINATES.some((weak) => isSameCoordinate(publicKey, weak));
}

function isSameCoordinate(publicKey: Uint8Array, coordinate: Uint8Array): boolean {
  for (let index = 0; index < 31; index++) if (publicKey[index] !== coordinate[index]) return false;
  return ((publicKey[31] as number) & 0x7f) === coordinate[31];
}
