/** Work of large sets of names, for estimates with a limit. */
import { expect, test } from "vitest";
import { estimateV3 } from "../../../src/ride/estimator/estimator-v3.ts";
import type { Estimator } from "../../../src/ride/estimator/script-complexity.ts";
import { estimateScript, offChainAllowance } from "../../../src/ride/estimator/script-complexity.ts";
import type { Expression } from "../../../src/ride/script/expression.ts";
import { WorkRefused } from "../../../src/ride/work-refused.ts";
import { processorClock } from "../../support/fixtures/processor-time.ts";

const rules = { fixesOverflow: true, hasOverhead: false, fixesArguments: true };
const library = { names: [], functions: new Map([[100, 1]]), forbidden: new Set<number | string>() };
const one: Expression = { kind: "constant", value: 1n };
const nameOf = (index: number): string => `name${index}`;

const sum = (left: Expression, right: Expression): Expression => ({ kind: "call", function: 100, args: [left, right] });

/** Sum of `names` different names. */
function sumOf(names: number): Expression {
  let whole = one;
  for (let index = 0; index < names; index++) whole = sum({ kind: "reference", name: nameOf(index) }, whole);
  return whole;
}

/** So many functions that use a name. */
function functions(count: number): Expression {
  let whole: Expression = one;
  for (let index = 0; index < count; index++) {
    const declaration = {
      kind: "function",
      name: `f${index}`,
      parameters: [],
      body: { kind: "reference", name: nameOf(-1 - index) },
    } as const;
    whole = { kind: "block", declaration, body: whole, isLetBlock: false };
  }
  return whole;
}

function values(count: number, body: Expression): Expression {
  let whole = body;
  for (let index = count - 1; index >= 0; index--) {
    const declaration = { kind: "let", name: nameOf(index), value: one } as const;
    whole = { kind: "block", declaration, body: whole, isLetBlock: false };
  }
  return whole;
}

test("a look through all names that are used so far counts for each", () => {
  const stepsFor = (expression: Expression): number => {
    const allowance = { steps: 10_000_000 };
    estimateV3(expression, library, rules, allowance);
    return 10_000_000 - allowance.steps;
  };
  const apart = stepsFor(sumOf(300)) + stepsFor(functions(300));
  expect(stepsFor(sum(sumOf(300), functions(300)))).toBeGreaterThan(apart + 300 * 300);
  expect(() => estimateV3(sum(sumOf(4_000), functions(4_000)), library, rules, offChainAllowance())).toThrow(
    WorkRefused,
  );
});

test.each<[string, Estimator]>([
  ["first", 1],
  ["second", 2],
  ["third", rules],
])("the %s estimator takes no square of the number of declarations", (_, estimator) => {
  const expression = values(30_000, sumOf(30_000));
  const asked = {
    estimator,
    hasVerifierLimit: false,
    isOwnerUnknown: true,
    hasLimits: false,
    allowance: offChainAllowance(),
  };
  const elapsedMs = processorClock();
  const script = { content: "expression", libraryVersion: 6, expression: values(30_000, expression) } as const;
  expect(estimateScript(script, asked).maximum).toBeGreaterThan(0n);
  expect(elapsedMs()).toBeLessThan(20_000);
});
