/** Valid proofs from known exponents: the equation can be satisfied without a circuit. */
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { bn254 } from "@noble/curves/bn254.js";
import { concatBytes } from "../../../src/crypto/bytes.ts";
import type { Groth16Curve } from "../../../src/crypto/groth16.ts";

export interface GeneratedProof {
  readonly key: Uint8Array;
  readonly proof: Uint8Array;
  readonly inputs: Uint8Array;
}

/** Exponents of the points; omitted ones get default values. */
export interface Exponents {
  readonly a?: bigint;
  readonly b?: bigint;
  readonly alpha?: bigint;
  readonly beta?: bigint;
  readonly gamma?: bigint;
  /** Exponents of the points that the inputs multiply, one more than there are inputs. */
  readonly sums?: readonly bigint[];
}

const curves = { "bls12-381": bls12_381, bn254 } as const;
const sizes = { "bls12-381": 48, bn254: 32 } as const;

export function makeProof(name: Groth16Curve, inputs: readonly bigint[], exponents: Exponents = {}): GeneratedProof {
  const { Fr } = curves[name].fields;
  const { a = 5n, b = 7n, alpha = 11n, beta = 13n, gamma = 17n } = exponents;
  const delta = 19n;
  const sums = exponents.sums ?? [23n, ...inputs.map((_, index) => 29n + BigInt(index))];
  const sum = inputs.reduce(
    (total, input, index) => Fr.add(total, Fr.mul(Fr.create(input), sums[index + 1] ?? 0n)),
    sums[0] ?? 0n,
  );
  // a b = alpha beta + sum gamma + c delta
  const c = Fr.div(Fr.create(a * b - alpha * beta - sum * gamma), delta);
  return {
    key: concatBytes(
      point1(name, alpha),
      ...[beta, gamma, delta].map((exponent) => point2(name, exponent)),
      ...sums.map((exponent) => point1(name, exponent)),
    ),
    proof: concatBytes(point1(name, a), point2(name, b), point1(name, c)),
    inputs: concatBytes(...inputs.map((input) => integer(input, 32))),
  };
}

function integer(value: bigint, sizeBytes: number): Uint8Array {
  return new Uint8Array(Buffer.from(value.toString(16).padStart(sizeBytes * 2, "0"), "hex"));
}

export function point1(name: Groth16Curve, exponent: bigint): Uint8Array {
  const curve = curves[name];
  if (exponent === 0n) return marked(name, new Uint8Array(sizes[name]), "infinity");
  const { x, y } = curve.G1.Point.BASE.multiply(exponent).toAffine();
  return marked(name, integer(x, sizes[name]), y > curve.fields.Fp.neg(y) ? "larger" : "smaller");
}

export function point2(name: Groth16Curve, exponent: bigint): Uint8Array {
  const curve = curves[name];
  const { Fp } = curve.fields;
  if (exponent === 0n) return marked(name, new Uint8Array(2 * sizes[name]), "infinity");
  const { x, y } = curve.G2.Point.BASE.multiply(exponent).toAffine();
  const isLarger = y.c1 === 0n ? y.c0 > Fp.neg(y.c0) : y.c1 > Fp.neg(y.c1);
  const bytes = concatBytes(integer(x.c1, sizes[name]), integer(x.c0, sizes[name]));
  return marked(name, bytes, isLarger ? "larger" : "smaller");
}

const marks = {
  "bls12-381": { smaller: 0x80, larger: 0xa0, infinity: 0xc0 },
  bn254: { smaller: 0, larger: 0x80, infinity: 0x40 },
} as const;

function marked(name: Groth16Curve, bytes: Uint8Array, kind: "smaller" | "larger" | "infinity"): Uint8Array {
  bytes[0] = (bytes[0] ?? 0) | marks[name][kind];
  return bytes;
}

/**
 * A proof that is valid for any value of one point in the second group: beta and delta are that point, c is the
 * negative of alpha, and the remaining equation is a b = sum gamma.
 */
export function makeCancelledProof(name: Groth16Curve, anyPoint: Uint8Array): GeneratedProof {
  const { Fr } = curves[name].fields;
  const [alpha, gamma, sum, b] = [11n, 17n, 23n, 7n];
  return {
    key: concatBytes(point1(name, alpha), anyPoint, point2(name, gamma), anyPoint, point1(name, sum)),
    proof: concatBytes(point1(name, Fr.div(gamma * sum, b)), point2(name, b), point1(name, Fr.create(-alpha))),
    inputs: new Uint8Array(0),
  };
}
