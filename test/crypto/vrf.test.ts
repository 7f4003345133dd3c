import { describe, expect, it } from "vitest";
import { publicKeyOf } from "../../src/crypto/curve25519.ts";
import { field, GROUP_ORDER, littleEndian, littleEndianBytes, Point } from "../../src/crypto/edwards25519.ts";
import type { PrivateKey } from "../../src/crypto/identities.ts";
import { secureRandomBytes } from "../../src/crypto/random.ts";
import { keyPairOfAccountSeed } from "../../src/crypto/seed.ts";
import { VRF_PROOF_BYTES, vrfDraw, vrfVerify } from "../../src/crypto/vrf.ts";
import { bytesOfHex, hexOf } from "../support/fixtures/hex.ts";

const text = (value: string) => new TextEncoder().encode(value);

/** docs/protocol/consensus-and-finality.md 1.2 */
const SPEC_PRIVATE_KEY = bytesOfHex(
  "38611D253BEA85A203805343B74A936D3B13B9E3121453E9740B6B827E337E5D",
) as Uint8Array as PrivateKey;
const SPEC_MESSAGE = bytesOfHex("5468697320697320756E697175652E");
const SPEC_PROOF = bytesOfHex(
  "5D501685D744424DE3EF5CA49ECDDD880FA7421C975CDF94BAE48CA16EC08997" +
    "37721200EED1A8B0D2D6852826A1EAB78B0DF27F35B3F3E89C96E7AE3DAAA30F" +
    "037297547886E554AFFC81DE54B575768FB30493C537ECDD5A87577DEB7D8E03",
);
const SPEC_OUTPUT = "45dc7b816b01b36cfa1645dcae8ac9bc8e523cd86d007d19953f03e7d54554a0";

/** Made by curve25519-java 0.6.6, for the account seed "vrf". */
const REFERENCE_PROOFS = [
  {
    message: "",
    randomByte: 1,
    proof:
      "3205743ebb6d474c6accff14573bfa6d9d7230ddbf5cee0e75049d6fabc4bf23" +
      "301e019fbe4ee9e67891a7aa54e46f17717adeac36b9765e8939dae338bf480f" +
      "96ecabe304ef19d8bef49f7815425f6e02bd4627c5b7de897a321be5d4877505",
    output: "d0bab0ddb14074d482d1018c2a2063c9aaa130eec6dbfa65d72e7a50bc7a2ecd",
  },
  {
    message: "hit source",
    randomByte: 2,
    proof:
      "ec10c66e33b17709bec162f2f57e8b1c89afdb32575e7152fcda39c091e9ec28" +
      "5432694f115f8ae4a1e7ffa145c3338bb27e48a3d7f178286f086cf82072a203" +
      "4a47873a4ffed76d0265863d935faaaeaf84d3466475d63837592b03a40b420f",
    output: "acd7ead3280d7c2da495ba676f0b8521ab880c7a231e7194c273ec80114664fd",
  },
];

describe("vrfDraw", () => {
  it("makes the proof of the specification", () => {
    expect(vrfDraw(SPEC_PRIVATE_KEY, SPEC_MESSAGE).prove(new Uint8Array(32))).toEqual(SPEC_PROOF);
  });

  it.each(REFERENCE_PROOFS)("makes the reference's proof for '$message'", ({ message, randomByte, proof }) => {
    const { privateKey } = keyPairOfAccountSeed(text("vrf"));
    expect(hexOf(vrfDraw(privateKey, text(message)).prove(new Uint8Array(32).fill(randomByte)))).toBe(proof);
  });

  it("draws what its proofs stand for, without any", () => {
    expect(hexOf(vrfDraw(SPEC_PRIVATE_KEY, SPEC_MESSAGE).output)).toBe(SPEC_OUTPUT);
    const { privateKey } = keyPairOfAccountSeed(text("vrf"));
    for (const { message, output } of REFERENCE_PROOFS)
      expect(hexOf(vrfDraw(privateKey, text(message)).output)).toBe(output);
  });

  it("makes another proof for the same output each time", () => {
    const { privateKey, publicKey } = keyPairOfAccountSeed(text("vrf"));
    const { prove, output } = vrfDraw(privateKey, text("message"));
    const [first, second] = [prove(secureRandomBytes(32)), prove(secureRandomBytes(32))];
    expect(first).not.toEqual(second);
    for (const proof of [first, second]) expect(vrfVerify(publicKey, text("message"), proof)).toEqual(output);
  });

  it("refuses keys, random bytes and messages of wrong sizes", () => {
    const { privateKey } = keyPairOfAccountSeed(text("vrf"));
    expect(() => vrfDraw(privateKey.subarray(1) as PrivateKey, text(""))).toThrow(RangeError);
    expect(() => vrfDraw(privateKey, text("")).prove(new Uint8Array(64))).toThrow("takes 32 random bytes, not 64");
    expect(() => vrfDraw(privateKey, new Uint8Array(1024 * 1024 + 1))).toThrow("at most 1048576 bytes");
  });
});

