import { describe, expect, test } from "vitest";
import { PortionSpent, PortionWork } from "../../../durable/chain/portion-work.ts";
import { StepResults } from "../../../durable/chain/step-results.ts";
import { testDatabase } from "../../../scripts/tools/sqlite/test-database.ts";

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
    const work = new PortionWork(100, new StepResults(testDatabase()));
    // Each is a step of a transaction that fails, whose effects are known to the next call.
    const transaction = () => {
      work.expectRoom();
      expect(() => work.step(failing)).toThrow("no point of the curve");
      work.noteFound();
    };
    transaction();
    expect(work.spent).toBe(60);
    expect(() => work.step(failing)).toThrow(PortionSpent);
  });
});
