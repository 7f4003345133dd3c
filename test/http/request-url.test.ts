/** Shortcuts in URL parsing have the same results as URL. */
import { expect, test } from "vitest";
import { readRequestUrl } from "../../src/http/request-url.ts";

const origins = [
  "http://node.test",
  "http://127.0.0.1:6869",
  "https://node.test",
  "http://NODE.test",
  "http://u@node.test",
];
const odd = [
  "http://node.test:80",
  "http://node.test?a",
  "http://node.test#a",
  "http://1.2.3.999",
  "http://a b",
  "http://",
];
const paths = [
  "",
  "/",
  "/blocks/height",
  "/blocks/height/",
  "//blocks//height",
  "/alias/by-alias/alias:R:name_1~",
  "/blocks/./height",
  "/blocks/../height",
  "/blocks/%2e%2e/height",
  "/blocks/%2E/height",
  "/addresses/data/a/k%20e.y",
  "/a\\b",
  "/a\tb",
  "/ä",
  "/blocks/seq/1/2?one=1&one=2",
  "/blocks?",
  "/blocks#height",
];

// Twice: the first time an origin is unknown.
for (const origin of [...origins, ...odd, ...origins])
  for (const path of paths)
    test(`${origin}${JSON.stringify(path)}`, () => {
      const text = origin + path;
      const url = URL.canParse(text) ? new URL(text) : undefined;
      const read = readRequestUrl(text);
      expect(read?.path).toBe(url?.pathname);
      expect(read?.searchParams.getAll("one")).toEqual(url?.searchParams.getAll("one"));
      expect(read?.searchParams.toString()).toBe(url?.searchParams.toString());
    });

test("what only looks like the origin of an earlier URL is none", () => {
  expect(readRequestUrl("http://node.test?a/b")?.path).toBe("/");
  expect(readRequestUrl("http://node.test?a/b")?.path).toBe("/");
  expect(readRequestUrl("http://node.test/b")?.path).toBe("/b");
});

test.each([
  ["/%62lock%73/heigh%74", "/blocks/height"],
  ["/a%2Db%2e%5f%7E%30/%41", "/a-b._~0/A"],
  ["/blocks%2Fheight", "/blocks%2Fheight"],
  ["/blocks%2fheight%25%20%3f%C3%a4", "/blocks%2fheight%25%20%3f%C3%a4"],
  ["/x/%2E%2e/blocks", "/blocks"],
])("of %s the path is %s: letters may be encoded, slashes mean something else then", (asked, path) => {
  expect(readRequestUrl(`http://node.test${asked}`)?.path).toBe(path);
});
