/**
 * Recursion without the stack: a computation yields the computations it needs, and gets their results.
 */
export type Steps<Result> = Generator<Steps<Result>, Result, Result>;

/** Runs a computation to its end. What it throws is thrown here. */
export function runSteps<Result>(first: Steps<Result>): Result {
  const waiting = [first];
  let result: Result | undefined;
  for (let current = waiting.at(-1); current !== undefined; current = waiting.at(-1)) {
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
