/**
 * Points of BN254's second group as the reference reads them, and the lines of their pairing.
 *
 * The reference's library has a wrong constant in its search for square roots, so that it never reports a missing root.
 * For a coordinate that belongs to no point of the curve it continues with a number that is no root, and computes the
 * pairing with a point of another curve. This code handles such points too: none of its formulas depends on the curve.
 * @source pairing_ce 0.18: bn256/fq2.rs (sqrt), bn256/mod.rs (G2Prepared::from_affine); Aranha, Barreto, Longa,
 *   Ricardini: The Realm of the Pairings; eprint 2010/354, algorithms 26 and 27; eprint 2012/685, algorithm 9
 */
import type { Fp2 } from "@noble/curves/abstract/tower.js";
import { psiFrobenius } from "@noble/curves/abstract/tower.js";
import { bn254 } from "@noble/curves/bn254.js";

const { Fp, Fp2: field } = bn254.fields;
/** Computed on first use: it takes longer than the rest of the start. */
let frobeniusMaps: ReturnType<typeof psiFrobenius> | undefined;

function frobenius(): ReturnType<typeof psiFrobenius> {
  frobeniusMaps ??= psiFrobenius(Fp, field, field.NONRESIDUE);
  return frobeniusMaps;
}

/** Coefficients of a line: the constant, and those of x and y of the point at which it is evaluated. */
export type Line = [constant: Fp2, ofX: Fp2, ofY: Fp2];

/**
 * Digits of 6u + 2, from the second highest down. For points off the curve, other digits of the same number give
 * another result.
 */
const loopDigits = [
  1, 0, 1, 0, 0, -1, 0, 1, 1, 0, 0, 0, -1, 0, 0, 1, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 1, 1, 1, 0, 0, 0, 0,
  -1, 0, 1, 0, 0, -1, 0, 1, 1, 0, 0, 1, 0, 0, -1, 1, 0, 0, -1, 0, 1, 0, 1, 0, 0, 0,
];

interface Affine {
  readonly x: Fp2;
  readonly y: Fp2;
}

/** Jacobian coordinates: (X / Z², Y / Z³). */
interface Jacobian {
  readonly x: Fp2;
  readonly y: Fp2;
  readonly z: Fp2;
}

/**
 * The value that the reference uses as the square root: a true root if there is one, and mostly even if there is none.
 */
export function presumedRoot(square: Fp2): Fp2 {
  const power = field.pow(square, (Fp.ORDER - 3n) / 4n);
  const unit = field.mul(field.sqr(power), square);
  const half = field.pow(field.add(unit, field.ONE), (Fp.ORDER - 1n) / 2n);
  return field.mul(field.mul(power, square), half);
}

/**
 * Lines of the pairing with a point of any curve y² = x³ + c, one list for each doubling. Undefined if the computation
 * meets the point at infinity, where the reference's process ends.
 */
export function findLines(point: Affine): Line[][] | undefined {
  const negative = { x: point.x, y: field.neg(point.y) };
  const lists: Line[][] = [];
  let sum: Jacobian = { ...point, z: field.ONE };
  const add = (other: Affine): void => {
    const [line, next] = lineThrough(sum, other);
    (lists.at(-1) as Line[]).push(line);
    sum = next;
  };
  for (const digit of loopDigits) {
    const [line, next] = tangent(sum);
    lists.push([line]);
    sum = next;
    if (digit !== 0) add(digit > 0 ? point : negative);
    if (field.is0(sum.z)) return undefined;
  }
  const [x, y] = frobenius().psi(point.x, point.y);
  add({ x, y });
  add({ x: field.mul(point.x, frobenius().PSI2_X), y: point.y });
  return field.is0(sum.z) ? undefined : lists;
}

/** Tangent at a point, and twice the point. */
function tangent({ x, y, z }: Jacobian): readonly [Line, Jacobian] {
  const ySquare = field.sqr(y);
  const zSquare = field.sqr(z);
  const slope = field.mul(field.sqr(x), 3n);
  const product = field.mul(field.mul(x, ySquare), 4n);
  const doubleX = field.sub(field.sqr(slope), field.mul(product, 2n));
  const doubleY = field.sub(field.mul(slope, field.sub(product, doubleX)), field.mul(field.sqr(ySquare), 8n));
  const doubleZ = field.mul(field.mul(y, z), 2n);
  const line: Line = [
    field.sub(field.mul(slope, x), field.mul(ySquare, 2n)),
    field.neg(field.mul(slope, zSquare)),
    field.mul(doubleZ, zSquare),
  ];
  return [line, { x: doubleX, y: doubleY, z: doubleZ }];
}

/** Line through two points, and their sum. */
function lineThrough({ x, y, z }: Jacobian, other: Affine): readonly [Line, Jacobian] {
  const zSquare = field.sqr(z);
  const width = field.sub(field.mul(other.x, zSquare), x);
  const height = field.sub(field.mul(other.y, field.mul(zSquare, z)), y);
  const widthSquare = field.sqr(width);
  const widthCube = field.mul(widthSquare, width);
  const product = field.mul(x, widthSquare);
  const sumX = field.sub(field.sub(field.sqr(height), widthCube), field.mul(product, 2n));
  const sumY = field.sub(field.mul(height, field.sub(product, sumX)), field.mul(y, widthCube));
  const sumZ = field.mul(z, width);
  const line: Line = [field.sub(field.mul(height, other.x), field.mul(sumZ, other.y)), field.neg(height), sumZ];
  return [line, { x: sumX, y: sumY, z: sumZ }];
}
