/**
 * Powers, roots and logarithms to the last digit. Expected values are by the reference's library (big-math 2.3.2, Java
 * 17).
 */
import { describe, expect, test } from "vitest";
import { evaluate } from "../../../src/ride/evaluator/evaluate.ts";
import { logarithm, power, squareRoot } from "../../../src/ride/functions/big-math.ts";
import type { Decimal, Precision } from "../../../src/ride/functions/decimal.ts";
import { call, constant, ref } from "../../../src/ride/functions/tree.ts";
import type { Expression } from "../../../src/ride/script/expression.ts";
import { BigInteger, type Value } from "../../../src/ride/values/value.ts";
import { WorkRefused } from "../../../src/ride/work-refused.ts";
import { pureEnvironment } from "../../support/fakes/pure-environment.ts";

const linkOptions = {
  libraryVersion: 6,
  content: "expression",
  guards: "account",
  chainId: 82,
  hasLexicalScope: true,
} as const;
const rules = {
  isNewMode: true,
  hasFixedThrownError: true,
  checksConstructorArguments: true,
  hasSynchronousCallFixes: true,
};

function evaluated(expression: Expression, mayRefuseWork = false): Value | undefined {
  const environment = { ...pureEnvironment(linkOptions), mayRefuseWork };
  return evaluate(expression, linkOptions, { environment, rules, complexityLimit: 52_000 }).value;
}

function calculation(id: number, base: Value, exponent: Value, scales: readonly [bigint, bigint, bigint]): Expression {
  const [bp, ep, rp] = scales;
  return call(id, constant(base), constant(bp), constant(exponent), constant(ep), constant(rp), ref("FLOOR"));
}

describe("pow", () => {
  test.each([
    [73_512_639n, 5_825_926_055_735_129_899n],
    [73_519_931n, 5_840_268_662_764_030_293n],
    [72_241_196n, 3_794_651_039_438_359_573n],
    [71_579_783n, 3_036_078_228_829_679_712n],
  ])("of 440795190888473.9 to %d / 10^8 ends in the reference's digit", (exponent, expected) => {
    expect(evaluated(calculation(108, 4_407_951_908_884_739n, exponent, [1n, 8n, 8n]))).toBe(expected);
  });

  test("with an exponent of -2^63 ends the reference's thread: it is refused in the pool and own blocks", () => {
    const ofInt = calculation(108, 2n, -(2n ** 63n), [0n, 0n, 0n]);
    const ofBigInt = calculation(118, new BigInteger(2n), new BigInteger(-(2n ** 63n)), [0n, 0n, 0n]);
    for (const expression of [ofInt, ofBigInt]) {
      expect(() => evaluated(expression, true)).toThrow(WorkRefused);
      expect(() => evaluated(expression)).not.toThrow(WorkRefused);
    }
  });
});

const precision = (digits: number, rounding: Precision["rounding"]): Precision => ({ digits, rounding });
const decimal = (unscaled: bigint, scale: number): Decimal => ({ unscaled, scale });

test.each([
  [decimal(4_407_951_908_884_739n, 1), precision(25, "HalfUp"), decimal(3_371_960_146_374_511_159_591_055n, 23)],
  [decimal(146n, 2), precision(40, "HalfEven"), decimal(3_784_364_357_202_450_704_733_580_695_279_907_237_780n, 40)],
  [decimal(1_565_726_525n, 3), precision(34, "HalfEven"), decimal(1_426_386_050_746_032_099_987_905_603_283_559n, 32)],
])("a logarithm is rounded where the reference's library rounds, not once at the end (%#)", (x, to, expected) => {
  expect(logarithm(x, to)).toEqual(expected);
});

test("a square root just below the middle of two digits is rounded up, because of its next six digits", () => {
  const x = decimal(64n * 10n ** 152n * 10n ** 16n + 4n * 10n ** 16n, 16);
  const root = squareRoot(x, precision(154, "HalfUp"));
  expect(root.unscaled % 10n).toBe(3n);
});

test("a power of an exact tenth keeps the decimals that decide whether it counts as zero", () => {
  expect(power(decimal(1n, 1), decimal(9n, 0), precision(19, "HalfUp"))).toEqual(decimal(1n, 9));
});
