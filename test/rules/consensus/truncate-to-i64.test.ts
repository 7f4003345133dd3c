import { expect, test } from "vitest";
import { truncateToI64 } from "../../../src/rules/consensus/truncate-to-i64.ts";

test("a double loses its fraction and its excess over 64 bits, as in Java", () => {
  expect([2.9, -2.9, 0.5, -0.5].map(truncateToI64)).toEqual([2n, -2n, 0n, 0n]);
  expect(truncateToI64(Number.NaN)).toBe(0n);
  const [lowest, highest] = [-(2n ** 63n), 2n ** 63n - 1n];
  expect([2 ** 63, 1e300, Number.POSITIVE_INFINITY].map(truncateToI64)).toEqual([highest, highest, highest]);
  expect([-(2 ** 63), -1e300, Number.NEGATIVE_INFINITY].map(truncateToI64)).toEqual([lowest, lowest, lowest]);
  // The doubles next to the limits.
  expect(truncateToI64(2 ** 63 - 1024)).toBe(2n ** 63n - 1024n);
  expect(truncateToI64(-(2 ** 63) + 1024)).toBe(lowest + 1024n);
});
