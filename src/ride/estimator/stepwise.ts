/** Recursion without the stack: a computation yields the computations that it needs, and receives their results. */
import { WorkRefused } from "../work-refused.ts";

export type Steps<Result> = Generator<Steps<Result>, Result, Result>;

/** Steps that computations may still take in total. */
export interface StepAllowance {
  steps: number;
}

/**
 * Runs a computation to its end; its exceptions are thrown here.
 * @throws WorkRefused the computation exceeds the allowance
 */
export function runSteps<Result>(
  first: Steps<Result>,
  allowance: StepAllowance = { steps: Number.POSITIVE_INFINITY },
): Result {
  const stack = [first];
  let result: Result | undefined;
  for (let current = stack.at(-1); current !== undefined; current = stack.at(-1)) {
    if (allowance.steps-- <= 0) throw new WorkRefused("an estimate takes too many steps");
    const step = current.next(result as Result);
    if (step.done) {
      stack.pop();
      result = step.value;
    } else {
      stack.push(step.value);
      result = undefined;
    }
  }
  return result as Result;
}
