import { describe, expect, test } from "vitest";
import { StepResults } from "../../../../durable/chain-state/chain/step-results.ts";
import { SliceSpent, WorkSlice } from "../../../../durable/chain-state/chain/work-slice.ts";
import { testDatabase } from "../../../../verification/sqlite/test-database.ts";

describe("a long step that throws", () => {
  const failing = {
    name: "proof",
    inputs: [],
    work: 60,
    compute: () => {
      throw new Error("no point of the curve");
    },
  };

  test("counts as work: enough of them end the call as others do", () => {
    const work = new WorkSlice(100, new StepResults(testDatabase()));
    // Each is a step of a transaction that fails, whose effects are known to the next call.
    const transaction = () => {
      work.assertBudget();
      expect(() => work.step(failing)).toThrow("no point of the curve");
      work.noteFound();
    };
    transaction();
    expect(work.spent).toBe(60);
    expect(() => work.step(failing)).toThrow(SliceSpent);
  });
});
