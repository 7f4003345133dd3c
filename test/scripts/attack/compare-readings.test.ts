import { describe, expect, it } from "vitest";
import { faultsOf, quantile, type Reading } from "../../../scripts/attack/compare-readings.ts";

const reading = (fields: Partial<Reading> = {}): Reading => ({
  ...{ waitsMs: [200], failed: 0, latenessMs: [50], blockMs: 10_000 },
  ...fields,
});
const waits = (usual: number, last: number) => [...new Array<number>(98).fill(usual), last, last];

describe("faultsOf", () => {
  it("finds none where reads wait at most twice as long in all but a hundredth", () => {
    expect(faultsOf(reading({ waitsMs: waits(10, 400) }), reading())).toEqual([]);
    expect(faultsOf(reading({ waitsMs: waits(10, 401) }), reading())).toHaveLength(1);
  });

  it("finds none where reads hardly wait at all", () => {
    expect(faultsOf(reading({ waitsMs: [200] }), reading({ waitsMs: [1] }))).toEqual([]);
  });

  it("finds blocks that come later than the next one is due, where the honest load misses fewer", () => {
    const late = { latenessMs: [50, 10_001] };
    expect(faultsOf(reading(late), reading())).toEqual(["1 blocks were missed"]);
    expect(faultsOf(reading(late), reading(late))).toEqual([]);
  });

  it("finds reads that fail", () => {
    expect(faultsOf(reading({ failed: 3 }), reading())).toEqual(["3 reads failed"]);
  });
});

describe("quantile", () => {
  it("is the longest wait at its end, and 0 without any", () => {
    expect(quantile([3, 1, 2], 0.5)).toBe(2);
    expect(quantile([3, 1, 2], 1)).toBe(3);
    expect(quantile([], 0.99)).toBe(0);
  });
});
