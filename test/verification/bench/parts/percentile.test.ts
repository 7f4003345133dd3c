import { expect, test } from "vitest";
import { percentile } from "../../../../verification/bench/parts/percentile.ts";

test("a percentile is one of the values, in whatever order they come", () => {
  const values = [5, 1, 4, 2, 3];
  expect(percentile(values, 0.5)).toBe(3);
  expect(percentile(values, 0.99)).toBe(5);
  expect(percentile(values, 1)).toBe(5);
  expect(percentile(values, 0.01)).toBe(1);
  expect(values).toEqual([5, 1, 4, 2, 3]);
});

test("of a hundred values the 99th is the p99, and one that is far off does not move it", () => {
  const values = Array.from({ length: 100 }, (_, index) => (index === 99 ? 1_000_000 : index + 1));
  expect(percentile(values, 0.99)).toBe(99);
});

test("of nothing there is no percentile", () => {
  expect(percentile([], 0.5)).toBeUndefined();
});
