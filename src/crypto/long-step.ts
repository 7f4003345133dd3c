/**
 * Steps of a computation that take milliseconds or seconds. The caller of a function with such steps may already have a
 * result, or compute it elsewhere.
 * @see docs/decisions/0071-judging-in-portions.md
 */

export interface LongStep {
  readonly name: string;
  /** All inputs of the result. */
  readonly inputs: readonly Uint8Array[];
  /** Estimated processor time, in units of about 30 µs: the longest that one unit of complexity may take. */
  readonly work: number;
  readonly compute: () => Uint8Array;
}

/** Runs or looks up a step. @returns the result of the step; throws what its `compute` throws */
export type RunStep = (step: LongStep) => Uint8Array;

/** Steps with less work (about 4 ms) are computed directly, without the caller's `RunStep`. */
export const MIN_STEP_WORK = 100;

export const computeNow: RunStep = ({ compute }) => compute();

/** Runs a verification as a step. */
export function verifyByStep(run: RunStep, step: Omit<LongStep, "compute">, verify: () => boolean): boolean {
  return run({ ...step, compute: () => Uint8Array.of(verify() ? 1 : 0) })[0] === 1;
}
