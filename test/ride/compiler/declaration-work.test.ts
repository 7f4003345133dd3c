import { describe, expect, test } from "vitest";
import { compile } from "../../../src/ride/compiler/compile.ts";
import { compileExpression } from "../../../src/ride/compiler/compile-expression.ts";
import { quickestEstimator } from "../../../src/ride/compiler/declaration-work.ts";
import { SourceTooLong } from "../../../src/ride/compiler/source-bound.ts";
import type { Estimator } from "../../../src/ride/estimator/script-complexity.ts";

const head = "{-# STDLIB_VERSION 6 #-}\n{-# CONTENT_TYPE DAPP #-}\n{-# SCRIPT_TYPE ACCOUNT #-}\n";
const newest: Estimator = { fixesOverflow: true, hasOverhead: false, fixesArguments: true };
const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => `${line(at)}\n`).join("");

const flat = (count: number) => lines(count, (at) => `let a${at} = ${at} + 1`);
const chain = (count: number) => `let a0 = 1\n${lines(count, (at) => `let a${at + 1} = a${at} + 1`)}`;
/** Source of `count` functions, each used twice by the next value. */
const given = (count: number) =>
  `let a0 = 1\n${lines(count, (at) => `func f${at}() = a${at}\nlet a${at + 1} = f${at}() + f${at}()`)}`;
const sums = (count: number) =>
  `let a0 = 1\nlet a1 = 1\n${lines(count, (at) => `let a${at + 2} = a${at + 1} + a${at}`)}`;
const callables = (count: number) => lines(count, (at) => `@Callable(i)\nfunc c${at}() = { let a = f(g(${at}))\n [] }`);

describe("the compiler's estimator", () => {
  test.each([
    ["many values", flat(3_000)],
    [
      "many callables, which share functions and values",
      `${flat(100)}func f(x: Int) = a1 + a2\nfunc g(x: Int) = f(x)\n${callables(900)}`,
    ],
    [
      "functions whose own values have the same names",
      lines(1_500, (at) => `func c${at}(a: Int) = { let sum = a + ${at}\n sum + sum }`),
    ],
    ["short ways from one to the next", chain(200)],
    ["names in functions, texts and comments", `${flat(5)}func f(a0: Int) = { let b = "a1" # a2 {\n b }\n`],
  ])("is the third for %s", (_, source) => {
    expect(quickestEstimator([head + source])).toBe(3);
  });

  test.each([
    ["long ways", chain(300)],
    ["ways that double", given(20)],
    ["ways that meet", sums(30)],
    ["ways inside of a function", `func f() = {\n${given(20)}a0 }\n`],
    [
      "ways through functions that hold their values",
      `let a0 = 1\n${lines(20, (at) => `func f${at}() = { let b = a${at}\n b }\nlet a${at + 1} = f${at}() + f${at}()`)}`,
    ],
  ])("is the first for %s", (_, source) => {
    expect(quickestEstimator([head + source])).toBe(1);
    expect(quickestEstimator([source, head])).toBe(1);
  });

  test.each([
    ["long ways among many values", chain(701)],
    ["ways that double among many functions", given(20) + lines(700, (at) => `func g${at}() = ${at}`)],
    [
      "longer ways",
      `func f0() = 1\n${given(20)}${lines(400, (at) => `func g${at + 1}() = g${at}()`)}`.replace("g0()", "f0()"),
    ],
  ])("is none for %s", (_, source) => {
    expect(() => quickestEstimator([head + source])).toThrow(SourceTooLong);
  });
});

describe("a source is compiled in bounded time", () => {
  const request = { libraries: {}, estimator: newest, defaultLibraryVersion: 6, compacts: false };
  const callable = `@Callable(i)\nfunc call() = [IntegerEntry("a", a2)]\n`;

  test("whose functions give values away", async () => {
    const { callableComplexities } = await compile({ ...request, source: `${head}${given(40)}${callable}` });
    const few = await compile({ ...request, source: `${head}${given(4)}${callable}` });
    expect(callableComplexities).toEqual(few.callableComplexities);
  });

  test("whose values are sums of two others: its estimate is given up", async () => {
    await expect(compile({ ...request, source: `${head}${sums(40)}` })).rejects.toThrow(SourceTooLong);
  });

  test("that calls a dApp", async () => {
    const source = `${given(40).replace(/^let a0/, "let a0")}a2`;
    await expect(compileExpression(source, 6)).resolves.toMatchObject({ kind: "block" });
  });

  test("whose values lead from one to the next all the way", async () => {
    await expect(compile({ ...request, source: `${head}${chain(13_000)}` })).rejects.toThrow(SourceTooLong);
  });
});
