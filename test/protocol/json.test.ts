import { expect, test } from "vitest";
import { JsonDecimal, jsonText } from "../../src/protocol/json.ts";
import { parseJson } from "../../src/protocol/parse-json.ts";

test("64-bit integers are printed as bare digits", () => {
  expect(jsonText({ amount: 9_223_372_036_854_775_807n, fee: 0, low: -1n })).toBe(
    '{"amount":9223372036854775807,"fee":0,"low":-1}',
  );
});

test("members keep the order in which they were given", () => {
  expect(jsonText({ b: null, a: [true, "x", []], c: {} })).toBe('{"b":null,"a":[true,"x",[]],"c":{}}');
});

test("control characters are escaped short where there is a short form, else in upper-case hex; the rest stays UTF-8", () => {
  expect(jsonText('é\u2028"\\/\n\u001f\u0000')).toBe('"é\u2028\\"\\\\/\\n\\u001F\\u0000"');
});

test("half of a surrogate pair, which has no UTF-8, is a question mark", () => {
  expect(jsonText(["a\ud83d", "\ude00\n", "\u{1f600}"])).toBe('["a?","?\\n","\u{1f600}"]');
});

test.each([
  [10n ** 20n - 1n, "99999999999999999999"],
  [10n ** 19n, "10000000000000000000"],
  [10n ** 20n, "1E+20"],
  [-(10n ** 20n), "-1E+20"],
  [12n * 10n ** 28n, "1.2E+29"],
  [-123_456_789_012_345_678_901_234_567_890n, "-1.2345678901234567890123456789E+29"],
  [123_456_789_012_345_678_901_234_567_891n, "123456789012345678901234567891"],
])("the integer %d of a script is printed as the reference prints it", (value, text) => {
  expect(jsonText(value)).toBe(text);
  expect(parseJson(text)).toBe(value);
});

test("a decimal keeps its text", () => {
  expect(jsonText([new JsonDecimal("1.50e400")])).toBe("[1.5E+400]");
});

test("a number that is not an exact integer is a bug of the caller", () => {
  expect(() => jsonText(0.5)).toThrow(RangeError);
  expect(() => jsonText(2 ** 53)).toThrow(RangeError);
});
