/** Transactions as JSON text that is inserted into responses. */
import { expect, test } from "vitest";
import { withSignificandStrings } from "../../../src/http/significand.ts";
import { jsonText, RawJson } from "../../../src/protocol/json.ts";
import { wavesFeeOf } from "../../../src/protocol/transactions/raw-transaction-json.ts";

const rawJson = (text: string) => new RawJson(text);

test("a piece gets more members behind its own, and none of none", () => {
  const own = rawJson('{"fee":1}');
  expect(own.with({ height: 2, of: ["a"] }).written).toBe('{"fee":1,"height":2,"of":["a"]}');
  expect(own.with({})).toBe(own);
  expect(own.written).toBe('{"fee":1}');
});

test("a piece stands in other JSON as it was written", () => {
  const value = { list: [rawJson('{"a":1}'), rawJson('{"b": 2}')], one: rawJson('{"c":"\\u0001"}') };
  expect(jsonText(value)).toBe('{"list":[{"a":1},{"b": 2}],"one":{"c":"\\u0001"}}');
});

test("where the client wants it, amounts in pieces are strings, also below a name that is one", () => {
  const inside = rawJson('{"amount":9007199254740993,"height":5,"deep":[{"fee":-1,"decimal":1.5}]}');
  expect(jsonText(withSignificandStrings([inside]))).toBe(
    '[{"amount":"9007199254740993","height":5,"deep":[{"fee":"-1","decimal":1.5}]}]',
  );
  expect(jsonText(withSignificandStrings({ rewardShares: rawJson('{"x":7}') }))).toBe('{"rewardShares":{"x":"7"}}');
});

test("the fee counts where it is paid in WAVES, whatever stands behind it", () => {
  const begin = '{"type":4,"id":"8yhh6z2asJMdWNLWWEzgz59VHbAHL764rXDHc8NfdBbG","fee":';
  expect(wavesFeeOf(rawJson(`${begin}9223372036854775807,"feeAssetId":null,"x":"\\"feeAssetId\\":\\"a\\""}`))).toBe(
    9223372036854775807n,
  );
  expect(wavesFeeOf(rawJson(`${begin}100000,"timestamp":1}`))).toBe(100_000n);
  expect(wavesFeeOf(rawJson(`${begin}5,"feeAssetId":"8yhh6z2asJMdWNLWWEzgz59VHbAHL764rXDHc8NfdBbG"}`))).toBe(0n);
  expect(wavesFeeOf(rawJson('{"type":1,"id":"2","fee":0}'))).toBe(0n);
});

test("what is no transaction has no fee", () => {
  for (const text of ["{}", '{"id":"2","type":1,"fee":0}', ' {"type":1,"id":"2","fee":0}'])
    expect(() => wavesFeeOf(rawJson(text))).toThrow("no JSON of a transaction");
});
