/**
 * Steps of a computation that take milliseconds or seconds. The caller of a function that has such steps may know a result from
 * before, or have it computed elsewhere.
 * @see docs/decisions/0071-judging-in-portions.md
 */

export interface LongStep {
  readonly name: string;
  /** Everything that the result depends on. */
  readonly inputs: readonly Uint8Array[];
  /** Estimated processor time, some 30 µs each: as long as one of complexity may take. */
  readonly work: number;
  readonly compute: () => Uint8Array;
}

/** @returns the result of the step; throws what its `compute` throws */
export type RunStep = (step: LongStep) => Uint8Array;

/** Steps with less work are computed without asking anybody: about 4 ms. */
export const MIN_STEP_WORK = 100;

export const computeNow: RunStep = ({ compute }) => compute();

/** A step that finds whether something holds. */
export function holdsByStep(run: RunStep, step: Omit<LongStep, "compute">, holds: () => boolean): boolean {
  return run({ ...step, compute: () => Uint8Array.of(holds() ? 1 : 0) })[0] === 1;
}
