/**
 * Verdict of a script with a boolean result, of an account or an asset, and its consequences.
 * @source Waves: transaction/smart/Verifier.scala (verifyTx, verifyOrder); state/diffs/invoke/InvokeDiffsCommon.scala
 *   (validatePseudoTxWithSmartAssetScript)
 */
import { RuleError } from "../../../protocol/errors.ts";
import type { LogEntry } from "../../../ride/evaluator/evaluation-log.ts";
import { ExecutionError } from "../../../ride/execution-error.ts";
import { valueText } from "../../../ride/values/value-text.ts";
import { countsSpentComplexity } from "./evaluation-rules.ts";
import { runVerifier, type VerifierRequest } from "./run-verifier.ts";

export interface Verdict {
  /** Counted complexity: since feature 16 the spent one, before the estimated one. */
  readonly complexity: number;
  /** Undefined: accepted. */
  readonly refusal: ScriptRefusal | undefined;
}

/** `no`: the script returned false; `failed`: it ended with an error; `notBoolean`: it returned another value. */
export type ScriptRefusal =
  | { readonly kind: "no"; readonly error: null; readonly log: readonly LogEntry[] }
  | { readonly kind: "failed" | "notBoolean"; readonly error: string; readonly log: readonly LogEntry[] };

/** @param estimatedComplexity estimate from when the script was set */
export function verdictOf(request: VerifierRequest, estimatedComplexity: bigint): Verdict {
  const { result, spentComplexity, log } = runVerifier(request);
  const complexity = countsSpentComplexity(request.view) ? spentComplexity : Number(estimatedComplexity);
  if (result === true) return { complexity, refusal: undefined };
  if (result === false) return { complexity, refusal: { kind: "no", error: null, log } };
  if (result instanceof ExecutionError) return { complexity, refusal: { kind: "failed", error: result.message, log } };
  const error = `Script returned not a boolean result, but ${valueText(result)}`;
  return { complexity, refusal: { kind: "notBoolean", error, log } };
}

/** The refusal as the transaction's error. */
export function refusalError({ error }: ScriptRefusal, of: "account" | "asset"): RuleError {
  return error === null
    ? new RuleError({ code: "scriptRefused", of })
    : new RuleError({ code: "scriptFailed", of, message: error });
}
