/** Work of scripts, counted while they run by the caller of the evaluation. */
import { computeNow, type LongStep, type RunStep } from "../../crypto/long-step.ts";
import type { Value } from "../values/value.ts";

export interface ScriptWork {
  /** Counts complexity. What it throws ends the evaluation. */
  spend(complexity: number): void;
  /** The result of a native function, known by its entry in the function table. @throws what `evaluate` throws, or `spend` */
  evaluate(row: object, complexity: number, args: readonly Value[], evaluate: () => Value): Value;
  /** The result of a long step of a native function. */
  step(step: LongStep): Uint8Array;
}

/** How native functions run their long steps. */
export function runStepOf({ workMeter }: { readonly workMeter?: ScriptWork | undefined }): RunStep {
  return workMeter === undefined ? computeNow : (step) => workMeter.step(step);
}
