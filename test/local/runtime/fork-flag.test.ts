import { expect, test } from "vitest";
import { UsageError } from "../../../local/cli/usage-error.ts";
import { parseForkFlag } from "../../../local/runtime/fork-flag.ts";

test("a fork is a URL, with a height behind it or without", () => {
  expect(parseForkFlag("https://node.example")).toEqual({ url: "https://node.example", height: undefined });
  expect(parseForkFlag("http://127.0.0.1:6869/@17")).toEqual({ url: "http://127.0.0.1:6869", height: 17 });
  expect(parseForkFlag("http://[::1]:6869/behind/here")).toEqual({
    url: "http://[::1]:6869/behind/here",
    height: undefined,
  });
});

test.each([
  "",
  "node.example",
  "ftp://node.example",
  "http://user:secret@node.example",
  "http://node.example?x=1",
  "@5",
])("%j is no fork", (flag) => {
  expect(() => parseForkFlag(flag)).toThrow(UsageError);
});
