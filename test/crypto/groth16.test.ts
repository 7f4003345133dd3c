import { bls12_381 } from "@noble/curves/bls12-381.js";
import { bn254 } from "@noble/curves/bn254.js";
import { describe, expect, it } from "vitest";
import { bytesOfInteger } from "../../src/crypto/big-endian.ts";
import { concatBytes } from "../../src/crypto/bytes.ts";
import { type Groth16Curve, verifyGroth16 } from "../../src/crypto/groth16.ts";
import {
  type GeneratedProof,
  makeCancelledProof,
  makeProof,
  point2,
} from "../../verification/fuzz/families/groth16-proofs.ts";

const curves = { "bls12-381": bls12_381, bn254 } as const;

function orderOf(name: Groth16Curve): bigint {
  return curves[name].fields.Fr.ORDER;
}

function verify(name: Groth16Curve, { key, proof, inputs }: GeneratedProof): boolean {
  return verifyGroth16(name, key, proof, inputs);
}

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  const other = bytes.slice();
  other[at] = (other[at] ?? 0) ^ 1;
  return other;
}

describe.each(["bls12-381", "bn254"] as const)("verifyGroth16 on %s", (name) => {
  const crafted = makeProof(name, [3n, 4n]);

  it("takes a proof that holds, with any number of inputs up to 16", () => {
    for (const inputs of [[], [0n], [orderOf(name) - 1n], Array.from({ length: 16 }, (_, index) => BigInt(index))]) {
      expect(verify(name, makeProof(name, inputs))).toBe(true);
    }
  });

  it("refuses other inputs, another proof and another key", () => {
    expect(verify(name, { ...crafted, inputs: flipped(crafted.inputs, 31) })).toBe(false);
    expect(verify(name, { ...crafted, proof: flipped(crafted.proof, crafted.proof.length - 1) })).toBe(false);
    expect(verify(name, { ...crafted, key: flipped(crafted.key, crafted.key.length - 1) })).toBe(false);
    expect(verify(name, { ...crafted, proof: makeProof(name, [3n, 5n]).proof })).toBe(false);
  });

  it("refuses an input that is not below the order of the group", () => {
    expect(verify(name, makeProof(name, [3n + orderOf(name)]))).toBe(false);
  });

  // The equation holds for each of them, but the reference does not accept such a point.
  it("refuses the point at infinity in a proof and in a key", () => {
    const exponents = [{ a: 0n }, { b: 0n }, { alpha: 0n }, { beta: 0n }, { gamma: 0n }, { sums: [0n, 29n] }];
    for (const choice of exponents) expect(verify(name, makeProof(name, [3n], choice))).toBe(false);
  });

  it("takes inputs whose points add up to infinity", () => {
    expect(verify(name, makeProof(name, [3n], { sums: [orderOf(name) - 87n, 29n] }))).toBe(true);
  });

  it("refuses marks that are not those of a compressed point", () => {
    for (const mark of [0x20, 0x40, 0x80]) {
      const proof = crafted.proof.slice();
      proof[0] = (proof[0] ?? 0) ^ mark;
      expect(verify(name, { ...crafted, proof })).toBe(false);
    }
  });

  it("refuses coordinates outside of the field and points outside of the group", () => {
    const proof = crafted.proof.slice().fill(0xff, 1, 10);
    expect(verify(name, { ...crafted, proof })).toBe(false);
    for (let last = 0; last < 8; last++) {
      const other = crafted.proof.slice();
      other[crafted.proof.length / 4 + crafted.proof.length / 2 - 1] = last;
      expect(verify(name, { ...crafted, proof: other })).toBe(false);
    }
  });
});

/** Encoded coordinates in the second group of BN254: of a point outside the group, and of no point. */
const [outside, nowhere] = [3n, 5n].map((x) => concatBytes(new Uint8Array(32), bytesOfInteger(x, 32))) as [
  Uint8Array,
  Uint8Array,
];

describe("points of a key in the second group", () => {
  it("hold in BN254 whether they are of the group, of the curve or of none", () => {
    for (const point of [point2("bn254", 13n), outside, nowhere]) {
      expect(verify("bn254", makeCancelledProof("bn254", point))).toBe(true);
      const larger = point.slice();
      larger[0] = (larger[0] ?? 0) ^ 0x80;
      expect(verify("bn254", makeCancelledProof("bn254", larger))).toBe(true);
    }
  });

  it("are checked in BLS12-381", () => {
    const crafted = makeCancelledProof("bls12-381", point2("bls12-381", 13n));
    expect(verify("bls12-381", crafted)).toBe(true);
    for (let last = 0; last < 8; last++) {
      const other = point2("bls12-381", 13n);
      other[95] = last;
      expect(verify("bls12-381", makeCancelledProof("bls12-381", other))).toBe(false);
    }
  });

  it("are not looked at where the points of the inputs add up to infinity", () => {
    const crafted = makeProof("bn254", [1n], { sums: [23n, orderOf("bn254") - 23n] });
    for (const point of [outside, nowhere, new Uint8Array(64)]) {
      const key = crafted.key.slice();
      key.set(point, 3 * 32);
      expect(verify("bn254", { ...crafted, key })).toBe(true);
    }
  });

  it("come to no pairing with the coordinate 0, at which the reference's process ends", () => {
    expect(verify("bn254", makeCancelledProof("bn254", new Uint8Array(64)))).toBe(false);
  });

  it("are checked in a proof", () => {
    const { key, proof, inputs } = makeProof("bn254", []);
    for (const point of [outside, nowhere]) {
      const other = proof.slice();
      other.set(point, 32);
      expect(verifyGroth16("bn254", key, other, inputs)).toBe(false);
    }
  });
});
