import { expect, test } from "vitest";
import { decimalText } from "../../src/protocol/decimal-text.ts";

test.each([
  ["1.5", "1.5"],
  ["-0.25", "-0.25"],
  ["1.50", "1.5"],
  ["15e-1", "1.5"],
  ["1.5E+1", "15"],
  ["0e400", "0"],
  ["-0.0e-400", "0"],
  ["1e400", "1E+400"],
  ["1.50e400", "1.5E+400"],
  ["0.1e-9", "1E-10"],
  ["0.11e-9", "0.00000000011"],
  ["1.1e-11", "1.1E-11"],
  ["123456789012345678901.5", "123456789012345678901.5"],
  [`0.${"1".repeat(40)}`, `0.${"1".repeat(34)}`],
  // Half way: rounds to the even neighbour.
  [`0.${"1".repeat(33)}25`, `0.${"1".repeat(33)}2`],
  [`0.${"1".repeat(33)}35`, `0.${"1".repeat(33)}4`],
  [`0.${"1".repeat(33)}251`, `0.${"1".repeat(33)}3`],
  [`0.${"9".repeat(35)}`, "1"],
])("%s is printed as %s", (text, printed) => {
  expect(decimalText(text)).toBe(printed);
});
