import { libs } from "@waves/waves-transactions";
import { describe, expect, it } from "vitest";
import {
  addressOfPublicKey,
  addressOfPublicKeyHash,
  addressText,
  parseAddress,
  parseAddressBytes,
  publicKeyHashOf,
} from "../../src/crypto/address.ts";
import { decodeBase58, encodeBase58 } from "../../src/crypto/base58.ts";
import { secureHash, sha256 } from "../../src/crypto/hash.ts";
import type { PublicKey } from "../../src/crypto/identities.ts";

const CHAIN_ID = "R".charCodeAt(0);
const ADDRESS = "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF";
const PUBLIC_KEY = decodeBase58("AXbaBkJNocyrVpwqTzD4TpUY8fQ6eeRto9k1m2bNCzXV") as Uint8Array as PublicKey;

/** A valid address with one byte changed. */
function changedAddress(offset: number, value: number): Uint8Array {
  return decodeBase58(ADDRESS).with(offset, value);
}

function withRightChecksum(address: Uint8Array): Uint8Array {
  address.set(secureHash(address.subarray(0, 22)).subarray(0, 4), 22);
  return address;
}

describe("an address", () => {
  it("is made of a public key and a chain id", () => {
    expect(addressText(addressOfPublicKey(PUBLIC_KEY, CHAIN_ID))).toBe(ADDRESS);
    expect(addressText(addressOfPublicKey(PUBLIC_KEY, CHAIN_ID))).toBe(ADDRESS);
    expect(addressText(addressOfPublicKey(PUBLIC_KEY, 0x57))).not.toBe(ADDRESS);
  });

  it("is the one that the client library makes, on every chain", () => {
    for (let chainId = 0; chainId < 256; chainId += 5) {
      const publicKey = sha256(Uint8Array.of(chainId)) as Uint8Array as PublicKey;
      const theirs = libs.crypto.address({ publicKey }, chainId);
      expect(addressText(addressOfPublicKey(publicKey, chainId))).toBe(theirs);
      expect(parseAddress(theirs, chainId)).toEqual(addressOfPublicKey(publicKey, chainId));
    }
  });

  it("holds the hash of its public key", () => {
    const address = addressOfPublicKey(PUBLIC_KEY, CHAIN_ID);
    expect(publicKeyHashOf(address)).toEqual(secureHash(PUBLIC_KEY).subarray(0, 20));
    expect(addressOfPublicKeyHash(publicKeyHashOf(address), CHAIN_ID)).toEqual(address);
  });
});

describe("parseAddress", () => {
  it("reads an address of the chain, and of any chain when none is named", () => {
    expect(parseAddress(ADDRESS, CHAIN_ID)).toEqual(decodeBase58(ADDRESS));
    expect(parseAddress(ADDRESS, undefined)).toEqual(decodeBase58(ADDRESS));
  });

  it("tells a wrong character from a wrong address", () => {
    expect(parseAddress("3M4qwDomRabJKLZxuXhwfqLApQkU592nWx0", CHAIN_ID)).toEqual({
      code: "base58WrongChar",
      char: "0",
      text: "3M4qwDomRabJKLZxuXhwfqLApQkU592nWx0",
    });
    expect(parseAddress("abc", CHAIN_ID)).toEqual({
      code: "addressSizeWrong",
      sizeBytes: 3,
      expectedSizeBytes: 26,
    });
    expect(parseAddress("", CHAIN_ID)).toMatchObject({ code: "addressSizeWrong", sizeBytes: 0 });
    expect(parseAddress(`1${ADDRESS}`, CHAIN_ID)).toMatchObject({ code: "addressSizeWrong", sizeBytes: 27 });
  });

  it("judges texts that are too long to be decoded", () => {
    expect(parseAddress("z".repeat(1000), CHAIN_ID)).toMatchObject({ code: "addressSizeWrong" });
    expect(parseAddress(`${"z".repeat(1000)}l`, CHAIN_ID)).toMatchObject({ code: "base58WrongChar", char: "l" });
  });

  it("names the version, the chain and the checksum, in this order", () => {
    expect(parseAddress(encodeBase58(changedAddress(0, 2)), CHAIN_ID)).toEqual({
      code: "addressVersionWrong",
      version: 2,
      expectedVersion: 1,
    });
    expect(parseAddress(encodeBase58(changedAddress(1, 0x57)), CHAIN_ID)).toEqual({
      code: "addressOfAnotherChain",
      chainId: 0x57,
      expectedChainId: CHAIN_ID,
    });
    expect(parseAddress(encodeBase58(withRightChecksum(changedAddress(1, 0x57))), undefined)).toBeInstanceOf(
      Uint8Array,
    );
    expect(parseAddress(encodeBase58(withRightChecksum(changedAddress(5, 1))), CHAIN_ID)).toBeInstanceOf(Uint8Array);
    const badChecksum = changedAddress(25, 0);
    expect(parseAddress(encodeBase58(badChecksum), CHAIN_ID)).toEqual({
      code: "addressChecksumWrong",
      checksum: badChecksum.slice(22),
      expectedChecksum: decodeBase58(ADDRESS).slice(22),
    });
  });

  it("asks for the chain also of addresses seen before", () => {
    expect(parseAddress(ADDRESS, undefined)).toBeInstanceOf(Uint8Array);
    expect(parseAddress(ADDRESS, 0x57)).toMatchObject({ code: "addressOfAnotherChain" });
  });
});

describe("parseAddressBytes", () => {
  it("keeps no view of the buffer it was given", () => {
    const block = new Uint8Array(1000);
    block.set(withRightChecksum(changedAddress(9, 99)), 500);
    const address = parseAddressBytes(block.subarray(500, 526), CHAIN_ID) as Uint8Array;
    expect(address.buffer.byteLength).toBe(26);
    block.fill(0);
    expect(address[9]).toBe(99);
  });
});
