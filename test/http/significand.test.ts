import { expect, test } from "vitest";
import { withSignificandStrings } from "../../src/http/significand.ts";
import { JsonDecimal, jsonText } from "../../src/protocol/json.ts";

test("numbers of significant fields become strings, at any depth below them", () => {
  const value = {
    fee: 100_000n,
    timestamp: 1_600_000_000_000n,
    rewardShares: { "3Paddress": 600_000_000n },
    transfers: [{ amount: 9_223_372_036_854_775_807n, recipient: "3Paddress" }],
    value: { type: "Array", value: [{ type: "Int", value: 5 }, 7] },
    height: 3,
  };
  expect(jsonText(withSignificandStrings(value))).toBe(
    '{"fee":"100000","timestamp":1600000000000,"rewardShares":{"3Paddress":"600000000"},' +
      '"transfers":[{"amount":"9223372036854775807","recipient":"3Paddress"}],' +
      '"value":{"type":"Array","value":[{"type":"Int","value":"5"},"7"]},"height":3}',
  );
});

test("decimals of significant fields become texts with their digits", () => {
  expect(withSignificandStrings({ value: new JsonDecimal("1.5"), height: new JsonDecimal("1.5") })).toEqual({
    value: "1.5",
    height: new JsonDecimal("1.5"),
  });
});

test("null, texts and booleans of significant fields stay what they are", () => {
  const value = { minSponsoredAssetFee: null, value: "text", in: true };
  expect(withSignificandStrings(value)).toEqual(value);
});
