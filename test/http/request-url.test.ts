/** What is read of URLs in short cuts is what URL reads. */
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
