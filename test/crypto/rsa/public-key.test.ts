import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import type { RunStep } from "../../../src/crypto/long-step.ts";
import { parseRsaPublicKey } from "../../../src/crypto/rsa/public-key.ts";
import type { RsaPublicKey } from "../../../src/crypto/rsa/rsa-key.ts";
import { SeededRandom } from "../../../verification/chain-generator/seeded-random.ts";
import { tagged } from "../../../verification/fuzz/families/der-writer.ts";
import { keyBytes } from "../../../verification/fuzz/families/rsa-key-bytes.ts";
import { randomNumber, randomPrime } from "../../../verification/fuzz/families/rsa-keys.ts";

const random = new SeededRandom("public-key");
const exponent = 65_537n;
const [left, right] = [randomPrime(random, 256), randomPrime(random, 256)];
const key: RsaPublicKey = { modulus: left * right, exponent };

function unreadable(message: string) {
  return { kind: "unreadable", message };
}

function unsafe(message: string) {
  return { kind: "unsafe", message };
}

test("a key of the platform's own maker is read, and what follows it is not looked at", () => {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 1024 });
  const encoded = new Uint8Array(publicKey.export({ type: "spki", format: "der" }));
  const read = parseRsaPublicKey(encoded);
  expect(read).toMatchObject({ exponent });
  expect(parseRsaPublicKey(Uint8Array.of(...encoded, 1, 2))).toEqual(read);
  expect(parseRsaPublicKey(new Uint8Array(0))).toEqual(unreadable("Missing key encoding"));
  expect(parseRsaPublicKey(Uint8Array.of(1))).toEqual(unreadable("IOException: Short read of DER length"));
  expect(parseRsaPublicKey(new Uint8Array(32))).toEqual(unreadable("invalid key format"));
  expect(parseRsaPublicKey(encoded.subarray(0, -5))).toEqual(unreadable("IOException: null"));
  const bare = new Uint8Array(publicKey.export({ type: "pkcs1", format: "der" }));
  expect(parseRsaPublicKey(bare)).toEqual(unreadable("IOException: algid parse error, not a sequence"));
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
  ["b0800000", "IOException: Indefinite length encoding not supported"],
  ["0405", "IOException: null"],
  ["0400", "invalid key format"],
  ["3000", "IOException: Too short"],
  ["30020400", "IOException: algid parse error, not a sequence"],
  ["300304ff00", "IOException: Invalid lenByte"],
  ["30020405", "IOException: not enough content"],
  ["30021f00", "IOException: Tag number over 30 at 0 is not supported"],
  ["30020483", "IOException: Not enough length bytes"],
  ["3004300204ff", "IOException: Invalid lenByte"],
  ["300430020600", "IOException: ObjectIdentifier() -- Invalid DER encoding, not ended"],
  ["30063004060281ff", "IOException: ObjectIdentifier() -- Invalid DER encoding, not ended"],
  ["3006300406028001", "IOException: ObjectIdentifier() -- Invalid DER encoding, useless extra octet detected"],
  ["3009300706020101050100", "IOException: invalid NULL"],
  ["300a300406020101030101", "IOException: null"],
  ["3009300406020101030101", "IOException: Not enough bytes in BitString"],
  ["3009300406020101030108", "IOException: Invalid number of padding bits"],
  ["3009300406020101030100", "Too short"],
])("bytes %s are no key, for the reason that the reference's platform gives", (encoded, reason) => {
  expect(parseRsaPublicKey(new Uint8Array(Buffer.from(encoded, "hex")))).toEqual(unreadable(reason));
});

test.each([
  ["even exponent", { ...key, exponent: 65_536n }, "RSA publicExponent is even"],
  ["even modulus", { ...key, modulus: key.modulus - 1n }, "RSA modulus is even"],
  ["factor of 743", { ...key, modulus: 743n * randomPrime(random, 512) }, "RSA modulus has a small prime factor"],
  ["prime modulus", { ...key, modulus: randomPrime(random, 512) }, "RSA modulus is not composite"],
])("a key with an %s is refused by the verifier", (_, crafted, reason) => {
  expect(parseRsaPublicKey(keyBytes(crafted))).toEqual(unsafe(reason));
});

test("the smallest prime factor that a modulus may have is 751", () => {
  const crafted = { ...key, modulus: 751n * randomPrime(random, 512) };
  expect(parseRsaPublicKey(keyBytes(crafted))).toEqual(crafted);
});

test("a modulus of more bits than the platform's test takes in little time is tested step by step", () => {
  // 2^3217 - 1 is prime.
  const names: string[] = [];
  const run: RunStep = ({ name, compute }) => {
    names.push(name);
    return compute();
  };
  const prime = keyBytes({ ...key, modulus: 2n ** 3_217n - 1n });
  expect(parseRsaPublicKey(prime, run)).toEqual(unsafe("RSA modulus is not composite"));
  expect(names).toEqual(Array(64).fill("power"));
  const composite = { ...key, modulus: (2n ** 2_203n - 1n) * (2n ** 1_279n - 1n) };
  expect(parseRsaPublicKey(keyBytes(composite), run)).toEqual(composite);
  expect(names).toHaveLength(65);
});

