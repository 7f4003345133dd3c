import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { publicKeyOf, sign, verify } from "../../src/crypto/curve25519.ts";
import { verifyExactly } from "../../src/crypto/curve25519-exact.ts";
import { clampedScalar } from "../../src/crypto/edwards25519.ts";
import type { PrivateKey } from "../../src/crypto/identities.ts";
import { variantsOfSignature } from "../support/builders/crafted-signatures.ts";

const bytes = (sizeBytes: number) => fc.uint8Array({ minLength: sizeBytes, maxLength: sizeBytes });
const privateKeys = bytes(32).map((seed) => clampedScalar(seed) as Uint8Array as PrivateKey);

/** Flips each of the given bits, by index in signature ‖ key. */
function flip(signature: Uint8Array, publicKey: Uint8Array, bits: readonly number[]): [Uint8Array, Uint8Array] {
  const joined = new Uint8Array([...signature, ...publicKey]);
  for (const bit of bits) joined[bit >> 3] = (joined[bit >> 3] as number) ^ (1 << (bit & 7));
  return [joined.subarray(0, 64), joined.subarray(64)];
}

describe("native and exact verification", () => {
  it("accept what was signed, and agree after any bits are flipped", () => {
    fc.assert(
      fc.property(
        privateKeys,
        fc.uint8Array({ maxLength: 300 }),
        bytes(64),
        fc.uniqueArray(fc.nat({ max: 96 * 8 - 1 }), { minLength: 1, maxLength: 4 }),
        (privateKey, message, random, bits) => {
          const publicKey = publicKeyOf(privateKey);
          const signature = sign(privateKey, message, random);
          expect(verify(signature, message, publicKey)).toBe(true);
          expect(verifyExactly(signature, message, publicKey)).toBe(true);
          const [badSignature, badKey] = flip(signature, publicKey, bits);
          const onlyKeyTopBit = bits.length === 1 && bits[0] === 96 * 8 - 1;
          expect(verify(badSignature, message, badKey)).toBe(onlyKeyTopBit);
          expect(verifyExactly(badSignature, message, badKey)).toBe(onlyKeyTopBit);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("agree on any bytes, of any size", () => {
    const sizes = fc.oneof(bytes(64), fc.uint8Array({ maxLength: 70 }));
    fc.assert(
      fc.property(
        sizes,
        fc.uint8Array({ maxLength: 40 }),
        fc.oneof(bytes(32), bytes(31)),
        (signature, message, key) => {
          expect(verify(signature, message, key)).toBe(verifyExactly(signature, message, key));
        },
      ),
      { numRuns: 300 },
    );
  });

  it("agree on crafted signatures of any key", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 900_000 }), (seed) => {
        for (const { name, publicKey, message, signature, valid } of variantsOfSignature(seed)) {
          expect(verify(signature, message, publicKey), name).toBe(valid);
          expect(verifyExactly(signature, message, publicKey), name).toBe(valid);
        }
      }),
      { numRuns: 20 },
    );
  });
});
