/**
 * Recursion without the stack: a computation yields the computations it needs, and gets their results.
 */
import { WorkRefused } from "../work-refused.ts";

export type Steps<Result> = Generator<Steps<Result>, Result, Result>;

/** How many steps computations may still take together. */
export interface StepAllowance {
  steps: number;
}

/**
 * Runs a computation to its end. What it throws is thrown here.
 * @throws WorkRefused it takes more steps than are allowed
 */
export function runSteps<Result>(
  first: Steps<Result>,
  allowance: StepAllowance = { steps: Number.POSITIVE_INFINITY },
): Result {
  const waiting = [first];
  let result: Result | undefined;
  for (let current = waiting.at(-1); current !== undefined; current = waiting.at(-1)) {
    if (allowance.steps-- <= 0) throw new WorkRefused("an estimate takes too many steps");
    const step = current.next(result as Result);
    if (step.done) {
      waiting.pop();
      result = step.value;
    } else {
      waiting.push(step.value);
      result = undefined;
    }
  }
  return result as Result;
}
