/**
 * The hash functions of the protocol; each returns a new byte string.
 *
 * @source Waves: node/…/crypto/package.scala (fastHash, secureHash)
 */
import { createHash } from "node:crypto";
import { sha256 as sha256InJavaScript } from "@noble/hashes/sha2.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { blake2b256Bytes } from "./blake2b.ts";
import type { Digest } from "./identities.ts";

/** From this size on, the native SHA-256 outweighs the cost of its call (in workerd: 1.4 against 7 µs). */
const NATIVE_SHA256_FROM_BYTES = 1024;

/** BLAKE2b-256: ids of transactions and blocks, Merkle trees, state hashes. The reference calls it "fast hash". */
export function blake2b256(bytes: Uint8Array): Digest {
  return blake2b256Bytes(bytes) as Digest;
}

/** Keccak-256 with the padding from before SHA-3 (FIPS 202), as Ethereum uses it. */
export function keccak256(bytes: Uint8Array): Digest {
  return keccak_256(bytes) as Digest;
}

/** Keccak-256 of BLAKE2b-256: addresses and their checksums, account seeds, API key hashes. */
export function secureHash(bytes: Uint8Array): Digest {
  return keccak_256(blake2b256Bytes(bytes)) as Digest;
}

/** SHA-256 (FIPS 180-4). */
export function sha256(bytes: Uint8Array): Digest {
  if (bytes.length < NATIVE_SHA256_FROM_BYTES) return sha256InJavaScript(bytes) as Digest;
  return new Uint8Array(createHash("sha256").update(bytes).digest()) as Uint8Array as Digest;
}

/** SHA-512 (FIPS 180-4) of the concatenated parts. @returns 64 bytes */
export function sha512(...parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash("sha512");
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
}
