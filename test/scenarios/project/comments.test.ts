/** Form of comments: openings and line length. Decisions and documents have tests of their own. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../../..");
const MAX_COLUMNS = 120;

// The statements of migrations hold comments of their own, which never change.
const files = globSync(["{src,durable,local,scripts,verification,web,test}/**/*.{ts,tsx,mjs}", "*.config.{ts,mjs}"], {
  cwd: root,
}).filter((file) => !file.startsWith("test/fixtures/") && !file.startsWith("src/tables/migrations/"));

/** Relative clauses and bare genitives, which say nothing in a hover or a search result. */
const unnamed = /^(?:What|Of|Who|Whose|Whom|Those|Where|As|That|Which|Whoever|Nobody) /;

/** Comments of a file with the lines on which they begin. Comments that follow code on their line are left out. */
function commentsOf(text: string): readonly { readonly line: number; readonly text: string }[] {
  return [...text.matchAll(/^[ \t]*(?:\/\*\*?\s*(?:\*\s)?|\/\/ )([^\n]*)/gm)]
    .filter(({ index }) => !isContinued(text, index))
    .map(({ index, 1: first = "" }) => ({ line: text.slice(0, index).split("\n").length, text: first }));
}

/** Whether the line before the comment is a line comment, too. */
function isContinued(text: string, index: number): boolean {
  const before = text.slice(0, index).split("\n").at(-2) ?? "";
  return text.slice(index).trimStart().startsWith("//") && before.trimStart().startsWith("//");
}

const sources = files.map((file) => ({ file, text: readFileSync(path.join(root, file), "utf8") }));

it("reads the sources", () => {
  expect(files.length).toBeGreaterThan(2_000);
});

it("finds openings without a noun, and no others", () => {
  const text =
    "/** What it has. */\n/**\n * Of the chain.\n */\n// As above.\n// Of it.\nconst a = 1; // Of a.\n/** Offers. */\n";
  const found = commentsOf(text).filter((comment) => unnamed.test(comment.text));
  expect(found.map(({ line }) => line)).toEqual([1, 2, 5]);
});

it("begin with a noun or a verb", () => {
  const found = sources.flatMap(({ file, text }) =>
    commentsOf(text).flatMap((comment) => (unnamed.test(comment.text) ? [`${file}:${comment.line}`] : [])),
  );
  expect(found).toEqual([]);
});

it(`end before column ${MAX_COLUMNS + 1}`, () => {
  const found = sources.flatMap(({ file, text }) =>
    text
      .split("\n")
      .flatMap((line, index) =>
        line.length > MAX_COLUMNS && /^\s*(?:\*|\/\/|\/\*)/.test(line) && !/https?:\/\/\S{40}/.test(line)
          ? [`${file}:${index + 1}`]
          : [],
      ),
  );
  expect(found).toEqual([]);
});
