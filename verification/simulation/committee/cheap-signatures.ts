/**
 * Cheap signatures of endorsers: numbers instead of points, with the same addition and multiplication, so that sums of
 * signatures verify against sums of keys. Any holder of a public key could forge one; no simulated node does.
 */
import { BLS_PUBLIC_KEY_BYTES, BLS_SIGNATURE_BYTES, type BlsSignature } from "../../../src/crypto/bls.ts";
import type { EndorsementSignatures } from "../../../src/rules/finality/endorsement-signatures.ts";

/** A prime below 2^31. Products of two smaller numbers exceed a double's exact range, so they are bigint. */
const order = 2_147_483_647n;

/** @param number of the endorser, from 1 on */
export function cheapKey(number: number): Uint8Array {
  return written((BigInt(number) * 48_271n) % order, BLS_PUBLIC_KEY_BYTES);
}

export function cheapSignature(key: Uint8Array, message: Uint8Array): BlsSignature {
  return written((read(key) * hashed(message)) % order, BLS_SIGNATURE_BYTES) as BlsSignature;
}

export function cheapSum(signatures: readonly BlsSignature[]): BlsSignature {
  return written(sumOf(signatures), BLS_SIGNATURE_BYTES) as BlsSignature;
}

export const cheapSignatures: EndorsementSignatures = {
  isSigned: (key, message, signature) => (read(key) * hashed(message)) % order === read(signature),
  areSigned: (keys, message, signature) =>
    keys.length > 0 && (sumOf(keys) * hashed(message)) % order === read(signature),
};

function sumOf(values: readonly Uint8Array[]): bigint {
  return values.reduce((sum, value) => sum + read(value), 0n) % order;
}

/** @source FNV-1a, 32 bits */
function hashed(message: Uint8Array): bigint {
  let hash = 0x811c9dc5;
  for (const byte of message) hash = Math.imul(hash ^ byte, 0x01000193);
  return BigInt(hash >>> 0) % order || 1n;
}

function written(value: bigint, sizeBytes: number): Uint8Array {
  const bytes = new Uint8Array(sizeBytes);
  new DataView(bytes.buffer).setUint32(0, Number(value));
  return bytes;
}

function read(bytes: Uint8Array): bigint {
  return BigInt(new DataView(bytes.buffer, bytes.byteOffset).getUint32(0));
}
