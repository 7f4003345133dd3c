import { describe, expect, it } from "vitest";
import { countReport } from "../../../scripts/test/count-report.ts";

const empty = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] };
const test = (status: string) => ({ status });

describe("countReport", () => {
  it("sums what the test runner counted", () => {
    const report = { ...empty, numPassedTests: 5, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 };
    expect(countReport(report)).toEqual({ passed: 5, failed: 1, skipped: 3 });
  });

  it("counts a file that could not be loaded as one failed test, and a file with failed tests by its tests", () => {
    const testResults = [
      { status: "failed", assertionResults: [] },
      { status: "failed", assertionResults: [test("passed"), test("failed")] },
      { status: "passed", assertionResults: [test("passed")] },
    ];
    const report = { ...empty, numPassedTests: 2, numFailedTests: 1, testResults };
    expect(countReport(report)).toEqual({ passed: 2, failed: 2, skipped: 0 });
  });

  it("counts a missing report as one failed test", () => {
    expect(countReport(undefined)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});
