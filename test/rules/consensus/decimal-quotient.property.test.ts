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

test("zero is zero, divided by any number", () => {
  expect(decimalQuotient(0n, 1n << 64n)).toBe(0);
});

// Between 2^53 and 2^53 + 2, doubles have nothing: half-way is rounded to the even one, 2^53, and more is rounded up.
test("a quotient is rounded to 34 digits first: digits after them do not lift it from half-way", () => {
  const halfWay = 2n ** 53n + 1n;
  const above = (digits: bigint, factor = 1n) =>
    decimalQuotient(factor * (halfWay * 10n ** digits + 1n), factor * 10n ** digits);
  for (const factor of [1n, 3n, 7n]) {
    expect(above(18n, factor)).toBe(2 ** 53 + 2);
    expect(above(19n, factor)).toBe(2 ** 53);
    expect(above(30n, factor)).toBe(2 ** 53);
  }
});

test("rounding to 34 digits leaves shorter integers alone and moves longer ones by half a unit at most", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 60n }), (value) => {
      const rounded = roundToPrecision(value);
      const unit = 10n ** BigInt(Math.max(0, value.toString().length - 34));
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
