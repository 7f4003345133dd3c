import { libs } from "@waves/waves-transactions";
import { describe, expect, it } from "vitest";
import { publicKeyOf, sign, verify } from "../../src/crypto/curve25519.ts";
import { verifyExactly } from "../../src/crypto/curve25519-exact.ts";
import { clampedScalar, field, littleEndian, littleEndianBytes } from "../../src/crypto/edwards25519.ts";
import { sha256 } from "../../src/crypto/hash.ts";
import type { PrivateKey } from "../../src/crypto/identities.ts";
import { secureRandomBytes } from "../../src/crypto/random.ts";
import { keyPairOfAccountSeed } from "../../src/crypto/seed.ts";
import {
  type CraftedSignature,
  signaturesOfBasePoint,
  signaturesOfMixedOrder,
  signaturesOfWeakKeys,
  signaturesWithWeakNonces,
  variantsOfSignature,
} from "../support/builders/crafted-signatures.ts";
import { bytesOfHex, hexOf } from "../support/fixtures/hex.ts";

/** Made by curve25519-java 0.6.6 (Java) over "", "message" and "another message", each with 64 equal random bytes. */
const REFERENCE_SIGNATURES = [
  "0929f48e4d88d3437d20a547478aa27c81394b3555740e4a02b0761e99b42206" +
    "8c5e97852a67c47dbdd923696ca71884faf921b8e34f42150c7c7b014102858e",
  "6cefefe5259e7d2b937e584fee299784c580765cb824d5ceb4e5f1edf44e05df" +
    "fb75f8e89a867d9dcef8b3095bb8e83a3489ff77872bcbfee719946db7f6358b",
  "59c11545828e33e563c16e0a92041b17f8f61fc2fc0b946e003b79309dd83146" +
    "a6d8184f8a3b2447cc674f0bd154d90d77f8c71a96611132086704de527e628e",
];

const text = (value: string) => new TextEncoder().encode(value);

/** Checks both ways of verifying. @returns number of valid signatures */
function expectVerdicts(signatures: Iterable<CraftedSignature>): { valid: number; invalid: number } {
  const count = { valid: 0, invalid: 0 };
  for (const { name, publicKey, message, signature, valid } of signatures) {
    expect(verify(signature, message, publicKey), `natively: ${name}`).toBe(valid);
    expect(verifyExactly(signature, message, publicKey), `exactly: ${name}`).toBe(valid);
    count[valid ? "valid" : "invalid"]++;
  }
  return count;
}

