/** Meter of script work for the caller of an evaluation. */
import { computeNow, type LongStep, type RunStep } from "../../crypto/long-step.ts";
import type { Value } from "../values/value.ts";

export interface ScriptWork {
  /** Counts complexity. An exception ends the evaluation. */
  spend(complexity: number): void;
  /**
   * Result of a native function, identified by its entry in the function table. @throws errors of `evaluate` and
   * `spend`
   */
  evaluate(row: object, complexity: number, args: readonly Value[], evaluate: () => Value): Value;
  /** Result of a long step of a native function. */
  step(step: LongStep): Uint8Array;
}

/** Returns the runner for long steps of native functions. */
export function runStepOf({ workMeter }: { readonly workMeter?: ScriptWork | undefined }): RunStep {
  return workMeter === undefined ? computeNow : (step) => workMeter.step(step);
}
