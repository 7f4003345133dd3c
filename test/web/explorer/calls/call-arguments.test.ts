import { describe, expect, it } from "vitest";
import { ArgumentError, parseArgument } from "../../../../web/explorer/calls/call-arguments.ts";

describe("parseArgument", () => {
  it.each([
    ["Int", "9223372036854775807", { type: "integer", value: 9_223_372_036_854_775_807n }],
    ["Int", " -1,000 ", { type: "integer", value: -1_000n }],
    ["Boolean", "true", { type: "boolean", value: true }],
    ["String", " as it is ", { type: "string", value: " as it is " }],
    ["String", "", { type: "string", value: "" }],
    ["ByteVector", "0x00ff", { type: "binary", value: "base64:AP8=" }],
    ["ByteVector", "base64:AP8=", { type: "binary", value: "base64:AP8=" }],
    ["ByteVector", "base58:15Q", { type: "binary", value: "base64:AP8=" }],
    ["ByteVector", "", { type: "binary", value: "base64:" }],
    ["Int|String", "7", { type: "integer", value: 7n }],
    ["Int|String", "seven", { type: "string", value: "seven" }],
    ["List[Int]", "", { type: "list", value: [] }],
    [
      "List[Int|Boolean]",
      "1\nfalse",
      {
        type: "list",
        value: [
          { type: "integer", value: 1n },
          { type: "boolean", value: false },
        ],
      },
    ],
  ])("reads for %s the text %j", (type, typed, argument) => {
    expect(parseArgument(type, typed)).toEqual(argument);
  });

  it.each([
    ["Int", "9223372036854775808"],
    ["Int", "1.5"],
    ["Int", ""],
    ["Boolean", "yes"],
    ["ByteVector", "0x0"],
    ["ByteVector", "base64:A"],
    ["ByteVector", "0OIl"],
    ["List[Int]", "1\n\n2"],
  ])("refuses for %s the text %j", (type, typed) => {
    expect(() => parseArgument(type, typed)).toThrow(ArgumentError);
  });
});
