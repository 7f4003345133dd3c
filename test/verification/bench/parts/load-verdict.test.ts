import { expect, test } from "vitest";
import { findViolations, type LoadMeasurements } from "../../../../verification/bench/parts/load-verdict.ts";

const good: LoadMeasurements = {
  errors: [],
  hasCrashed: false,
  lateMs: [100, 1_999],
  ownMs: [50, 900],
  liveMegabytes: [20, 30, 40, 60, 75, 50],
  residentMegabytes: [100, 200, 400, 400, 450, 460],
  heapLimitMegabytes: 110,
};

test("a load holds whose blocks are in time and whose memory is flat", () => {
  expect(findViolations(good)).toEqual([]);
});

test.each<[Partial<LoadMeasurements>, string]>([
  [{ errors: ["503 no"] }, "errors, such as 503 no"],
  [{ hasCrashed: true, heapLimitMegabytes: undefined }, "the runtime crashed"],
  [{ lateMs: [] }, "no key block came"],
  [{ lateMs: [1, 2_000] }, "key blocks came 2000 ms late, or 900 ms without the wait for a core"],
  [{ liveMegabytes: [20, 30, 40, 60, 75, 50.5] }, "what is in use grew by 10.5 MB"],
  [{ liveMegabytes: [40, 50] }, "what is in use was not seen"],
  [{ residentMegabytes: [1, 1, 100, 100, 100, 120] }, "memory grew by 20 %"],
  [{ residentMegabytes: [] }, "memory grew by NaN %"],
  [{ heapLimitMegabytes: undefined }, "the bound on the heap does not act"],
])("%j does not hold", (changed, message) => {
  expect(findViolations({ ...good, ...changed })).toEqual([message]);
});
