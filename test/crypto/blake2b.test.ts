import { blake2b } from "@noble/hashes/blake2.js";
import { describe, expect, it } from "vitest";
import { blake2b256Bytes } from "../../src/crypto/blake2b.ts";
import { hexOf } from "../support/fixtures/hex.ts";

/** 0, 1, 2, … modulo 251, so that no two blocks of the hash function are equal. */
function counting(sizeBytes: number): Uint8Array {
  return Uint8Array.from({ length: sizeBytes }, (_, index) => index % 251);
}

describe("blake2b256Bytes", () => {
  it("gives the published digests", () => {
    const digestOf = (text: string) => hexOf(blake2b256Bytes(new TextEncoder().encode(text)));
    expect(digestOf("")).toBe("0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
    expect(digestOf("abc")).toBe("bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
  });

  it("agrees with @noble/hashes on every size up to four blocks", () => {
    for (let sizeBytes = 0; sizeBytes <= 512; sizeBytes++) {
      const message = counting(sizeBytes);
      expect(hexOf(blake2b256Bytes(message)), `${sizeBytes} bytes`).toBe(hexOf(blake2b(message, { dkLen: 32 })));
    }
  });

  it("hashes views of larger buffers, and leaves earlier digests alone", () => {
    const buffer = counting(4096);
    const first = blake2b256Bytes(buffer.subarray(1, 1000));
    const before = hexOf(first);
    blake2b256Bytes(buffer.subarray(7));
    expect(hexOf(first)).toBe(before);
    expect(before).toBe(hexOf(blake2b(buffer.slice(1, 1000), { dkLen: 32 })));
  });
});
