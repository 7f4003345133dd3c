import { describe, expect, test } from "vitest";
import { maxBodySizeBytes } from "../../../src/http/route-request.ts";
import { compile } from "../../../src/ride/compiler/compile.ts";
import { compileExpression } from "../../../src/ride/compiler/compile-expression.ts";
import {
  evaluationAttempts,
  MAX_EVALUATION_TOKENS,
  MAX_SCRIPT_TOKENS,
  refuseLongExpressions,
  refuseLongSources,
  SourceTooLong,
} from "../../../src/ride/compiler/source-bound.ts";
import type { Estimator } from "../../../src/ride/estimator/script-complexity.ts";
import { processorClock } from "../../support/fixtures/processor-time.ts";

const tokens = (count: number): string => "+1".repeat(count / 2);
const request = { libraries: {}, estimator: 2 as Estimator, defaultLibraryVersion: 6, compacts: false };

describe("the longest source", () => {
  test("is counted by its words and signs, texts count one", () => {
    expect(() => refuseLongSources([`let a = "b c \\" d" + 1`], 6)).not.toThrow();
    expect(() => refuseLongSources([`let a = "b c \\" d" + 1`], 5)).toThrow(SourceTooLong);
    expect(() => refuseLongSources(["let a", "let b"], 3)).toThrow(SourceTooLong);
  });

  test.each([
    ["no comment", `base58'#' ${tokens(20)}`],
    ["no text", `base64'"' ${tokens(20)} base16'"'`],
  ])("has bytes that begin %s", (_, source) => {
    expect(() => refuseLongSources([source], 10)).toThrow(SourceTooLong);
    expect(() => refuseLongSources([source], 24)).not.toThrow();
  });

  test("may have any number of comments", () => {
    expect(() => refuseLongSources(["# a b c d\n".repeat(100), "true"], 1)).not.toThrow();
  });

  test.each([
    ["signs", "1+"],
    ["texts that are open", '"a'],
    ["backslashes", '"\\'],
    ["comments", "#\n"],
    ["a word", "aa"],
  ])("is found at once in a body of %s", (_, part) => {
    const elapsedMs = processorClock();
    try {
      refuseLongSources([part.repeat(maxBodySizeBytes / 2)], MAX_SCRIPT_TOKENS);
    } catch (error) {
      expect(error).toBeInstanceOf(SourceTooLong);
    }
    expect(elapsedMs()).toBeLessThan(10_000);
  });

  test("holds a dApp of 160 KB", () => {
    const callable = (at: number) => `@Callable(i)
func call${at}(amount: Int, name: String) = {
  let sum = amount + ${at}
  [IntegerEntry(name, sum), StringEntry(name, "value ${at}")]
}
`;
    const source = Array.from({ length: 1_120 }, (_, at) => callable(at)).join("");
    expect(source.length).toBeGreaterThan(160_000);
    expect(() => refuseLongSources([source], MAX_SCRIPT_TOKENS)).not.toThrow();
    expect(() => refuseLongExpressions([source])).not.toThrow();
  });

  test("has no expression of more than 8,000 tokens in a row", () => {
    const operands = (count: number) => "&& a".repeat(count / 3);
    expect(() => refuseLongExpressions([`a ${operands(7_998)}`])).not.toThrow();
    expect(() => refuseLongExpressions([`a ${operands(8_001)}`])).toThrow(SourceTooLong);
    expect(() => refuseLongExpressions([`a ${operands(6_000)}, a ${operands(6_000)}`])).not.toThrow();
    expect(() => refuseLongExpressions([`if a ${operands(6_000)} then a ${operands(6_000)}`])).not.toThrow();
  });

  test("is compiled less often until its names are known than a short one", () => {
    expect(refuseLongSources(["a + b"], 3)).toBe(3);
    expect([0, 3, 10_000, 20_000, MAX_EVALUATION_TOKENS].map(evaluationAttempts)).toEqual([20, 20, 20, 10, 8]);
  });

  test("is not compiled when it is longer: the compiler would take all available memory", async () => {
    const source = `1${tokens(1_000_000)} == 1`;
    await expect(compile({ ...request, source })).rejects.toThrow(SourceTooLong);
    await expect(compile({ ...request, source: "true", libraries: { long: source } })).rejects.toThrow(SourceTooLong);
    await expect(compileExpression(`1${tokens(MAX_EVALUATION_TOKENS)}`, 6)).rejects.toThrow(SourceTooLong);
  });
});
