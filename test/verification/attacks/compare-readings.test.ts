import { describe, expect, it } from "vitest";
import {
  findMemoryRegressions,
  findRegressions,
  quantile,
  type Reading,
} from "../../../verification/attacks/compare-readings.ts";

const times = (usual: number, last = usual, count = 200): readonly number[] => {
  const slowest = Math.ceil(count / 50);
  return [...new Array<number>(count - slowest).fill(usual), ...new Array<number>(slowest).fill(last)];
};
const reading = (fields: Partial<Reading> = {}): Reading => ({
  ...{ waitsMs: times(200), failed: 0, latenessMs: [50], longestSilenceMs: 100, blockMs: 10_000 },
  ...fields,
});
const regressions = (hostile: Partial<Reading>, honest: Partial<Reading> = {}) =>
  findRegressions(reading(hostile), reading(honest), reading());

describe("faultsOf", () => {
  it("finds none where reads wait at most twice as long in all but a hundredth", () => {
    expect(regressions({ waitsMs: times(10, 400) })).toEqual([]);
    expect(regressions({ waitsMs: times(10, 401) })).toEqual(["reads wait 401 ms (p99), 200 ms under the honest load"]);
  });

  it("finds half of the reads waiting longer", () => {
    expect(regressions({ waitsMs: times(401) })).toHaveLength(2);
  });

  it("finds none where reads hardly wait at all", () => {
    expect(regressions({ waitsMs: times(200) }, { waitsMs: times(1) })).toEqual([]);
  });

  it("compares with the same reads before where there is no honest load", () => {
    expect(findRegressions(reading({ waitsMs: times(10, 401) }), undefined, reading())).toEqual([
      "reads wait 401 ms (p99), 200 ms without it",
    ]);
  });

  it("finds an honest load that is no excuse any more", () => {
    expect(regressions({ waitsMs: times(2_001) }, { waitsMs: times(1_500) })).toEqual([
      "reads wait 2001 ms (p50), 200 ms without any load",
    ]);
  });

  it("finds reads that are too few to tell", () => {
    expect(regressions({ waitsMs: times(10, 10, 199) })).toEqual(["199 reads are too few: at least 200"]);
    expect(findRegressions(reading({}), undefined, reading({ waitsMs: times(200, 200, 199) }))).toHaveLength(1);
  });

  it("finds a node that does not say that it is healthy", () => {
    expect(regressions({ longestSilenceMs: 5_001 })).toEqual(["the node did not say for 5001 ms that it is healthy"]);
  });

  it("finds blocks that come later than the next one is due, where the honest load misses fewer", () => {
    const late = { latenessMs: [50, 10_001] };
    expect(regressions(late)).toEqual(["1 blocks were missed"]);
    expect(regressions(late, late)).toEqual([]);
  });

  it("finds reads that fail", () => {
    expect(regressions({ failed: 3 })).toEqual(["3 reads failed"]);
  });
});

describe("memoryFaults", () => {
  const before = { runtimeBytes: 300 * 2 ** 20, runnerBytes: 100 * 2 ** 20 };

  it("finds a process that grows beyond its bound", () => {
    expect(findMemoryRegressions(before, { runtimeBytes: 556 * 2 ** 20, runnerBytes: 292 * 2 ** 20 })).toEqual([]);
    expect(findMemoryRegressions(before, { runtimeBytes: 557 * 2 ** 20, runnerBytes: 293 * 2 ** 20 })).toEqual([
      "the runtime takes 257 MiB more",
      "the front server takes 193 MiB more",
    ]);
  });
});

describe("quantile", () => {
  it("is the longest wait at its end, and 0 without any", () => {
    expect(quantile([3, 1, 2], 0.5)).toBe(2);
    expect(quantile([3, 1, 2], 1)).toBe(3);
    expect(quantile([], 0.99)).toBe(0);
  });
});
