import { p256, p384, p521 } from "@noble/curves/nist.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { expect, test } from "vitest";
import { integerOfBytes } from "../../src/crypto/big-endian.ts";
import { verifyOnCurve } from "../../src/crypto/nist-curves.ts";

const message = new Uint8Array(40).fill(5);

test.each([
  ["p256", p256],
  ["p384", p384],
  ["p521", p521],
] as const)("the runtime verifies signatures on %s", (name, curve) => {
  for (let seed = 1; seed <= 20; seed++) {
    const secret = new Uint8Array(curve.lengths.secretKey as number).fill(0);
    secret[secret.length - 1] = seed;
    const signature = curve.sign(sha256(message), secret, { prehash: false, lowS: false });
    const half = signature.length / 2;
    const numbers = { r: integerOfBytes(signature.subarray(0, half)), s: integerOfBytes(signature.subarray(half)) };
    const point = curve.getPublicKey(secret, false).subarray(1);
    expect(verifyOnCurve(name, "sha256", message, numbers, point)).toBe(true);
    expect(verifyOnCurve(name, "sha384", message, numbers, point)).toBe(false);
    expect(verifyOnCurve(name, "sha256", message, { ...numbers, s: numbers.s - 1n }, point)).toBe(false);
  }
  const point = curve.getPublicKey(new Uint8Array(curve.lengths.secretKey as number).fill(1), false).subarray(1);
  for (const digest of ["sha1", "sha224", "sha384", "sha512"] as const) {
    expect(verifyOnCurve(name, digest, message, { r: 1n, s: 1n }, point)).toBe(false);
  }
});
