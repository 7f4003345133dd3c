/**
 * Addresses: version 1 ‖ chain id ‖ the first 20 bytes of the public key's secure hash ‖ the first 4 bytes of the
 * secure hash of all before; 26 bytes, printed in base58.
 *
 * @source Waves: node/…/account/Recipient.scala (object Address)
 */

import { LRUCache } from "lru-cache";
import { type Base58WrongChar, encodeBase58, findWrongBase58Char, parseBase58 } from "./base58.ts";
import { type BytesKey, bytesKey, equalBytes } from "./bytes.ts";
import { secureHash } from "./hash.ts";
import type { Address, PublicKey } from "./identities.ts";

export const ADDRESS_BYTES = 26;
export const ADDRESS_VERSION = 1;
export const PUBLIC_KEY_HASH_BYTES = 20;
const CHECKSUM_OFFSET = 2 + PUBLIC_KEY_HASH_BYTES;

export type AddressError =
  | Base58WrongChar
  | { readonly code: "addressSizeWrong"; readonly sizeBytes: number; readonly expectedSizeBytes: number }
  | { readonly code: "addressVersionWrong"; readonly version: number; readonly expectedVersion: number }
  | { readonly code: "addressOfAnotherChain"; readonly chainId: number; readonly expectedChainId: number }
  | { readonly code: "addressChecksumWrong"; readonly checksum: Uint8Array; readonly expectedChecksum: Uint8Array };

/** Cache: an address takes four hashes to compute. About 300 bytes an entry. */
const addressesOfKeys = new LRUCache<string, Address>({ max: 8192 });
/** Addresses with a valid checksum, which takes two hashes to verify. */
const checkedAddresses = new LRUCache<BytesKey, Address>({ max: 8192 });

/** Address of the account that a public key owns. @param chainId 0 to 255 */
export function addressOfPublicKey(publicKey: PublicKey, chainId: number): Address {
  const cacheKey = bytesKey(publicKey) + String.fromCharCode(chainId);
  const known = addressesOfKeys.get(cacheKey);
  if (known !== undefined) return known;
  const address = addressOfPublicKeyHash(secureHash(publicKey).subarray(0, PUBLIC_KEY_HASH_BYTES), chainId);
  addressesOfKeys.set(cacheKey, address);
  return address;
}

/**
 * Address with the given public key hash (20 bytes).
 * @param chainId 0 to 255
 * @param checkedChainId chain id that the checksum covers. The reference always uses its own chain's, so its addresses
 *   of another chain have an invalid checksum
 */
export function addressOfPublicKeyHash(
  publicKeyHash: Uint8Array,
  chainId: number,
  checkedChainId: number = chainId,
): Address {
  const address = new Uint8Array(ADDRESS_BYTES);
  address[0] = ADDRESS_VERSION;
  address[1] = checkedChainId;
  address.set(publicKeyHash, 2);
  address.set(checksumOf(address), CHECKSUM_OFFSET);
  address[1] = chainId;
  return address as Uint8Array as Address;
}

/** Public key hash inside an address: 20 bytes. */
export function publicKeyHashOf(address: Address): Uint8Array {
  return address.subarray(2, CHECKSUM_OFFSET);
}

/** Base58 of an address: 35 or 36 characters on the known networks. */
export function addressText(address: Address): string {
  return encodeBase58(address);
}

/**
 * Parses an address from base58.
 * @param expectedChainId undefined accepts every chain
 */
export function parseAddress(text: string, expectedChainId: number | undefined): Address | AddressError {
  const bytes = parseBase58(text);
  if (bytes instanceof Uint8Array) return parseAddressBytes(bytes, expectedChainId);
  if (bytes.code === "base58WrongChar") return bytes;
  // A text this long is not decoded. A wrong character in it is still the error that the reference reports.
  const atLeastBytes = Math.floor((text.length * Math.log(58)) / Math.log(256));
  const size = { code: "addressSizeWrong", sizeBytes: atLeastBytes, expectedSizeBytes: ADDRESS_BYTES } as const;
  return findWrongBase58Char(text) ?? size;
}

/**
 * Parses an address from bytes. Size, version, chain and checksum are checked in this order.
 * @param expectedChainId undefined accepts every chain
 * @returns a cached address, not the given bytes; the caller must not change it
 */
export function parseAddressBytes(bytes: Uint8Array, expectedChainId: number | undefined): Address | AddressError {
  if (bytes.length !== ADDRESS_BYTES) {
    return { code: "addressSizeWrong", sizeBytes: bytes.length, expectedSizeBytes: ADDRESS_BYTES };
  }
  const [version, chainId] = bytes as unknown as readonly [number, number];
  if (version !== ADDRESS_VERSION) {
    return { code: "addressVersionWrong", version, expectedVersion: ADDRESS_VERSION };
  }
  if (expectedChainId !== undefined && chainId !== expectedChainId) {
    return { code: "addressOfAnotherChain", chainId, expectedChainId };
  }
  const cacheKey = bytesKey(bytes);
  const known = checkedAddresses.get(cacheKey);
  if (known !== undefined) return known;
  const checksum = bytes.slice(CHECKSUM_OFFSET);
  const expectedChecksum = checksumOf(bytes);
  if (!equalBytes(checksum, expectedChecksum)) return { code: "addressChecksumWrong", checksum, expectedChecksum };
  // A copy: the given bytes may be a view of a whole block, which the cache would then retain.
  const address = bytes.slice() as Address;
  checkedAddresses.set(cacheKey, address);
  return address;
}

function checksumOf(address: Uint8Array): Uint8Array {
  return secureHash(address.subarray(0, CHECKSUM_OFFSET)).slice(0, ADDRESS_BYTES - CHECKSUM_OFFSET);
}
