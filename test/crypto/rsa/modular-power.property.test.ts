import fc from "fast-check";
import { expect, test } from "vitest";
import { findNativePower, modularPower, powerByWindows } from "../../../src/crypto/rsa/modular-power.ts";

/** Power by definition. */
function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n % modulus;
  for (const digit of exponent.toString(2)) {
    result = (result * result) % modulus;
    if (digit === "1") result = (result * base) % modulus;
  }
  return result;
}

const longest = 2n ** 700n;
const modulus = fc.bigInt({ min: 2n ** 511n, max: longest }).map((number) => number | 1n);
const exponent = fc.oneof(fc.bigInt({ min: 0n, max: 70_000n }), fc.bigInt({ min: 0n, max: 2n ** 1_500n }));

test("native powers, powers by windows and powers by squaring are the same", () => {
  let native = 0;
  fc.assert(
    fc.property(modulus, fc.bigInt({ min: 0n, max: longest }), exponent, (n, number, e) => {
      const base = number % n;
      const expected = power(base, e, n);
      expect(powerByWindows(base, e, n)).toBe(expected);
      expect(modularPower(base, e, n)).toBe(expected);
      const found = findNativePower(base, e, n);
      if (found !== undefined) {
        native++;
        expect(found).toBe(expected);
      }
    }),
    { numRuns: 300 },
  );
  expect(native).toBeGreaterThan(150);
});

test.each([0n, 1n, 2n])("the power of %d, and of its negative, is right at the ends", (base) => {
  const n = 2n ** 607n - 1n;
  for (const number of [base, n - base].filter((each) => each < n)) {
    for (const e of [1n, 2n, 2n ** 64n, 2n ** 607n + 1n]) expect(modularPower(number, e, n)).toBe(power(number, e, n));
  }
});
