import { blake2b } from "@noble/hashes/blake2.js";
import fc from "fast-check";
import { expect, it } from "vitest";
import { blake2b256Bytes } from "../../src/crypto/blake2b.ts";

it("blake2b256Bytes equals @noble/hashes on any bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), (message) => {
      expect(blake2b256Bytes(message)).toEqual(blake2b(message, { dkLen: 32 }));
    }),
    { numRuns: 500 },
  );
});
