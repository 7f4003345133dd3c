import { expect, it } from "vitest";
import { agoText, momentText } from "../../../../web/explorer/text/time-text.ts";

const second = 1_000;
const day = 86_400 * second;

it.each([
  [0, "now"],
  [1.2 * second, "now"],
  [-1.2 * second, "now"],
  [59 * second, "59 s ago"],
  [60 * second, "1 min ago"],
  [3_600 * second, "1 hour ago"],
  [2.5 * day, "2 days ago"],
  [-3 * day, "in 3 days"],
  [2_000 * day, "2,000 days ago"],
])("agoText says of %d ms: %s", (ageMs, text) => {
  expect(agoText(1_795_386_160_968 - ageMs, 1_795_386_160_968)).toBe(text);
});

it("momentText has every millisecond, in universal time", () => {
  expect(momentText(1_795_386_160_968)).toBe("2026-11-22 22:22:40.968 UTC");
});
