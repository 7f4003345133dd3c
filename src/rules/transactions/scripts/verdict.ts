/**
 * What a script that says yes or no said, of an account or of an asset, and what follows from it.
 * @source Waves: transaction/smart/Verifier.scala (verifyTx, verifyOrder); state/diffs/invoke/InvokeDiffsCommon.scala
 *   (validatePseudoTxWithSmartAssetScript)
 */
import { RuleError } from "../../../protocol/faults.ts";
import type { LogEntry } from "../../../ride/evaluator/evaluation-log.ts";
import { ExecutionError } from "../../../ride/execution-error.ts";
import { valueText } from "../../../ride/values/value-text.ts";
import { countsSpentComplexity } from "./evaluation-rules.ts";
import { runVerifier, type VerifierRequest } from "./run-verifier.ts";

export interface Verdict {
  /** What the run counts for: since feature 16 what it spent, before what it was estimated to. */
  readonly complexity: number;
  /** Undefined: yes. */
  readonly refusal: ScriptRefusal | undefined;
}

/** `no`: the script said so; `failed`: it came to an error; `notBoolean`: it gave something else. */
export type ScriptRefusal =
  | { readonly kind: "no"; readonly error: null; readonly log: readonly LogEntry[] }
  | { readonly kind: "failed" | "notBoolean"; readonly error: string; readonly log: readonly LogEntry[] };

/** @param estimatedComplexity as it was estimated when the script was set */
export function verdictOf(request: VerifierRequest, estimatedComplexity: bigint): Verdict {
  const { result, spentComplexity, log } = runVerifier(request);
  const complexity = countsSpentComplexity(request.view) ? spentComplexity : Number(estimatedComplexity);
  if (result === true) return { complexity, refusal: undefined };
  if (result === false) return { complexity, refusal: { kind: "no", error: null, log } };
  if (result instanceof ExecutionError) return { complexity, refusal: { kind: "failed", error: result.message, log } };
  const error = `Script returned not a boolean result, but ${valueText(result)}`;
  return { complexity, refusal: { kind: "notBoolean", error, log } };
}

/** The refusal as what is wrong with the transaction. */
export function refusalFault({ error }: ScriptRefusal, of: "account" | "asset"): RuleError {
  return error === null
    ? new RuleError({ code: "scriptRefused", of })
    : new RuleError({ code: "scriptFailed", of, message: error });
}
