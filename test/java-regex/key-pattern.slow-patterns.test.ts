/**
 * No pattern and key of legal size takes long: their work is counted. `npm run bench -- patterns` measures the time.
 */
import { expect, test } from "vitest";
import { KeyPattern } from "../../src/java-regex/key-pattern.ts";
import { slowCases } from "../support/fixtures/slow-patterns.ts";

const plenty = 1_000_000_000;

test.each(slowCases)("$what, on $of, has an answer or is broken off", ({ pattern, key }) => {
  let answer: unknown;
  try {
    answer = KeyPattern.parse(pattern, plenty)?.matches(key);
  } catch (error) {
    answer = error;
  }
  expect(answer === false || answer === true || answer instanceof RangeError).toBe(true);
});

test("what a class costs counts, once for each of a key's characters", () => {
  const source = `(?iu)(?:[${"\\p{Nd}".repeat(600)}[^x]]?){490}c`;
  const matchesWith = (work: number) => KeyPattern.parse(source, work)?.matches("a".repeat(400));
  expect(matchesWith(10_000_000)).toBe(false);
  expect(() => matchesWith(1000)).toThrow(RangeError);
});

test("patterns whose parts do not stand apart have an answer for every key", () => {
  const answers = slowCases
    .filter(({ pattern }) => !/\(\?[=!<>]/.test(pattern))
    .map(({ pattern, key }) => KeyPattern.parse(pattern, plenty)?.matches(key));
  expect(answers).toHaveLength(30);
  expect(answers.every((answer) => answer === false)).toBe(true);
});
