import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { naturalLogarithm } from "../../../src/rules/consensus/natural-logarithm.ts";

const view = new DataView(new ArrayBuffer(8));
const doubleOf = (hex: string): number => {
  view.setBigUint64(0, BigInt(`0x${hex}`));
  return view.getFloat64(0);
};

describe("naturalLogarithm", () => {
  // Arguments for which the usual portable algorithm (fdlibm) has a wrong last bit; the results are those of a JVM.
  test.each([
    ["3fe5960cf3000978", "bfd932214336053b"],
    ["3fecdbea5ffbf069", "bfba72af1e4fad30"],
    ["4047466a9d0e4831", "400eb967ab837931"],
    ["3fd74e6bc1afda26", "bff0299b726d5de5"],
    ["3ff7f33498252150", "3fd9d0fc670b82ff"],
    ["400bfbc46f5c30a7", "3ff408e5d1cf4ffb"],
    ["3fe478d2370ead6e", "bfdc96672e5c8c53"],
    ["4034bbc2c6d5c1c0", "400841050a4a4131"],
  ])("is the nearest double at %s", (argument, logarithm) => {
    expect(naturalLogarithm(doubleOf(argument))).toBe(doubleOf(logarithm));
  });

  test("is exact where the logarithm is known", () => {
    expect(naturalLogarithm(1)).toBe(0);
    expect(naturalLogarithm(2)).toBe(Math.LN2);
    expect(naturalLogarithm(0.5)).toBe(-Math.LN2);
    expect(naturalLogarithm(10)).toBe(Math.LN10);
    expect(naturalLogarithm(Math.E)).toBe(1);
  });

  test("has the limits of Math.log", () => {
    expect(naturalLogarithm(0)).toBe(Number.NEGATIVE_INFINITY);
    expect(naturalLogarithm(Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY);
    expect(naturalLogarithm(-1)).toBeNaN();
    expect(naturalLogarithm(Number.NaN)).toBeNaN();
  });

  test("stays within one unit in the last place of Math.log for every positive double", () => {
    fc.assert(
      fc.property(fc.double({ min: Number.MIN_VALUE, noNaN: true, noDefaultInfinity: true }), (value) => {
        const expected = Math.log(value);
        expect(Math.abs(naturalLogarithm(value) - expected)).toBeLessThanOrEqual(Math.abs(expected) * Number.EPSILON);
      }),
      { numRuns: 1_000 },
    );
  });
});
