import { describe, expect, test } from "vitest";
import { PortionSpent } from "../../durable/chain/portion-work.ts";
import { JudgingPortions } from "../../durable/judging-portions.ts";
import { testDatabase } from "../../scripts/tools/sqlite/test-database.ts";
import { i32Bytes } from "../../src/crypto/bytes.ts";

/** Calls about challenging blocks, of which none comes to its end; and how often each had to begin anew. */
class Calls {
  readonly #portions = new JudgingPortions(testDatabase());
  readonly begun = new Map<number, number>();

  async make(...numbers: readonly number[]): Promise<void> {
    for (const number of numbers) {
      const judged = this.#portions.run(async (call) => {
        call.justify(i32Bytes(number), () => void this.begun.set(number, (this.begun.get(number) ?? 0) + 1));
        throw new PortionSpent();
      });
      expect(await judged).toBe("unfinished");
    }
  }
}

describe("results of long steps", () => {
  /** Computes the step, and counts how often. */
  class Steps {
    readonly database = testDatabase();
    readonly portions = new JudgingPortions(this.database);
    computed = 0;

    judge(block: number, isLast: boolean): Promise<unknown> {
      return this.portions.run(async (call) => {
        call.of(i32Bytes(block), true);
        const compute = () => Uint8Array.of(++this.computed);
        call.work.step({ name: "power", inputs: [], work: 1, compute });
        if (!isLast) throw new PortionSpent();
        return "judged";
      });
    }
  }

  test("stay as long as another block is under way", async () => {
    const steps = new Steps();
    for (const block of [1, 2, 2]) await steps.judge(block, false);
    await steps.judge(1, true);
    await steps.judge(2, false);
    expect(steps.computed).toBe(1);
  });

  test("go with the last block that they were of use for", async () => {
    const steps = new Steps();
    for (const block of [1, 1]) await steps.judge(block, false);
    await steps.judge(1, true);
    expect(steps.computed).toBe(1);
    await steps.judge(2, true);
    expect(steps.computed).toBe(2);
  });
});

describe("what is known of blocks", () => {
  test("is kept of the one whose judgement goes on, however many others come between its calls", async () => {
    const calls = new Calls();
    // Until it is its turn it waits behind others.
    await calls.make(1, 101, 102, 103, 104);
    for (let turn = 0; turn < 50; turn++)
      await calls.make(1, 1_000 + 4 * turn, 1_001 + 4 * turn, 1_002 + 4 * turn, 1_003 + 4 * turn);
    expect(calls.begun.get(1)).toBe(2);
  });

  test("is kept of two of them, as what is sent by itself and an extension may hold", async () => {
    const calls = new Calls();
    await calls.make(1, 2);
    for (let turn = 0; turn < 50; turn++) await calls.make(1, 1_000 + 2 * turn, 2, 1_001 + 2 * turn);
    expect([calls.begun.get(1), calls.begun.get(2)]).toEqual([1, 1]);
  });

  test("is not kept of those with which nobody goes on any more", async () => {
    const calls = new Calls();
    for (const left of [1, 2, 3, 4, 5]) await calls.make(left, left, left);
    for (let turn = 0; turn < 50; turn++) await calls.make(6, 1_000 + 3 * turn, 1_001 + 3 * turn, 1_002 + 3 * turn);
    expect(calls.begun.get(6)).toBeLessThanOrEqual(2);
  });
});
