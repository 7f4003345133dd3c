import { describe, expect, it } from "vitest";
import { type Groth16Curve, verifyGroth16 } from "../../src/crypto/groth16.ts";
import { type MadeProof, makeProof, orderOf } from "./groth16-proofs.ts";

function verify(name: Groth16Curve, { key, proof, inputs }: MadeProof): boolean {
  return verifyGroth16(name, key, proof, inputs);
}

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  const other = bytes.slice();
  other[at] = (other[at] ?? 0) ^ 1;
  return other;
}

describe.each(["bls12-381", "bn254"] as const)("verifyGroth16 on %s", (name) => {
  const made = makeProof(name, [3n, 4n]);

  it("takes a proof that holds, with any number of inputs up to 16", () => {
    for (const inputs of [[], [0n], [orderOf(name) - 1n], Array.from({ length: 16 }, (_, index) => BigInt(index))]) {
      expect(verify(name, makeProof(name, inputs))).toBe(true);
    }
  });

  it("refuses other inputs, another proof and another key", () => {
    expect(verify(name, { ...made, inputs: flipped(made.inputs, 31) })).toBe(false);
    expect(verify(name, { ...made, proof: flipped(made.proof, made.proof.length - 1) })).toBe(false);
    expect(verify(name, { ...made, key: flipped(made.key, made.key.length - 1) })).toBe(false);
    expect(verify(name, { ...made, proof: makeProof(name, [3n, 5n]).proof })).toBe(false);
  });

  it("refuses an input that is not below the order of the group", () => {
    expect(verify(name, makeProof(name, [3n + orderOf(name)]))).toBe(false);
  });

  // The equation holds for each of them; the reference reads no such point.
  it("refuses the point at infinity in a proof and in a key", () => {
    const exponents = [{ a: 0n }, { b: 0n }, { alpha: 0n }, { beta: 0n }, { gamma: 0n }, { sums: [0n, 29n] }];
    for (const choice of exponents) expect(verify(name, makeProof(name, [3n], choice))).toBe(false);
  });

  it("takes inputs whose points add up to infinity", () => {
    expect(verify(name, makeProof(name, [3n], { sums: [orderOf(name) - 87n, 29n] }))).toBe(true);
  });

  it("refuses marks that are not those of a compressed point", () => {
    for (const mark of [0x20, 0x40, 0x80]) {
      const proof = made.proof.slice();
      proof[0] = (proof[0] ?? 0) ^ mark;
      expect(verify(name, { ...made, proof })).toBe(false);
    }
  });

  it("refuses coordinates outside of the field and points outside of the group", () => {
    const proof = made.proof.slice().fill(0xff, 1, 10);
    expect(verify(name, { ...made, proof })).toBe(false);
    for (let last = 0; last < 8; last++) {
      const other = made.proof.slice();
      other[made.proof.length / 4 + made.proof.length / 2 - 1] = last;
      expect(verify(name, { ...made, proof: other })).toBe(false);
    }
  });
});
