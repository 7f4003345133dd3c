import { expect, test } from "vitest";
import { added, dollarsOf, monthOf, SUBSCRIPTION } from "../../../../verification/bench/parts/prices.ts";

test("what goes beyond a month's part is charged, and nothing else", () => {
  expect(monthOf({})).toBe(SUBSCRIPTION);
  expect(monthOf({ workerRequests: 10e6, d1RowsWritten: 50e6 })).toBe(SUBSCRIPTION);
  // Example of the pricing page: 15 million requests of 7 ms.
  expect(monthOf({ workerRequests: 15e6, workerCpuMs: 105e6 })).toBeCloseTo(8, 9);
  // Example of one object, active for a million seconds. The pricing page rounds up to whole millions; here half a
  // million is over.
  expect(monthOf({ objectRequests: 1.5e6, objectGigabyteSeconds: 128e3 })).toBeCloseTo(5.075, 9);
});

test("what is charged by itself has nothing included", () => {
  expect(dollarsOf({ workerRequests: 1e6, kvReads: 1e6 })).toBeCloseTo(0.8, 9);
});

test("usages add up", () => {
  expect(added([{ kvReads: 2 }, 3], [{ kvReads: 1, kvWrites: 1 }, 2])).toEqual({ kvReads: 8, kvWrites: 2 });
});
