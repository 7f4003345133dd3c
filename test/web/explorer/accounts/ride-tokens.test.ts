import { expect, it } from "vitest";
import { rideTokens } from "../../../../web/explorer/accounts/ride-tokens.ts";

const lines = [
  "{-# STDLIB_VERSION 6 #-}",
  "@Callable(i)",
  'func buy (item,count) = if ((price > 1_000)) then throw("a \\"lamp\\" # none") else [IntegerEntry(item, 5)]',
  "let vault = Address(base58'3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF') # the vault",
  "",
  "   $Tuple2(nil, <script>)",
];

it.each(lines)("rideTokens gives all of the line, in its order: %s", (line) => {
  expect(
    rideTokens(line)
      .map(({ text }) => text)
      .join(""),
  ).toBe(line);
});

it("rideTokens tells what is what", () => {
  const kinds = (line: string) =>
    rideTokens(line).flatMap(({ kind, text }) => (kind === "plain" ? [] : [[kind, text]]));
  expect(kinds(lines[2] as string)).toEqual([
    ["keyword", "func"],
    ["call", "buy"],
    ["keyword", "if"],
    ["number", "1_000"],
    ["keyword", "then"],
    ["call", "throw"],
    ["text", '"a \\"lamp\\" # none"'],
    ["keyword", "else"],
    ["type", "IntegerEntry"],
    ["number", "5"],
  ]);
  expect(kinds(lines[3] as string).at(-1)).toEqual(["comment", "# the vault"]);
});
