import { describe, expect, it } from "vitest";
import { blake2b256, keccak256, secureHash, sha256, sha512 } from "../../src/crypto/hash.ts";
import { hexOf } from "../support/fixtures/hex.ts";

const text = (value: string) => new TextEncoder().encode(value);

describe("hash functions", () => {
  it("keccak256 pads as before FIPS 202", () => {
    expect(hexOf(keccak256(text("")))).toBe("c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
    expect(hexOf(keccak256(text("abc")))).toBe("4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45");
  });

  it("secureHash is keccak256 of blake2b256", () => {
    expect(secureHash(text("waves"))).toEqual(keccak256(blake2b256(text("waves"))));
  });

  it("sha256 and sha512 give the digests of FIPS 180-4", () => {
    expect(hexOf(sha256(text("abc")))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(hexOf(sha512(text("a"), text(""), text("bc")))).toBe(
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a" +
        "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
    );
  });

  it("sha256 of a million letters a, which takes the native way, is the one of FIPS 180-4", () => {
    expect(hexOf(sha256(new Uint8Array(1_000_000).fill(0x61)))).toBe(
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
    );
  });
});
