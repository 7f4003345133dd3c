/** Script work of one submitted transaction, checked against its allowance when the first script begins. */
import { computeNow, type LongStep } from "../../../src/crypto/long-step.ts";
import type { WorkAllowance } from "../../../src/platform/refused-work.ts";
import type { ScriptWork } from "../../../src/ride/evaluator/script-work.ts";
import type { Value } from "../../../src/ride/values/value.ts";

export class SubmissionMeter implements ScriptWork {
  readonly #allowance: Pick<WorkAllowance, "assertBudget">;
  #spent = 0;

  constructor(allowance: Pick<WorkAllowance, "assertBudget">) {
    this.#allowance = allowance;
  }

  /** Complexity spent so far. */
  get spentComplexity(): number {
    return this.#spent;
  }

  /** @throws WorkExceeded */
  spend(complexity: number): void {
    if (this.#spent === 0) this.#allowance.assertBudget();
    this.#spent += complexity;
  }

  evaluate(_: object, complexity: number, __: readonly Value[], evaluate: () => Value): Value {
    this.spend(complexity);
    return evaluate();
  }

  step(step: LongStep): Uint8Array {
    return computeNow(step);
  }
}