describe("vrfVerify", () => {
  it("gives the output of the specification", () => {
    const output = vrfVerify(publicKeyOf(SPEC_PRIVATE_KEY), SPEC_MESSAGE, SPEC_PROOF);
    expect(output && hexOf(output)).toBe(SPEC_OUTPUT);
  });

  it.each(REFERENCE_PROOFS)("gives the reference's output for '$message'", ({ message, proof, output }) => {
    const { publicKey } = keyPairOfAccountSeed(text("vrf"));
    const verified = vrfVerify(publicKey, text(message), bytesOfHex(proof));
    expect(verified && hexOf(verified)).toBe(output);
  });

  it("gives the same output each time, to each caller as bytes of its own", () => {
    const publicKey = publicKeyOf(SPEC_PRIVATE_KEY);
    for (let time = 0; time < 3; time++) {
      const output = vrfVerify(publicKey, SPEC_MESSAGE, SPEC_PROOF);
      expect(output && hexOf(output)).toBe(SPEC_OUTPUT);
      output?.fill(0);
    }
  });

  it("accepts what was proved, for keys of either sign", () => {
    for (let index = 0; index < 12; index++) {
      const { privateKey, publicKey } = keyPairOfAccountSeed(text(`account ${index}`));
      const message = text(`message ${index}`);
      const { prove, output } = vrfDraw(privateKey, message);
      expect(vrfVerify(publicKey, message, prove(secureRandomBytes(32)))).toEqual(output);
    }
  });

  it("refuses a proof with any byte changed", () => {
    const publicKey = publicKeyOf(SPEC_PRIVATE_KEY);
    for (let offset = 0; offset < VRF_PROOF_BYTES; offset++) {
      const changed = SPEC_PROOF.with(offset, (SPEC_PROOF[offset] as number) ^ (1 << (offset % 8)));
      expect(vrfVerify(publicKey, SPEC_MESSAGE, changed), `byte ${offset}`).toBeUndefined();
    }
  });

  it("refuses another message, another key, other sizes", () => {
    const publicKey = publicKeyOf(SPEC_PRIVATE_KEY);
    expect(vrfVerify(publicKey, text("This is unique!"), SPEC_PROOF)).toBeUndefined();
    expect(vrfVerify(keyPairOfAccountSeed(text("vrf")).publicKey, SPEC_MESSAGE, SPEC_PROOF)).toBeUndefined();
    expect(vrfVerify(publicKey.subarray(1), SPEC_MESSAGE, SPEC_PROOF)).toBeUndefined();
    expect(vrfVerify(publicKey, SPEC_MESSAGE, SPEC_PROOF.subarray(1))).toBeUndefined();
    expect(vrfVerify(publicKey, SPEC_MESSAGE, new Uint8Array(0))).toBeUndefined();
    expect(vrfVerify(publicKey, new Uint8Array(1024 * 1024 + 1), SPEC_PROOF)).toBeUndefined();
  });

  it("refuses second encodings of the scalars and of the key", () => {
    const publicKey = publicKeyOf(SPEC_PRIVATE_KEY);
    for (const offset of [32, 64]) {
      const unreduced = SPEC_PROOF.slice();
      unreduced.set(littleEndianBytes(littleEndian(SPEC_PROOF.subarray(offset, offset + 32)) + GROUP_ORDER), offset);
      expect(vrfVerify(publicKey, SPEC_MESSAGE, unreduced)).toBeUndefined();
    }
    expect(vrfVerify(publicKey.with(31, (publicKey[31] as number) | 0x80), SPEC_MESSAGE, SPEC_PROOF)).toBeUndefined();
  });

  it("refuses a value of small order, and one that is not reduced", () => {
    const publicKey = publicKeyOf(SPEC_PRIVATE_KEY);
    for (const encoding of [0n, 1n, field.ORDER - 1n, field.ORDER, field.ORDER + 1n, field.ORDER + 3n]) {
      const forged = SPEC_PROOF.slice();
      forged.set(littleEndianBytes(encoding));
      expect(vrfVerify(publicKey, SPEC_MESSAGE, forged)).toBeUndefined();
    }
  });

  it("refuses keys of small order and keys that are no point", () => {
    const forged = SPEC_PROOF.slice();
    forged.set(Point.BASE.toBytes());
    for (let u = 0n; u < 20n; u++) {
      expect(vrfVerify(littleEndianBytes(u), SPEC_MESSAGE, forged)).toBeUndefined();
      expect(vrfVerify(littleEndianBytes(field.ORDER - u), SPEC_MESSAGE, forged)).toBeUndefined();
    }
  });
});
