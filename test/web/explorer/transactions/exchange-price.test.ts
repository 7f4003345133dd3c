import { expect, it } from "vitest";
import { paidAmount, priceDecimals } from "../../../../web/explorer/transactions/exchange-price.ts";

it.each([
  [1n, 8n, 8n, 8n],
  [2n, 8n, 2n, 2n],
  [2n, 0n, 8n, 16n],
  [3n, 8n, 2n, 8n],
  [3n, 0n, 8n, 8n],
])("a price of version %s, for %s decimals in %s decimals, has %s", (version, traded, paid, decimals) => {
  expect(priceDecimals({ version }, traded, paid)).toBe(decimals);
});

it("what is paid is the same amount, whichever way the price is written", () => {
  // 3 whole units at 2.5 each; the amount asset has 8 decimals, the price asset 2.
  expect(paidAmount(300_000_000n, 250n, 2n, 8n, 2n)).toBe(750n);
  expect(paidAmount(300_000_000n, 250_000_000n, 8n, 8n, 2n)).toBe(750n);
});
