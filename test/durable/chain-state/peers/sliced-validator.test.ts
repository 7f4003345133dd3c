import { describe, expect, test } from "vitest";
import { SliceSpent } from "../../../../durable/chain-state/chain/work-slice.ts";
import { SlicedValidator } from "../../../../durable/chain-state/peers/sliced-validator.ts";
import { i32Bytes } from "../../../../src/crypto/bytes.ts";
import { RuleError } from "../../../../src/protocol/errors.ts";
import type { Transaction } from "../../../../src/protocol/transactions/transaction.ts";
import type { ScriptWork } from "../../../../src/ride/evaluator/script-work.ts";
import type { BlockRun, ExecutedTransaction } from "../../../../src/rules/blocks/block-run.ts";
import { resultOfFirstValid } from "../../../../src/rules/blocks/execution-variants.ts";
import { testDatabase } from "../../../../verification/sqlite/test-database.ts";

/** Validations of challenging blocks, none of which ends, and how often each had to start over. */
class Calls {
  readonly #validator = new SlicedValidator(testDatabase());
  readonly begun = new Map<number, number>();

  async make(...numbers: readonly number[]): Promise<void> {
    for (const number of numbers) {
      const outcome = this.#validator.run(async (validation) => {
        validation.justify(i32Bytes(number), () => void this.begun.set(number, (this.begun.get(number) ?? 0) + 1));
        throw new SliceSpent();
      });
      expect(await outcome).toBe("unfinished");
    }
  }
}

describe("a block with more transactions than any list of them has room for", () => {
  const WORK = 60;
  const PORTION = 50_000;
  const transactions = Array.from({ length: 8_000 }, (_, number) => ({ id: i32Bytes(number) }) as Transaction);

  /** Run that validates all transactions without cached results. */
  class CountedRun {
    executed = 0;
    included = 0;
    readonly #work: ScriptWork;

    constructor(work: ScriptWork) {
      this.#work = work;
    }

    execute(transaction: Transaction): ExecutedTransaction {
      this.executed += 1;
      this.#work.spend(WORK);
      return { included: { transaction } } as ExecutedTransaction;
    }

    withStoredEffect(transaction: Transaction): ExecutedTransaction {
      return { included: { transaction } } as ExecutedTransaction;
    }

    include(): void {
      this.included += 1;
    }
  }

  test.each([
    ["", false],
    [", with a reset before each call", true],
  ])("takes no call more than its slice, in any of the modes%s", async (_, isReset) => {
    const database = testDatabase();
    let portions = new SlicedValidator(database, PORTION);
    const executedCounts: number[] = [];
    let waysLeft: readonly string[] = [];
    const call = () => {
      if (isReset) portions = new SlicedValidator(database, PORTION);
      return portions.run(async (validation) => {
        const run = new CountedRun(validation.work);
        const { variants, includerOf } = validation.validationOf(i32Bytes(1), true);
        const gone: string[] = [];
        waysLeft = gone;
        try {
          return resultOfFirstValid(variants, (way) => {
            // Simulates that each way depended on values that nodes have seen before.
            way.foreignAddresses.hasMattered = true;
            const include = includerOf(way, { verifySignatures: true });
            run.included = 0;
            for (const [index, transaction] of transactions.entries())
              include(run as unknown as BlockRun, transaction, index);
            gone.push("left");
            throw new RuleError({ code: "stateHashWrong", expected: "", got: undefined });
          });
        } finally {
          executedCounts.push(run.executed);
        }
      });
    };
    let result: unknown = "unfinished";
    while (result === "unfinished") result = await call().catch((error: unknown) => error);
    expect(result).toMatchObject({ violation: { code: "stateHashWrong" } });
    expect(Math.max(...executedCounts) * WORK).toBeLessThanOrEqual(PORTION + WORK);
    // Three ways, each validated exactly once.
    expect(executedCounts.reduce((sum, count) => sum + count)).toBe(3 * transactions.length);
    expect(waysLeft).toHaveLength(1);
  });
});

describe("results of long steps", () => {
  /** Computes the step, and counts how often. */
  class Steps {
    readonly database = testDatabase();
    readonly validator = new SlicedValidator(this.database);
    computed = 0;

    validate(block: number, isLast: boolean): Promise<unknown> {
      return this.validator.run(async (validation) => {
        validation.validationOf(i32Bytes(block), true);
        const compute = () => Uint8Array.of(++this.computed);
        validation.work.step({ name: "power", inputs: [], work: 1, compute });
        if (!isLast) throw new SliceSpent();
        return "judged";
      });
    }
  }

  test("stay while another block is in progress", async () => {
    const steps = new Steps();
    for (const block of [1, 2, 2]) await steps.validate(block, false);
    await steps.validate(1, true);
    await steps.validate(2, false);
    expect(steps.computed).toBe(1);
  });

  test("go with the last block that they were of use for", async () => {
    const steps = new Steps();
    for (const block of [1, 1]) await steps.validate(block, false);
    await steps.validate(1, true);
    expect(steps.computed).toBe(1);
    await steps.validate(2, true);
    expect(steps.computed).toBe(2);
  });
});

describe("progress of blocks", () => {
  test("is kept for the block in validation, however many others come between its calls", async () => {
    const calls = new Calls();
    // Until the next call of the first block, others come.
    await calls.make(1, 101, 102, 103, 104);
    for (let round = 0; round < 50; round++)
      await calls.make(1, 1_000 + 4 * round, 1_001 + 4 * round, 1_002 + 4 * round, 1_003 + 4 * round);
    expect(calls.begun.get(1)).toBe(2);
  });

  test("is kept for two of them, since a relayed block and an extension may both be in progress", async () => {
    const calls = new Calls();
    await calls.make(1, 2);
    for (let round = 0; round < 50; round++) await calls.make(1, 1_000 + 2 * round, 2, 1_001 + 2 * round);
    expect([calls.begun.get(1), calls.begun.get(2)]).toEqual([1, 1]);
  });

  test("is not kept for those without further calls", async () => {
    const calls = new Calls();
    for (const number of [1, 2, 3, 4, 5]) await calls.make(number, number, number);
    for (let round = 0; round < 50; round++)
      await calls.make(6, 1_000 + 3 * round, 1_001 + 3 * round, 1_002 + 3 * round);
    expect(calls.begun.get(6)).toBeLessThanOrEqual(2);
  });
});
