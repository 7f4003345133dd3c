import { expect, test } from "vitest";
import { oneLine, shortened } from "../../../local/cli/one-line.ts";

test.each([
  ["a clear screen", "\x1b[2J", " [2J"],
  ["a C1 control", "\u009b2J", " 2J"],
  ["an end of line", "a\r\nb", "a b"],
  ["separators of lines and paragraphs", "a\u2028b\u2029c", "a b c"],
  ["embeddings and overrides of direction", "\u202aa\u202bb\u202cc\u202dd\u202ee", " a b c d e"],
  ["isolates", "\u2066a\u2067b\u2068c\u2069", " a b c "],
  ["marks of direction", "\u200ea\u200fb\u061cc", " a b c"],
  ["letters of any script, and signs", "é шалом שלום 🎉 → …", "é шалом שלום 🎉 → …"],
])("of %s what acts on a terminal is left out", (_, text, shown) => {
  expect(oneLine(text)).toBe(shown);
});

test("a text is bounded, and no character is cut in two", () => {
  expect(oneLine("x".repeat(300))).toBe("x".repeat(300));
  expect(oneLine("x".repeat(60_000))).toBe(`${"x".repeat(300)}…`);
  expect(shortened("ab🎉c", 3)).toBe("ab…");
});
