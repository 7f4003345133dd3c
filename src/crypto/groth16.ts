/**
 * Zero-knowledge proofs of Groth's scheme of 2016, on the curves BLS12-381 and BN254.
 *
 * Points are compressed: coordinates big-endian, the second part of an extension field's element first. BLS12-381 marks
 * them in the three highest bits (compressed, infinity, larger y), BN254 in two (larger y, infinity).
 * @source Groth: On the Size of Pairing-based Non-interactive Arguments, 3.2; Waves: lang/jvm Global.scala, which calls
 * the library zwaves
 */
import type { IField } from "@noble/curves/abstract/modular.js";
import type { Fp2 } from "@noble/curves/abstract/tower.js";
import type { WeierstrassPoint, WeierstrassPointCons } from "@noble/curves/abstract/weierstrass.js";
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { bn254 } from "@noble/curves/bn254.js";
import { encodeHex } from "./hex.ts";

export type Groth16Curve = "bls12-381" | "bn254";

type Point1 = WeierstrassPoint<bigint>;
type Point2 = WeierstrassPoint<Fp2>;

interface Marks {
  readonly isInfinity: boolean;
  readonly isLargerY: boolean;
  /** The marks in the first byte. */
  readonly mask: number;
}

interface CurveFacts {
  readonly curve: typeof bls12_381 | typeof bn254;
  /** Of a coordinate of the first group. */
  readonly sizeBytes: number;
  /** @throws BadPoint */
  readonly marks: (first: number) => Marks;
}

const inputBytes = 32;

const facts: Readonly<Record<Groth16Curve, CurveFacts>> = {
  "bls12-381": {
    curve: bls12_381,
    sizeBytes: 48,
    marks: (first) => {
      if ((first & 0x80) === 0) throw new BadPoint("not compressed");
      return { isInfinity: (first & 0x40) !== 0, isLargerY: (first & 0x20) !== 0, mask: 0xe0 };
    },
  },
  bn254: {
    curve: bn254,
    sizeBytes: 32,
    marks: (first) => ({ isInfinity: (first & 0x40) !== 0, isLargerY: (first & 0x80) !== 0, mask: 0xc0 }),
  },
};

/** Bytes that are no point of the group. */
class BadPoint extends Error {}

/**
 * Whether the proof holds for the inputs. Cost: about 10 milliseconds, and half of one for each input.
 * @param key alpha, beta, gamma, delta, and one point more than there are inputs
 * @param proof A, B, C
 * @param inputs 32 bytes each, big-endian
 */
export function verifyGroth16(name: Groth16Curve, key: Uint8Array, proof: Uint8Array, inputs: Uint8Array): boolean {
  try {
    return holds(facts[name], key, proof, inputs);
  } catch (error) {
    if (error instanceof BadPoint) return false;
    throw error;
  }
}

function holds(curveFacts: CurveFacts, key: Uint8Array, proof: Uint8Array, inputs: Uint8Array): boolean {
  const { curve, sizeBytes } = curveFacts;
  const keyPoints = new PointReader(curveFacts, key);
  const [alpha, beta] = [keyPoints.next1(), keyPoints.next2()];
  const [gamma, delta] = [keyPoints.next2(), keyPoints.next2()];
  let sum = keyPoints.next1();
  for (let at = 0; at < inputs.length; at += inputBytes) {
    const input = integerOf(inputs.subarray(at, at + inputBytes));
    if (input >= curve.fields.Fr.ORDER) throw new BadPoint("not in the field");
    sum = sum.add(keyPoints.next1().multiplyUnsafe(input));
  }
  const proofPoints = new PointReader(curveFacts, proof);
  const [a, b, c] = [proofPoints.next1(), proofPoints.next2(), proofPoints.next1()];
  if (proof.length !== 4 * sizeBytes) throw new BadPoint("other than three points");
  const pairs = [
    { g1: a, g2: b },
    { g1: alpha.negate(), g2: beta },
    { g1: sum.negate(), g2: gamma },
    { g1: c.negate(), g2: delta },
  ].filter(({ g1, g2 }) => !g1.is0() && !g2.is0());
  const { Fp12 } = curve.fields;
  return Fp12.eql(curve.pairingBatch(pairs), Fp12.ONE);
}

class PointReader {
  readonly #facts: CurveFacts;
  readonly #bytes: Uint8Array;
  #offset = 0;

  constructor(curveFacts: CurveFacts, bytes: Uint8Array) {
    this.#facts = curveFacts;
    this.#bytes = bytes;
  }

  /** @throws BadPoint */
  next1(): Point1 {
    const { curve, sizeBytes } = this.#facts;
    const { marks, content } = this.#take(sizeBytes);
    const { Fp } = curve.fields;
    const isLarger = (y: bigint): boolean => y > Fp.neg(y);
    return decompress(curve.G1.Point, Fp, marks, integersBelow(Fp.ORDER, [content])[0] as bigint, isLarger);
  }

  /** @throws BadPoint */
  next2(): Point2 {
    const { curve, sizeBytes } = this.#facts;
    const { marks, content } = this.#take(2 * sizeBytes);
    const { Fp, Fp2 } = curve.fields;
    const halves = [content.subarray(0, sizeBytes), content.subarray(sizeBytes)];
    const [c1, c0] = integersBelow(Fp.ORDER, halves) as [bigint, bigint];
    const isLarger = (y: Fp2): boolean => (y.c1 === 0n ? y.c0 > Fp.neg(y.c0) : y.c1 > Fp.neg(y.c1));
    return decompress(curve.G2.Point, Fp2, marks, Fp2.create({ c0, c1 }), isLarger);
  }

  /** Bytes of one point, the marks taken off. */
  #take(sizeBytes: number): { readonly marks: Marks; readonly content: Uint8Array } {
    const content = this.#bytes.slice(this.#offset, this.#offset + sizeBytes);
    if (content.length !== sizeBytes) throw new BadPoint("too short");
    this.#offset += sizeBytes;
    const first = content[0] as number;
    const marks = this.#facts.marks(first);
    content[0] = first & ~marks.mask;
    return { marks, content };
  }
}

function decompress<Coordinate>(
  Point: WeierstrassPointCons<Coordinate>,
  field: IField<Coordinate>,
  { isInfinity, isLargerY }: Marks,
  x: Coordinate,
  isLarger: (y: Coordinate) => boolean,
): WeierstrassPoint<Coordinate> {
  if (isInfinity) throw new BadPoint("infinity, which the reference takes nowhere");
  const root = squareRoot(field, field.add(field.mul(field.sqr(x), x), Point.CURVE().b));
  const point = Point.fromAffine({ x, y: isLarger(root) === isLargerY ? root : field.neg(root) });
  if (!point.isTorsionFree()) throw new BadPoint("not in the group");
  return point;
}

function squareRoot<Coordinate>(field: IField<Coordinate>, square: Coordinate): Coordinate {
  try {
    return field.sqrt(square);
  } catch {
    throw new BadPoint("not on the curve");
  }
}

function integersBelow(limit: bigint, encoded: readonly Uint8Array[]): readonly bigint[] {
  const integers = encoded.map(integerOf);
  if (integers.some((integer) => integer >= limit)) throw new BadPoint("not in the field");
  return integers;
}

function integerOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${encodeHex(bytes)}`);
}
