/**
 * Zero-knowledge proofs of Groth's scheme of 2016, on the curves BLS12-381 and BN254.
 *
 * Points are compressed: coordinates big-endian, the second component of an extension field's element first. BLS12-381
 * marks them in the three highest bits (compressed, infinity, larger y), BN254 in two (larger y, infinity).
 * @source Groth: On the Size of Pairing-based Non-interactive Arguments, 3.2; Waves: lang/jvm Global.scala, which calls
 *   the library zwaves
 */
import type { IField } from "@noble/curves/abstract/modular.js";
import type { Fp2 } from "@noble/curves/abstract/tower.js";
import type { WeierstrassPoint, WeierstrassPointCons } from "@noble/curves/abstract/weierstrass.js";
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { bn254 } from "@noble/curves/bn254.js";
import { integerOfBytes } from "./big-endian.ts";
import { findLines, type Line, presumedRoot } from "./bn254-lines.ts";

export type Groth16Curve = "bls12-381" | "bn254";

type Point1 = WeierstrassPoint<bigint>;
type Point2 = WeierstrassPoint<Fp2>;

interface Marks {
  readonly isInfinity: boolean;
  readonly isLargerY: boolean;
  /** Bits of the first byte that are marks. */
  readonly mask: number;
}

interface CurveParameters {
  readonly curve: typeof bls12_381 | typeof bn254;
  /** Size of a coordinate of the first group. */
  readonly sizeBytes: number;
  /** @throws BadPoint */
  readonly marks: (first: number) => Marks;
}

const inputBytes = 32;

