/** No pattern and key of legal size takes long, whoever wrote them. */
import { expect, test } from "vitest";
import { KeyPattern } from "../../../src/routes/key-pattern/key-pattern.ts";

const maxMs = 100;
const plenty = 1_000_000_000;
const range = (first: number, count: number): string =>
  Array.from({ length: count }, (_, index) => String.fromCharCode(first + index)).join("");

/** Keys have up to 400 bytes. */
const keys = {
  "one letter": "a".repeat(400),
  "two letters": "ab".repeat(200),
  "words of a letter": "a ".repeat(200),
  "one letter of two bytes": "ж".repeat(200),
  "many letters": range(0x20, 95) + range(0x400, 152),
};
/** Patterns have up to 4,000 characters, and what they read each in another way. */
const patterns: Readonly<Record<string, string>> = {
  "a class of 1,300 classes": `(?iu)(?:[${"\\p{Nd}".repeat(600)}${"\\d".repeat(100)}[^x]]?){490}c`,
  "a class of many letters in either case": `(?iu)(?:[${range(0x3400, 1300).repeat(3)}]?){490}c`,
  "a thousand classes": `(?iu)(?:${"[\\p{Lu}\\PN\\S]|".repeat(150)}.)*x`,
  "many ways to match nothing": `${".*".repeat(330)}x`,
  "many choices": `(?:${"a|".repeat(480)}b)*c`,
  "borders of words": `(?:${"\\B|".repeat(300)}.)*x`,
  "a look ahead at each place": `(?:.(?!(?:${"a|".repeat(460)}b)*c))*`,
  "many looks ahead at each place": `(?:.${"(?!.*x)".repeat(100)})*`,
  "looks ahead inside one another": `${"(?=.*".repeat(90)}x${")".repeat(90)}.*`,
  "a look behind at each place": `(?:.(?<!${"a?".repeat(400)}c))*`,
  "a look behind that finds": `(?:.(?<=${".*".repeat(300)}))*`,
  "what is not given back, at each place": `(?:(?>(?:${"a|".repeat(400)}b)*))*c`,
};

/** CPU time of this process: others have the machine, too. */
function spentMs(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const cases = Object.entries(patterns).flatMap(([what, pattern]) =>
  Object.entries(keys).map(([of, key]) => ({ what, pattern, of, key })),
);
test.each(cases)("$what, on $of", ({ pattern, key }) => {
  const run = (): void => {
    try {
      expect(KeyPattern.parse(pattern, plenty)?.matches(key)).toEqual(expect.any(Boolean));
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
    }
  };
  run();
  expect(Math.min(spentMs(run), spentMs(run), spentMs(run))).toBeLessThan(maxMs);
});

test("what a class costs counts, once for each of a key's characters", () => {
  const source = `(?iu)(?:[${"\\p{Nd}".repeat(600)}[^x]]?){490}c`;
  const matchesWith = (work: number) => KeyPattern.parse(source, work)?.matches("a".repeat(400));
  expect(matchesWith(10_000_000)).toBe(false);
  expect(() => matchesWith(1000)).toThrow(RangeError);
});

test("patterns whose parts do not stand apart have an answer for every key", () => {
  const answers = cases
    .filter(({ pattern }) => !/\(\?[=!<>]/.test(pattern))
    .map(({ pattern, key }) => KeyPattern.parse(pattern, plenty)?.matches(key));
  expect(answers).toHaveLength(30);
  expect(answers.every((answer) => answer === false)).toBe(true);
});
