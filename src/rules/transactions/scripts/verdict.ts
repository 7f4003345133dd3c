/**
 * What a script that says yes or no said.
 * @source Waves: transaction/smart/Verifier.scala (verifyTx)
 */
import type { LogEntry } from "../../../ride/evaluator/evaluation-log.ts";
import { ExecutionError } from "../../../ride/execution-error.ts";
import { valueText } from "../../../ride/values/value-text.ts";
import { countsSpentComplexity } from "./evaluation-rules.ts";
import { runVerifier, type VerifierRequest } from "./run-verifier.ts";
import type { StepFailure } from "./trace.ts";

export const NOT_BOOLEAN = "Script returned not a boolean result, but ";

export interface Verdict {
  /** What the run counts for: since feature 16 what it spent. */
  readonly complexity: number;
  /** Undefined: yes. */
  readonly refusal: ScriptRefusal | undefined;
}

export interface ScriptRefusal extends StepFailure {
  readonly log: readonly LogEntry[];
}

/** @param estimatedComplexity as it was estimated when the script was set */
export function verdictOf(request: VerifierRequest, estimatedComplexity: bigint): Verdict {
  const { result, spentComplexity, log } = runVerifier(request);
  const complexity = countsSpentComplexity(request.view) ? spentComplexity : Number(estimatedComplexity);
  if (result === true) return { complexity, refusal: undefined };
  if (result === false) return { complexity, refusal: { error: null, log } };
  const error = result instanceof ExecutionError ? result.message : `${NOT_BOOLEAN}${valueText(result)}`;
  return { complexity, refusal: { error, log } };
}
