/**
 * Active rules of evaluation.
 * @source Waves: transaction/smart/script/ScriptRunner.scala, features/EvaluatorFixProvider.scala,
 *   features/EstimatorProvider.scala
 */
import { Feature } from "../../../network/features.ts";
import type { Estimator } from "../../../ride/estimator/script-complexity.ts";
import type { LinkOptions } from "../../../ride/evaluator/linker.ts";
import type { EvaluationRules } from "../../../ride/evaluator/machine.ts";
import { estimatorInForce } from "../../scripts/estimator-in-force.ts";
import type { StateView } from "../../state/state-view.ts";

export function evaluationRules(view: StateView): EvaluationRules {
  const { height } = view;
  const { enforceTransferValidationAfter } = view.settings.functionality;
  // The reference has two names for this one condition.
  const hasSynchronousCallFixes = view.has(Feature.SynchronousCalls) && height > enforceTransferValidationAfter;
  return {
    isNewMode: view.has(Feature.RideV6),
    hasFixedThrownError: view.has(Feature.LightNode),
    checksConstructorArguments: false,
    hasSynchronousCallFixes,
    hasPrecisePowers: hasSynchronousCallFixes,
    keepsLeadingZeros: view.has(Feature.EcrecoverFix),
  };
}

/** Options that decide the meaning of a script's names and calls in this state. */
export function linkOptions(
  view: StateView,
  script: Pick<LinkOptions, "libraryVersion" | "content" | "guards">,
): LinkOptions {
  return { ...script, chainId: view.settings.chainId, hasLexicalScope: isSumOverflowFixed(view) };
}

/** From this height on running verifiers have a limit, too, and functions see the names around their declaration. */
export function isSumOverflowFixed({ height, settings }: StateView): boolean {
  return height >= settings.functionality.estimatorSumOverflowFixHeight;
}

/** From this height on a negative complexity, which only an overflow gives, is an error. */
export function isOverflowRefused({ height, settings }: StateView): boolean {
  return height >= settings.functionality.estimationOverflowFixHeight;
}

/** Estimator for scripts that are set now. */
export function estimatorOf(view: StateView): Estimator {
  return estimatorInForce(view, view.height, view.settings.functionality);
}

/** Whether a run counts with its spent complexity (since feature 16) instead of its estimate. */
export function countsSpentComplexity(view: StateView): boolean {
  return view.has(Feature.SynchronousCalls);
}
