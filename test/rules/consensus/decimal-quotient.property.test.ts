import fc from "fast-check";
import { expect, test } from "vitest";
import { decimalQuotient, roundToPrecision } from "../../../src/rules/consensus/decimal-quotient.ts";

const positive = fc.bigInt({ min: 1n, max: (1n << 126n) - 1n });

/** 34 digits by long division, as text for the engine's own parser of decimals. */
function longDivision(numerator: bigint, denominator: bigint): number {
  let exponent = 0;
  let rest = numerator;
  while (rest >= denominator * 10n ** 34n) [rest, exponent] = [rest / 10n, exponent + 1];
  while (rest < denominator * 10n ** 33n) [rest, exponent] = [rest * 10n, exponent - 1];
  return Number(`${rest / denominator}e${exponent}`);
}

test("a quotient differs from long division by one unit in the last place at most", () => {
  fc.assert(
    fc.property(positive, positive, (numerator, denominator) => {
      const expected = longDivision(numerator, denominator);
      expect(Math.abs(decimalQuotient(numerator, denominator) / expected - 1)).toBeLessThanOrEqual(Number.EPSILON);
    }),
  );
});

test("a quotient of doubles that divide exactly is exact", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 1n << 53n }), fc.integer({ min: 0, max: 60 }), (value, shift) => {
      expect(decimalQuotient(value << BigInt(shift), 1n << BigInt(shift))).toBe(Number(value));
    }),
  );
});

test("signs divide as usual", () => {
  fc.assert(
    fc.property(positive, positive, (numerator, denominator) => {
      const quotient = decimalQuotient(numerator, denominator);
      expect(decimalQuotient(-numerator, denominator)).toBe(-quotient);
      expect(decimalQuotient(numerator, -denominator)).toBe(-quotient);
      expect(decimalQuotient(-numerator, -denominator)).toBe(quotient);
    }),
  );
});

test("rounding to 34 digits leaves shorter integers alone and moves longer ones by half a unit at most", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n }), (value) => {
      const rounded = roundToPrecision(value);
      const magnitude = value < 0n ? -value : value;
      const unit = 10n ** BigInt(Math.max(0, magnitude.toString().length - 34));
      const distance = rounded > value ? rounded - value : value - rounded;
      expect(distance * 2n).toBeLessThanOrEqual(unit === 1n ? 0n : unit);
      expect(rounded % unit).toBe(0n);
    }),
  );
});

test("ties go to the even digit", () => {
  const base = 10n ** 33n;
  expect(roundToPrecision((base + 1n) * 10n + 5n)).toBe((base + 2n) * 10n);
  expect(roundToPrecision((base + 2n) * 10n + 5n)).toBe((base + 2n) * 10n);
});
