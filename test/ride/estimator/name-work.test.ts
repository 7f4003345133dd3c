/** Work of large sets of names, for estimates with a limit. */
import { expect, test } from "vitest";
import { estimateV3 } from "../../../src/ride/estimator/estimator-v3.ts";
import type { Expression } from "../../../src/ride/script/expression.ts";
import { WorkRefused } from "../../../src/ride/work-refused.ts";

const rules = { fixesOverflow: true, hasOverhead: false, fixesArguments: true };
const library = { names: [], functions: new Map([[100, 1]]), forbidden: new Set<number | string>() };

/** Sum of `names` different names. */
function sumOf(names: number): Expression {
  let sum: Expression = { kind: "reference", name: "first" };
  for (let index = 0; index < names; index++)
    sum = { kind: "call", function: 100, args: [{ kind: "reference", name: `name${index}` }, sum] };
  return sum;
}

test("each change of a large set counts as many steps as its time requires", () => {
  const stepsFor = (names: number): number => {
    const allowance = { steps: 1_000_000 };
    estimateV3(sumOf(names), library, rules, allowance);
    return 1_000_000 - allowance.steps;
  };
  const few = stepsFor(60);
  expect(stepsFor(120) - 2 * few).toBeGreaterThan(0);
  // Without the copies there would be 67 times the work.
  expect(() => estimateV3(sumOf(4_000), library, rules, { steps: 100 * few })).toThrow(WorkRefused);
});
