import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JsonDecimal, jsonText } from "../../src/protocol/json.ts";
import { JsonSyntaxError, parseJson, parseRequestJson } from "../../src/protocol/parse-json.ts";

const hidden = "[Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled);";

function causeOf(text: string): string {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.cause;
    throw error;
  }
  throw new Error("parsed");
}

describe("numbers", () => {
  test("integers are exact whatever their size", () => {
    expect(parseJson("[9223372036854775807,-9223372036854775809,0,-0]")).toEqual([
      9_223_372_036_854_775_807n,
      -9_223_372_036_854_775_809n,
      0n,
      0n,
    ]);
  });

  test("an integer with a fraction of zeros or with an exponent is an integer", () => {
    expect(parseJson("[1.0,1e3,1.5e1,-2.50E+2,100e-2,0.0e9]")).toEqual([1n, 1000n, 15n, -250n, 1n, 0n]);
  });

  test("other numbers keep their text", () => {
    expect(parseJson("[1.5,1e-1,1e400]")).toEqual(["1.5", "1e-1", "1e400"].map((text) => new JsonDecimal(text)));
  });
});

test.each([
  ['{"fee":1e6179}', "java.lang.IllegalArgumentException: Number scale (-6179) is out of limits for field 'fee'"],
  ['{"a":[1e-6179]}', "java.lang.IllegalArgumentException: Number scale (6179) is out of limits for field 'null'"],
  ['{"a":1e99999999999}', "java.lang.NumberFormatException"],
  [`{"a":${"1".repeat(311)}}`, "java.lang.IllegalArgumentException: Number is larger than supported for field 'a'"],
])("a number beyond the limits is refused: %s", (text, cause) => {
  expect(causeOf(text)).toBe(cause);
});

test("numbers at the limits are read", () => {
  expect(parseJson("[1.5e6178,1e-6178]")).toEqual(["1.5e6178", "1e-6178"].map((text) => new JsonDecimal(text)));
  expect(parseJson("1".repeat(310))).toBe(BigInt("1".repeat(310)));
});

describe("as the reference reads requests", () => {
  test("a number has 34 digits at most, and is rounded to the even one of two as near", () => {
    const zeros = "0".repeat(33);
    expect(parseRequestJson(`[1.${zeros}1,1.${zeros}0001,1234567890123456789012345678901234567]`)).toEqual([
      1n,
      1n,
      1_234_567_890_123_456_789_012_345_678_901_235_000n,
    ]);
    expect(parseRequestJson(`[1${zeros}5,1${zeros.slice(1)}15,-${"9".repeat(35)},0.${zeros}1]`)).toEqual([
      10n ** 34n,
      10n ** 34n + 20n,
      -(10n ** 35n),
      new JsonDecimal(`0.${zeros}1`),
    ]);
  });

  test.each([
    "{}5",
    "{} {",
    "[] [",
    '1 "',
    '{} "x',
    "{}{}",
    "null null",
    "{} true",
    "{} -1e5\n9",
    "5 ",
    "null,",
    "null }",
    "null x",
  ])("a token may follow: %j", (text) => {
    expect(() => parseRequestJson(text)).not.toThrow();
  });

  test.each(['0"a', "1[2]", "-1{", '1.5"', "1e5true", "1\u00a0", '{}1"'])(
    "behind a number there is space: %j",
    (text) => {
      expect(() => parseRequestJson(text)).toThrow(JsonSyntaxError);
    },
  );

  test.each(["{}}", "{},", "{} x", "{} tru", "{} truex", "{} 01", "{} 1,", "{} 1]", "{} -", "{} NaN", "{}/**/", "5,"])(
    "nothing else may: %j",
    (text) => {
      expect(() => parseRequestJson(text)).toThrow(JsonSyntaxError);
    },
  );
});

test("members of any name are plain members", () => {
  const parsed = parseJson('{"__proto__":{"x":1},"constructor":2,"a":3,"a":4}');
  expect(jsonText(parsed)).toBe('{"__proto__":{"x":1},"constructor":2,"a":4}');
});

test("escapes are resolved", () => {
  expect(parseJson('"\\u00e9\\n\\/\\"\\ud83d\\ude00"')).toBe('é\n/"😀');
});

describe("text that is not JSON is refused in the words of the reference", () => {
  test.each([
    [
      "{",
      `io.JsonEOFException: Unexpected end-of-input: expected close marker for Object (start marker at ${hidden} line: 1, column: 1])\n at ${hidden} line: 1, column: 2]`,
    ],
    ["", `io.JsonEOFException: Unexpected end-of-input\n at ${hidden} line: 1, column: 1]`],
    [
      "{x}",
      `JsonParseException: Unexpected character ('x' (code 120)): was expecting double-quote to start field name\n at ${hidden} line: 1, column: 3]`,
    ],
    [
      "\n[1 2]",
      `JsonParseException: Unexpected character ('2' (code 50)): was expecting comma to separate Array entries\n at ${hidden} line: 2, column: 5]`,
    ],
    [
      "tru",
      `JsonParseException: Unrecognized token 'tru': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')\n at ${hidden} line: 1, column: 4]`,
    ],
  ])("%j", (text, cause) => {
    expect(causeOf(text)).toBe(`com.fasterxml.jackson.core.${cause}`);
  });

  test.each([
    "[",
    "[1,]",
    '{"a":}',
    '{"a":1,}',
    "01",
    "1.",
    "-",
    ".5",
    "+1",
    '"\\q"',
    '"\\u12"',
    '"a\nb"',
    "1 2",
    "NaN",
    "{}}",
  ])("%j", (text) => {
    expect(() => parseJson(text)).toThrow(JsonSyntaxError);
  });

  test("nesting deeper than 1,000 levels", () => {
    const allowed = "1000, from `StreamReadConstraints.getMaxNestingDepth()`";
    expect(causeOf("[".repeat(100_000))).toBe(
      `com.fasterxml.jackson.core.exc.StreamConstraintsException: Document nesting depth (1001) exceeds the maximum allowed (${allowed})`,
    );
    expect(() => parseJson(`${"[".repeat(1000)}1${"]".repeat(1000)}`)).not.toThrow();
    expect(() => parseJson(`{"a":${"[".repeat(1000)}${"]".repeat(1000)}}`)).toThrow("nesting depth (1001)");
  });
});

test("agrees with JSON.parse on any JSON text, and prints it back", () => {
  void fc.assert(
    fc.property(fc.json(), (text) => {
      const parsed = parseJson(text);
      const reference = JSON.parse(text) as unknown;
      expect(JSON.parse(jsonText(parsed))).toEqual(reference);
    }),
  );
});

test("any text gives a value or a JsonSyntaxError, like JSON.parse", () => {
  const fragments = fc.array(
    fc.constantFrom("{", "}", "[", "]", ",", ":", '"', "a", "1", "-", ".", "e", "\\", "u00", "true", "null", " "),
    {
      maxLength: 12,
    },
  );
  void fc.assert(
    fc.property(fragments, (parts) => {
      const text = parts.join("");
      const accepts = (read: () => unknown): boolean => {
        try {
          read();
          return true;
        } catch (error) {
          if (error instanceof JsonSyntaxError || error instanceof SyntaxError) return false;
          throw error;
        }
      };
      expect(accepts(() => parseJson(text))).toBe(accepts(() => JSON.parse(text)));
    }),
    { numRuns: 5000 },
  );
});
