import { generateKeyPairSync, sign } from "node:crypto";
import { expect, test } from "vitest";
import { parseRsaPublicKey, type RsaDigest, type RsaPublicKey, verifyRsa } from "../../src/crypto/rsa.ts";

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
  for (const wrong of [changed, signature.subarray(1), Uint8Array.of(0, ...signature), new Uint8Array(128).fill(255)]) {
    expect(verifyRsa("sha256", message, wrong, key)).toBe(false);
  }
});

test("what follows a key is not looked at, what is no key is refused in the reference's words", () => {
  expect(parseRsaPublicKey(Uint8Array.of(...encoded, 1, 2))).toEqual(key);
  expect(parseRsaPublicKey(new Uint8Array(0))).toBe("Missing key encoding");
  expect(parseRsaPublicKey(Uint8Array.of(1))).toBe("IOException: Short read of DER length");
  expect(parseRsaPublicKey(new Uint8Array(32))).toBe("invalid key format");
  expect(parseRsaPublicKey(encoded.subarray(0, -5))).toBe("IOException: null");
  const bare = new Uint8Array(publicKey.export({ type: "pkcs1", format: "der" }));
  expect(parseRsaPublicKey(bare)).toBe("IOException: algid parse error, not a sequence");
});
