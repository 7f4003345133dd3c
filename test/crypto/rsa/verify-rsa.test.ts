import { generateKeyPairSync, sign } from "node:crypto";
import { expect, test } from "vitest";
import { bytesOfInteger, integerOfBytes } from "../../../src/crypto/big-endian.ts";
import { concatBytes } from "../../../src/crypto/bytes.ts";
import { parseRsaPublicKey } from "../../../src/crypto/rsa/public-key.ts";
import type { RsaPublicKey } from "../../../src/crypto/rsa/rsa-key.ts";
import { digestInfo, OutOfBounds, type RsaDigest, verifyRsa } from "../../../src/crypto/rsa/verify-rsa.ts";
import { SeededRandom } from "../../../verification/chain-generator/seeded-random.ts";
import { randomPrime } from "../../../verification/fuzz/families/rsa-keys.ts";

const message = new TextEncoder().encode("message");
const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 1024 });
const encoded = new Uint8Array(publicKey.export({ type: "spki", format: "der" }));
const key = parseRsaPublicKey(encoded) as RsaPublicKey;
const digests: Readonly<Record<Exclude<RsaDigest, "none">, string>> = {
  md5: "md5",
  sha1: "sha1",
  sha224: "sha224",
  sha256: "sha256",
  sha384: "sha384",
  sha512: "sha512",
  sha3_224: "sha3-224",
  sha3_256: "sha3-256",
  sha3_384: "sha3-384",
  sha3_512: "sha3-512",
};

test("signatures under every digest are verified, and under no other", () => {
  for (const [digest, name] of Object.entries(digests)) {
    const signature = new Uint8Array(sign(name, message, privateKey));
    for (const other of Object.keys(digests) as (keyof typeof digests)[]) {
      expect(verifyRsa(other, message, signature, key)).toBe(other === digest);
    }
  }
});

test("a changed, cut or padded signature is none", () => {
  const signature = new Uint8Array(sign("sha256", message, privateKey));
  const changed = signature.slice();
  changed[5] = (changed[5] as number) ^ 1;
  for (const wrong of [
    changed,
    signature.subarray(0, -1),
    Uint8Array.of(0, ...signature),
    new Uint8Array(128).fill(255),
  ]) {
    expect(verifyRsa("sha256", message, wrong, key)).toBe(false);
  }
});

/** With exponent 1, the signature is the padded block itself. */
const random = new SeededRandom("verify-rsa");
const plainKey: RsaPublicKey = { modulus: randomPrime(random, 256) * randomPrime(random, 256), exponent: 1n };
const sizeBytes = 64;

function block(content: Uint8Array, paddingBytes = sizeBytes - 3 - content.length): Uint8Array {
  return concatBytes(Uint8Array.of(0, 1), new Uint8Array(paddingBytes).fill(255), Uint8Array.of(0), content);
}

test("a signature passes with its zeros in front left off", () => {
  const signature = block(message);
  expect(verifyRsa("none", message, signature, plainKey)).toBe(true);
  expect(verifyRsa("none", message, signature.subarray(1), plainKey)).toBe(true);
  expect(verifyRsa("none", message, Uint8Array.of(0, ...signature), plainKey)).toBe(false);
  expect(integerOfBytes(signature)).toBe(integerOfBytes(signature.subarray(1)));
});

test("a padding has at least eight bytes, a block the size of the modulus", () => {
  const long = new Uint8Array(sizeBytes - 11).fill(7);
  expect(verifyRsa("none", long, block(long), plainKey)).toBe(true);
  const longer = new Uint8Array(sizeBytes - 10).fill(7);
  expect(verifyRsa("none", longer, block(longer), plainKey)).toBe(false);
  expect(verifyRsa("none", message, block(message, 20), plainKey)).toBe(false);
});

test("the digest's parameters may be missing, even of a DigestInfo that is the message itself", () => {
  const info = digestInfo("md5", message);
  const nullAt = info.findIndex((byte, index) => byte === 5 && info[index + 1] === 0);
  const shorter = concatBytes(info.subarray(0, nullAt), info.subarray(nullAt + 2));
  for (const at of [1, 3]) shorter[at] = (shorter[at] as number) - 2;
  expect(verifyRsa("md5", message, block(info), plainKey)).toBe(true);
  expect(verifyRsa("md5", message, block(shorter), plainKey)).toBe(true);
  expect(verifyRsa("none", info, block(shorter), plainKey)).toBe(true);
  expect(verifyRsa("none", shorter, block(shorter), plainKey)).toBe(true);
  expect(verifyRsa("none", shorter, block(info), plainKey)).toBe(false);
});

test.each([
  [[1, 2], [], "Index 3 out of bounds for length 2"],
  [[1, 2, 3, 4, 5], [1, 2, 3], "Index 3 out of bounds for length 3"],
  [[1, 2, 3, 4, 5, 6], [1, 2, 3, 4], "Index 4 out of bounds for length 4"],
  [[1, 2, 3, 0, 5, 6], [1, 2, 3, 4], undefined],
  [[1, 2, 3, 130, 5, 6], [1, 2, 3, 4], "Index -124 out of bounds for length 4"],
  [[1, 2, 3, 200, 5, 6], [1, 2, 3, 4], "Index -54 out of bounds for length 4"],
])("a message %j that is no DigestInfo is read as one where the block is two bytes shorter", (text, content, error) => {
  const verify = () => verifyRsa("none", Uint8Array.from(text), block(Uint8Array.from(content)), plainKey);
  if (error === undefined) expect(verify()).toBe(false);
  else expect(verify).toThrow(new OutOfBounds(error));
});

test("a number from the modulus on is no signature", () => {
  const tooLarge = bytesOfInteger(plainKey.modulus + 1n, sizeBytes);
  expect(verifyRsa("none", message, tooLarge, plainKey)).toBe(false);
});
