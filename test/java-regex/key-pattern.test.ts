import { describe, expect, test } from "vitest";
import { KeyPattern } from "../../src/java-regex/key-pattern.ts";

const plenty = 100_000_000;
/** Cost of a step, in comparisons of a character. */
const stepWork = 5;
const matches = (pattern: string, key: string): boolean | undefined => KeyPattern.parse(pattern, plenty)?.matches(key);

describe("a pattern matches a key as a whole", () => {
  test.each([
    ["", ["", ["a"]]],
    ["abc", ["abc", ["abcd", "ab", "xabc"]]],
    ["a|bc", ["bc", ["abc", "c"]]],
    ["int_.*|str_.*", ["str_12", ["int", "xint_1"]]],
    [".*1.*", ["a1b", ["ab", "a\n1"]]],
    ["(?s).*1.*", ["a\n1", ["a"]]],
    ["\\d+", ["0123", ["", "1a", "١"]]],
    ["[a-m].*", ["gx", ["x", "G"]]],
    ["[^a-c\\d]+", ["xyz", ["xa", "x1", ""]]],
    ["[]a]+", ["]a", ["b"]]],
    ["[a\\-z]+", ["a-z", ["b"]]],
    ["[-a]+", ["-a", ["b"]]],
    ["[a-z&&[^m-p]]+", ["az", ["m", "A"]]],
    ["[a-c[x-z]]+", ["ay", ["d"]]],
    ["(ab){2,3}", ["ababab", ["ab", "abababab"]]],
    ["a{2}", ["aa", ["a", "aaa"]]],
    ["a{2,}", ["aaaa", ["a"]]],
    ["(?:a*)*b", ["aaab", ["aaa"]]],
    ["(a|aa)+$", ["aaaa", ["aab"]]],
    ["a+?b??", ["aaa", ["b"]]],
    ["(?<name>x)y", ["xy", ["x"]]],
    ["(?i)straße_[A-C]", ["STRAßE_b", ["STRASSE_b"]]],
    ["(?i:A)b", ["ab", ["aB"]]],
    ["(?iu)ä", ["Ä", ["a"]]],
    ["\\Q.*\\E+", [".**", ["a", ".*.*"]]],
    ["\\p{Upper}\\p{Alpha}", ["Ab", ["äb"]]],
    ["\\p{L}\\pN", ["ä5", ["55"]]],
    ["\\P{Lu}", ["a", ["A"]]],
    ["\\p{IsCyrillic}+", ["ключ", ["key"]]],
    ["\\x41\\u0042\\x{43}\\t", ["ABC\t", ["abc\t"]]],
    ["\\.\\[\\]\\{\\}\\/", [".[]{}/", ["a"]]],
    ["^%s%s__.+$", ["%s%s__x", ["%s%s__"]]],
    ["(?!.*_old).*", ["price", ["price_old"]]],
    [".*(?<!_old)", ["price", ["price_old"]]],
    ["(?=.*\\d)[a-z0-9]+", ["a1", ["ab"]]],
    ["\\bkey\\b.*", ["key one", ["keys"]]],
    ["a++b", ["aab", ["aa"]]],
    ["(?>a|ab)c", ["ac", ["abc"]]],
    [".", ["😀", ["ab", ""]]],
    ["]}", ["]}", ["]"]]],
  ] as const)("%j", (pattern, [key, others]) => {
    expect(matches(pattern, key)).toBe(true);
    for (const other of others) expect([other, matches(pattern, other)]).toEqual([other, false]);
  });

  test("what was taken for certain is not given back", () => {
    expect(matches("a*+a", "aaa")).toBe(false);
    expect(matches("a*a", "aaa")).toBe(true);
  });

  test("a line terminator may follow the end that a pattern names", () => {
    expect(matches("a$\\n", "a\n")).toBe(true);
    expect(matches("a\\z\\n", "a\n")).toBe(false);
    expect(matches("(?m)a$\\n^b", "a\nb")).toBe(true);
    expect(matches("a\\Rb", "a\r\nb")).toBe(true);
  });
});

describe("no pattern", () => {
  test.each([
    "[",
    "(",
    ")",
    "a)",
    "*",
    "+a",
    "a**",
    "{1}",
    "a{",
    "a{x}",
    "a{2,1}",
    "[z-a]",
    "[a",
    "\\",
    "\\y",
    "\\p{Nothing}",
    "\\p{constructor}",
    "\\p{",
    "(?z)",
    "(?<1a>x)",
    "\\x4",
    "\\x{110000}",
  ])("%j", (pattern) => {
    expect(KeyPattern.parse(pattern, plenty)).toBeUndefined();
  });

  test.each([
    ["a back reference", "(a)\\1"],
    ["a count without measure", "a{100000}"],
    ["a pattern that unfolds without measure", "((a{100}){100}){100}"],
    ["groups without end", "(".repeat(2000) + ")".repeat(2000)],
    ["a pattern longer than any key", "a".repeat(5000)],
    ["nothing, counted without measure", "(((){1000}){1000}){1000}"],
  ])("%s", (_, pattern) => {
    expect(KeyPattern.parse(pattern, plenty)).toBeUndefined();
  });
});

describe("a hostile pattern", () => {
  test.each([
    ["(a+)+b", 10_000],
    ["(a*)*b", 10_000],
    ["(a|a)*b", 10_000],
    ["(?:(?:a?){30}a{30})+b", 200_000],
    ["(?=(a+)+b).*|(?!(a*)*).*b", 20_000],
  ])("%s takes no more steps than it has, for each character", (pattern, steps) => {
    expect(KeyPattern.parse(pattern, steps * stepWork)?.matches("a".repeat(400))).toBe(false);
  });

  test("is cut off when all keys together take too long", () => {
    const pattern = KeyPattern.parse("(a+)+b", 5000 * stepWork) as KeyPattern;
    const matchAll = () => Array.from({ length: 10 }, () => pattern.matches("a".repeat(400)));
    expect(matchAll).toThrow(RangeError);
  });
});