test("a modulus longer than native tests of primes take is tested all the same", () => {
  // 2^9689 - 1 is prime.
  expect(parseRsaPublicKey(keyBytes({ ...key, modulus: 2n ** 9_689n - 1n }))).toEqual(
    unsafe("RSA modulus is not composite"),
  );
  const composite = { ...key, modulus: (2n ** 4_423n - 1n) * (2n ** 4_253n - 1n) };
  expect(parseRsaPublicKey(keyBytes(composite))).toEqual(composite);
});

test.each([
  ["unused bits", { unusedBits: 0 }],
  ["lengths told by marks", { forms: ["mark", "mark"] as const }],
  ["lengths in long form inside", { forms: ["shortest", "longer", "longer", "longer"] as const }],
  ["no parameters", { parameters: new Uint8Array(0) }],
  ["the identifier of X.500", { identifier: "2.5.8.1.1" }],
  ["the identifier of a signature", { identifier: "1.2.840.113549.1.1.11" }],
  ["zeros in front of its numbers", { integers: "zeroInFront" as const }],
])("a key with %s passes", (_, form) => {
  expect(parseRsaPublicKey(keyBytes(key, form))).toEqual(key);
});

test("unused bits are cleared", () => {
  // The last byte is the exponent's: 65,537 becomes 65,536.
  expect(parseRsaPublicKey(keyBytes(key, { unusedBits: 1 }))).toEqual(unsafe("RSA publicExponent is even"));
});

test("a modulus is as long as its last byte", () => {
  const modulus = randomPrime(random, 250) * randomPrime(random, 255);
  expect(modulus.toString(2).length).toBeLessThanOrEqual(511);
  expect(parseRsaPublicKey(keyBytes({ modulus, exponent }))).toEqual({ modulus, exponent });
});

test.each([
  ["its exponent is 1", { ...key, exponent: 1n }, {}],
  ["its exponent is the modulus", { ...key, exponent: key.modulus }, {}],
  ["its exponent is longer than the modulus", { ...key, exponent: 2n ** 600n + 1n }, {}],
  ["it is short", { modulus: randomPrime(random, 60) * randomPrime(random, 60), exponent }, {}],
  ["its algorithm is PSS", key, { identifier: "1.2.840.113549.1.1.10" }],
  ["its algorithm is OAEP", key, { identifier: "1.2.840.113549.1.1.7" }],
  ["its bits are in pieces", key, { isConstructed: true }],
  ["its algorithm has more than a key's", key, { parameters: tagged(0x30, tagged(0xa0, tagged(2, Uint8Array.of(1)))) }],
])("where the platform refuses a key because %s, the second provider takes it", (_, crafted, form) => {
  expect(parseRsaPublicKey(keyBytes(crafted, form))).toEqual(crafted);
});

test("a long exponent of a long modulus is taken by the second provider", () => {
  const crafted = { modulus: (2n ** 2_203n - 1n) * (2n ** 1_279n - 1n), exponent: 2n ** 64n + 1n };
  expect(parseRsaPublicKey(keyBytes(crafted))).toEqual(crafted);
});

test.each([
  ["exponent is smaller than 3", { ...key, exponent: 2n }, {}],
  ["exponent is larger than modulus", { ...key, exponent: key.modulus + 1n }, {}],
  ["RSA keys must be at least 512 bits long", { modulus: randomPrime(random, 504), exponent }, {}],
  ["RSA keys must be no longer than 16384 bits", { modulus: randomNumber(random, 16_385) | 1n, exponent }, {}],
  [
    "RSA exponents can be no longer than 64 bits  if modulus is greater than 3072 bits",
    { modulus: 3n * (2n ** 3_217n - 1n), exponent: 2n ** 64n + 1n },
    {},
  ],
  ["Unsupported algorithm EC", key, { identifier: "1.2.840.10045.2.1" }],
  ["Unsupported algorithm 1.2.3.4", key, { identifier: "1.2.3.4" }],
  ["Expected a RSA key, but got RSASSA-PSS", { ...key, exponent: 4n }, { identifier: "1.2.840.113549.1.1.10" }],
  ["excess key data", key, { extra: { inKey: Uint8Array.of(5, 0) } }],
  ["Extra data available", key, { extra: { inNumbers: Uint8Array.of(5, 0) } }],
  ["extra data at the end", key, { extra: { behindNumbers: Uint8Array.of(5) } }],
  ["Invalid encoding: zero length Int value", key, { integers: "empty" as const }],
  ["DerValue.getBigIntegerInternal, not expected 4", key, { integers: "otherTag" as const }],
])("where both refuse, the platform's reason is told: %s", (reason, crafted, form) => {
  expect(parseRsaPublicKey(keyBytes(crafted, form))).toEqual(unreadable(reason));
});

test("values nested without end are no key, and take no stack", () => {
  const deep = new Uint8Array(160_000);
  for (let at = 0; at < deep.length; at += 2) deep.set([0x30, 0x80], at);
  expect(parseRsaPublicKey(deep)).toMatchObject({ kind: "unreadable" });
});