describe("curve25519 signatures", () => {
  it("are those of the reference's library, given the same random bytes", () => {
    const privateKey = keyPairOfAccountSeed(text("curve25519")).privateKey;
    const signed = ["", "message", "another message"].map((message, index) =>
      hexOf(sign(privateKey, text(message), new Uint8Array(64).fill(index))),
    );
    expect(signed).toEqual(REFERENCE_SIGNATURES);
  });

  it("are deterministic only when the random bytes are given", () => {
    const { privateKey, publicKey } = keyPairOfAccountSeed(text("random"));
    const [first, second] = [
      sign(privateKey, text("message"), secureRandomBytes(64)),
      sign(privateKey, text("message"), secureRandomBytes(64)),
    ];
    expect(first).not.toEqual(second);
    expect(verify(first, text("message"), publicKey) && verify(second, text("message"), publicKey)).toBe(true);
  });

  it("are those of the key as it is when they are made, whatever its bytes were before", () => {
    const other = keyPairOfAccountSeed(text("another key"));
    const privateKey = keyPairOfAccountSeed(text("overwritten")).privateKey.slice() as PrivateKey;
    sign(privateKey, text("message"), secureRandomBytes(64));
    privateKey.set(other.privateKey);
    expect(verify(sign(privateKey, text("message"), secureRandomBytes(64)), text("message"), other.publicKey)).toBe(
      true,
    );
  });

  it("of other sizes of keys or random bytes are not made", () => {
    const { privateKey } = keyPairOfAccountSeed(text("sizes"));
    expect(() => sign(privateKey.subarray(1) as PrivateKey, text(""), secureRandomBytes(64))).toThrow(
      "a private key has 32 bytes, not 31",
    );
    expect(() => sign(privateKey, text(""), new Uint8Array(32))).toThrow("takes 64 random bytes, not 32");
  });

  it("verify on both sides with the client library", () => {
    for (let index = 0; index < 20; index++) {
      const { privateKey, publicKey } = keyPairOfAccountSeed(text(`account ${index}`));
      const message = text("m".repeat(index * 13));
      const theirs = libs.crypto.base58Decode(libs.crypto.signBytes({ privateKey }, message));
      expect(verify(theirs, message, publicKey)).toBe(true);
      expect(verify(theirs, text("other"), publicKey)).toBe(false);
      expect(libs.crypto.verifySignature(publicKey, message, sign(privateKey, message, secureRandomBytes(64)))).toBe(
        true,
      );
    }
  });

  // RFC 8032, 7.1, tests 1 to 3, with the keys in Montgomery form.
  it.each([
    [
      "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
      "",
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155" +
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ],
    [
      "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
      "72",
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da" +
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ],
    [
      "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
      "af82",
      "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac" +
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ],
  ])("accept the Ed25519 vector of key %s, its sign moved into the signature", (key, message, signature) => {
    const encodedKey = bytesOfHex(key);
    const signBit = (encodedKey[31] as number) & 0x80;
    const y = littleEndian(encodedKey.with(31, (encodedKey[31] as number) & 0x7f));
    const publicKey = littleEndianBytes(field.div(field.add(1n, y), field.sub(1n, y)));
    const moved = bytesOfHex(signature);
    moved[63] = (moved[63] as number) | signBit;
    expect(verify(moved, bytesOfHex(message), publicKey)).toBe(true);
    expect(verifyExactly(moved, bytesOfHex(message), publicKey)).toBe(true);
    expect(verify(moved, bytesOfHex(`${message}00`), publicKey)).toBe(false);
  });

  it("verify over messages of a megabyte and of no bytes", () => {
    const { privateKey, publicKey } = keyPairOfAccountSeed(text("sizes"));
    for (const message of [new Uint8Array(0), new Uint8Array(1 << 20).fill(7)]) {
      const signature = sign(privateKey, message, secureRandomBytes(64));
      expect(verify(signature, message, publicKey)).toBe(true);
      expect(verifyExactly(signature, message, publicKey)).toBe(true);
    }
  });
});

describe("verification, native and exact", () => {
  it("accepts every form of a signature that the network accepts, and no other", () => {
    for (let seed = 1; seed <= 40; seed++) expect(expectVerdicts(variantsOfSignature(seed)).valid).toBe(3);
  });

  it("takes keys of small order for what they are", () => {
    const { valid, invalid } = expectVerdicts(signaturesOfWeakKeys());
    expect(valid).toBeGreaterThan(50);
    expect(invalid).toBeGreaterThan(50);
  });

  it("leaves the cofactor out", () => {
    const { valid, invalid } = expectVerdicts(signaturesOfMixedOrder());
    expect(valid).toBeGreaterThan(10);
    expect(invalid).toBeGreaterThan(50);
  });

  it("reads a key in all its encodings", () => {
    expect(expectVerdicts(signaturesOfBasePoint())).toEqual({ valid: 8, invalid: 0 });
  });

  it("compares R as bytes", () => {
    const { valid, invalid } = expectVerdicts(signaturesWithWeakNonces());
    expect(valid).toBeGreaterThan(0);
    expect(invalid).toBeGreaterThan(50);
  });

  it("refuses keys that are no point of the curve", () => {
    let offCurve = 0;
    for (let u = 2n; u < 60n; u++) {
      const publicKey = littleEndianBytes(u);
      const signature = sha256(publicKey);
      const noise = new Uint8Array([...signature, ...signature.with(31, 0)]);
      expect(verify(noise, publicKey, publicKey)).toBe(false);
      expect(verifyExactly(noise, publicKey, publicKey)).toBe(false);
      const rightSide = field.add(field.add(field.pow(u, 3n), field.mul(486662n, field.sqr(u))), u);
      if (field.pow(rightSide, (field.ORDER - 1n) / 2n) !== 1n) offCurve++;
    }
    expect(offCurve).toBeGreaterThan(10);
  });
});

describe("publicKeyOf", () => {
  // RFC 7748, 6.1.
  it.each([
    [
      "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
      "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a",
    ],
    [
      "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb",
      "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f",
    ],
  ])("clamps %s and multiplies the base point with it", (privateKey, publicKey) => {
    expect(hexOf(publicKeyOf(bytesOfHex(privateKey) as Uint8Array as PrivateKey))).toBe(publicKey);
    expect(hexOf(publicKeyOf(clampedScalar(bytesOfHex(privateKey)) as Uint8Array as PrivateKey))).toBe(publicKey);
  });
});
