import fc from "fast-check";
import { expect, test } from "vitest";
import { KeyPattern } from "../../src/java-regex/key-pattern.ts";

/** Patterns with the same meaning in both notations. */
const { pattern } = fc.letrec<{ pattern: string; atom: string }>((tie) => ({
  pattern: fc
    .array(
      fc.tuple(tie("atom"), fc.constantFrom("", "", "*", "+", "?", "*?", "{2}", "{1,2}?")).map((it) => it.join("")),
      { maxLength: 3 },
    )
    .map((parts) => parts.join("")),
  atom: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom("a", "b", "c", ".", "\\d", "\\w", "[ab]", "[^a]", "[a-c1]", "(?:\\b)"),
    tie("pattern").map((body) => `(${body})`),
    tie("pattern").map((body) => `(?:${body})`),
    tie("pattern").map((body) => `(?:(?=${body}))`),
    tie("pattern").map((body) => `(?:(?!${body}))`),
    tie("pattern").map((body) => `(?:(?<=${body}))`),
    tie("pattern").map((body) => `(?:(?<!${body}))`),
    fc.tuple(tie("pattern"), tie("pattern")).map(([left, right]) => `(${left}|${right})`),
  ),
}));
const key = fc.string({ unit: fc.constantFrom("a", "b", "c", "1", "_", " ", "\n"), maxLength: 5 });

test("a pattern matches what the same JavaScript expression matches", () => {
  fc.assert(
    fc.property(pattern, fc.array(key, { minLength: 1, maxLength: 5 }), (source, keys) => {
      const found = KeyPattern.parse(source, 10_000_000);
      fc.pre(found !== undefined);
      const expected = new RegExp(`^(?:${source})$`);
      for (const text of keys) expect([text, found.matches(text)]).toEqual([text, expected.test(text)]);
    }),
    { numRuns: 1000 },
  );
});