const parametersOfCurves: Readonly<Record<Groth16Curve, CurveParameters>> = {
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

/** Bytes that are no point of the group, or a point that cannot be computed with. */
class BadPoint extends Error {}

/** A point without a pairing, at which the reference's library panics and its process ends. */
export class NoPairing extends BadPoint {
  override readonly name = "NoPairing";
}

export interface Groth16Options {
  /**
   * Whether a key that contains a point without a pairing throws `NoPairing`, used or not. Default: its proofs are
   * invalid.
   */
  readonly refusesUnpaired?: boolean;
}

/**
 * Whether the proof is valid for the inputs. Cost: about 10 milliseconds, and half of one for each input.
 * @param key alpha, beta, gamma, delta, and one point more than there are inputs
 * @param proof A, B, C
 * @param inputs 32 bytes each, big-endian
 * @throws NoPairing only with `refusesUnpaired`
 */
export function verifyGroth16(
  name: Groth16Curve,
  key: Uint8Array,
  proof: Uint8Array,
  inputs: Uint8Array,
  { refusesUnpaired = false }: Groth16Options = {},
): boolean {
  try {
    return satisfiesPairing(parametersOfCurves[name], { key, proof, inputs }, refusesUnpaired);
  } catch (error) {
    if (error instanceof NoPairing && refusesUnpaired) throw error;
    if (error instanceof BadPoint) return false;
    throw error;
  }
}

function satisfiesPairing(
  parameters: CurveParameters,
  { key, proof, inputs }: { readonly key: Uint8Array; readonly proof: Uint8Array; readonly inputs: Uint8Array },
  refusesUnpaired: boolean,
): boolean {
  const { curve, sizeBytes } = parameters;
  const keyPoints = new PointReader(parameters, key);
  const [alpha, beta] = [keyPoints.next1(), keyPoints.nextOfKey()];
  const [gamma, delta] = [keyPoints.nextOfKey(), keyPoints.nextOfKey()];
  if (refusesUnpaired && [beta, gamma, delta].some((point) => "lines" in point && point.lines === undefined)) {
    throw new NoPairing("a point of the key has no lines");
  }
  let sum = keyPoints.next1();
  for (let at = 0; at < inputs.length; at += inputBytes) {
    const input = integerOfBytes(inputs.subarray(at, at + inputBytes));
    if (input >= curve.fields.Fr.ORDER) throw new BadPoint("not in the field");
    sum = sum.add(keyPoints.next1().multiplyUnsafe(input));
  }
  const proofPoints = new PointReader(parameters, proof);
  const [a, b, c] = [proofPoints.next1(), proofPoints.next2(), proofPoints.next1()];
  if (proof.length !== 4 * sizeBytes) throw new BadPoint("other than three points");
  const pairs: readonly Pair[] = [
    { first: a, second: { point: b } },
    { first: alpha.negate(), second: beta },
    { first: sum.negate(), second: gamma },
    { first: c.negate(), second: delta },
  ];
  const present = pairs.filter(({ first }) => !first.is0());
  const { Fp12 } = curve.fields;
  const product = Fp12.mul(
    productOf(
      curve,
      present.flatMap(({ first, second }) => ("point" in second ? [linesOfPoint(curve, first, second.point)] : [])),
    ),
    productOf(
      curve,
      present.flatMap(({ first, second }) => ("lines" in second ? [linesOfKey(first, second.lines)] : [])),
    ),
  );
  // The reference cannot take the final power of zero: its process ends.
  if (Fp12.is0(product)) throw new NoPairing("the product of the pairings is zero");
  return Fp12.eql(Fp12.finalExponentiate(product), Fp12.ONE);
}

/** A point of the second group, or the lines of a point that may be on another curve; undefined if it has none. */
type Second = { readonly point: Point2 } | { readonly lines: Line[][] | undefined };

interface Pair {
  readonly first: Point1;
  readonly second: Second;
}

type Curve = CurveParameters["curve"];
type Fp12 = ReturnType<Curve["millerLoopBatch"]>;
/** The lines of one point, and the coordinates at which they are evaluated. */
type Evaluated = [Line[][], bigint, bigint];

function linesOfPoint(curve: Curve, first: Point1, second: Point2): Evaluated {
  const { x, y } = first.toAffine();
  return [curve.utils.calcPairingPrecomputes(second), x, y];
}

/** @throws NoPairing */
function linesOfKey(first: Point1, lines: Line[][] | undefined): Evaluated {
  if (lines === undefined) throw new NoPairing("a point of the key has no lines");
  const { x, y } = first.toAffine();
  return [lines, x, y];
}

function productOf(curve: Curve, evaluated: readonly Evaluated[]): Fp12 {
  return curve.millerLoopBatch([...evaluated]);
}

class PointReader {
  readonly #parameters: CurveParameters;
  readonly #bytes: Uint8Array;
  #offset = 0;

  constructor(parameters: CurveParameters, bytes: Uint8Array) {
    this.#parameters = parameters;
    this.#bytes = bytes;
  }

  /** @throws BadPoint */
  next1(): Point1 {
    const { curve, sizeBytes } = this.#parameters;
    const { marks, content } = this.#take(sizeBytes);
    const { Fp } = curve.fields;
    const isLarger = (y: bigint): boolean => y > Fp.neg(y);
    return decompress(curve.G1.Point, Fp, marks, integersBelow(Fp.ORDER, [content])[0] as bigint, isLarger);
  }

  /** @throws BadPoint */
  next2(): Point2 {
    const { curve } = this.#parameters;
    const { marks, x } = this.#next2();
    return decompress(curve.G2.Point, curve.fields.Fp2, marks, x, this.#isLarger2);
  }

  /**
   * Reads a point of the second group in a key. The reference validates those of BLS12-381, and accepts any coordinate
   * of BN254's.
   * @throws BadPoint
   */
  nextOfKey(): Second {
    const { curve } = this.#parameters;
    if (curve !== bn254) return { point: this.next2() };
    const { marks, x } = this.#next2();
    if (marks.isInfinity) throw atInfinity();
    const { Fp2 } = curve.fields;
    const root = presumedRoot(Fp2.add(Fp2.mul(Fp2.sqr(x), x), curve.G2.Point.CURVE().b));
    return { lines: findLines({ x, y: this.#isLarger2(root) === marks.isLargerY ? root : Fp2.neg(root) }) };
  }

  #next2(): { readonly marks: Marks; readonly x: Fp2 } {
    const { curve, sizeBytes } = this.#parameters;
    const { marks, content } = this.#take(2 * sizeBytes);
    const halves = [content.subarray(0, sizeBytes), content.subarray(sizeBytes)];
    const [c1, c0] = integersBelow(curve.fields.Fp.ORDER, halves) as [bigint, bigint];
    return { marks, x: curve.fields.Fp2.create({ c0, c1 }) };
  }

  readonly #isLarger2 = ({ c0, c1 }: Fp2): boolean => {
    const { Fp } = this.#parameters.curve.fields;
    return c1 === 0n ? c0 > Fp.neg(c0) : c1 > Fp.neg(c1);
  };

  /** Takes the bytes of one point, with the marks cleared. */
  #take(sizeBytes: number): { readonly marks: Marks; readonly content: Uint8Array } {
    const content = this.#bytes.slice(this.#offset, this.#offset + sizeBytes);
    if (content.length !== sizeBytes) throw new BadPoint("too short");
    this.#offset += sizeBytes;
    const first = content[0] as number;
    const marks = this.#parameters.marks(first);
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
  if (isInfinity) throw atInfinity();
  const root = squareRoot(field, field.add(field.mul(field.sqr(x), x), Point.CURVE().b));
  const point = Point.fromAffine({ x, y: isLarger(root) === isLargerY ? root : field.neg(root) });
  if (!point.isTorsionFree()) throw new BadPoint("not in the group");
  return point;
}

function atInfinity(): BadPoint {
  return new BadPoint("infinity, which the reference takes nowhere");
}

function squareRoot<Coordinate>(field: IField<Coordinate>, square: Coordinate): Coordinate {
  try {
    return field.sqrt(square);
  } catch {
    throw new BadPoint("not on the curve");
  }
}

function integersBelow(limit: bigint, encoded: readonly Uint8Array[]): readonly bigint[] {
  const integers = encoded.map(integerOfBytes);
  if (integers.some((integer) => integer >= limit)) throw new BadPoint("not in the field");
  return integers;
}
