import { bn254 } from "@noble/curves/bn254.js";
import { expect, test } from "vitest";
import { findLines, presumedRoot } from "../../src/crypto/bn254-lines.ts";

const { Fp2, Fp12 } = bn254.fields;
const { Point: First } = bn254.G1;
const { Point: Second } = bn254.G2;

test("the lines of a point of the group come to its pairing", () => {
  const first = First.BASE.multiply(5n);
  const second = Second.BASE.multiply(7n);
  const { x, y } = first.toAffine();
  const product = bn254.millerLoopBatch([[findLines(second.toAffine()) ?? [], x, y]]);
  expect(Fp12.eql(Fp12.finalExponentiate(product), bn254.pairing(first, second))).toBe(true);
});

test("the root of a square is its root, and of no square another number", () => {
  const number = Fp2.create({ c0: 3n, c1: 5n });
  const square = Fp2.sqr(number);
  expect(Fp2.sqr(presumedRoot(square))).toEqual(square);
  const other = Fp2.mul(square, Fp2.NONRESIDUE);
  expect(Fp2.eql(Fp2.sqr(presumedRoot(other)), other)).toBe(false);
  expect(Fp2.is0(presumedRoot(Fp2.ZERO))).toBe(true);
});

test("a way through infinity has no lines", () => {
  expect(findLines({ x: Fp2.ZERO, y: Fp2.ONE })).toBeUndefined();
  expect(findLines({ x: Fp2.ONE, y: Fp2.ZERO })).toBeUndefined();
});
