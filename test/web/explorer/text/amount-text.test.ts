import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amountText, integerText, parseAmount } from "../../../../web/explorer/text/amount-text.ts";

describe("amountText", () => {
  it.each([
    [0n, 8n, "0"],
    [1n, 8n, "0.00000001"],
    [123_456_000_000n, 8n, "1,234.56"],
    [9_223_372_036_854_775_807n, 8n, "92,233,720,368.54775807"],
    [9_223_372_036_854_775_807n, 0n, "9,223,372,036,854,775,807"],
    [-5n, 2n, "-0.05"],
    [1_000n, 2n, "10"],
  ])("writes %s of %s decimals as %s", (amount, decimals, text) => {
    expect(amountText(amount, decimals)).toBe(text);
  });

  it("loses no digit: what is written is read again", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 63n - 1n), fc.bigInt(0n, 8n), (amount, decimals) => {
        expect(parseAmount(amountText(amount, decimals), decimals)).toBe(amount);
      }),
      { seed: 37, numRuns: 500 },
    );
  });
});

describe("parseAmount", () => {
  it.each(["", ".", "1.", ".5", "-1", "1e3", "1.123", "one"])("takes %j for no amount of two decimals", (text) => {
    expect(parseAmount(text, 2n)).toBeUndefined();
  });
});

describe("integerText", () => {
  it("puts digits in threes", () => {
    expect(integerText(9_007_199_254_740_993n)).toBe("9,007,199,254,740,993");
  });
});
