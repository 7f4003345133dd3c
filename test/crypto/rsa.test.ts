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

test.each([
  ["", "Missing key encoding"],
  ["30", "IOException: Short read of DER length"],
  ["1f01", "IOException: Tag number over 30 is not supported"],
  ["04dd", "IOException: DerInputStream.getLength(): lengthTag=93, too big."],
  ["048300", "IOException: DerInputStream.getLength(): Redundant length bytes found"],
  ["0484ff000000", "IOException: DerInputStream.getLength(): Invalid length bytes"],
  ["04817f", "IOException: DerInputStream.getLength(): Should use short form for length"],
  ["0480", "IOException: Indefinite length encoding not supported with non-constructed data"],
  ["3080d0", "IOException: not enough data to resolve indef len BER"],
  ["3080d5ff", "IOException: Too much data"],
  ["0405", "IOException: null"],
  ["0400", "invalid key format"],
  ["3000", "IOException: Too short"],
  ["30020400", "IOException: algid parse error, not a sequence"],
  ["300304ff00", "IOException: Invalid lenByte"],
  ["30020405", "IOException: not enough content"],
  ["30021f00", "IOException: Tag number over 30 at 0 is not supported"],
  ["30020483", "IOException: Not enough length bytes"],
  ["3004300204ff", "IOException: Invalid lenByte"],
])("bytes %s are no key, for the reason that the reference's platform gives", (encoded, reason) => {
  expect(parseRsaPublicKey(new Uint8Array(Buffer.from(encoded, "hex")))).toBe(reason);
});
