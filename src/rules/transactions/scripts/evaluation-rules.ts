/**
 * Which rules of evaluation are in force.
 * @source Waves: transaction/smart/script/ScriptRunner.scala, features/EvaluatorFixProvider.scala, features/EstimatorProvider.scala
 */
import { Feature } from "../../../network/features.ts";
import type { Estimator } from "../../../ride/estimator/script-complexity.ts";
import type { LinkFacts } from "../../../ride/evaluator/linker.ts";
import type { EvaluationRules } from "../../../ride/evaluator/machine.ts";
import { estimatorInForce } from "../../scripts/estimator-in-force.ts";
import type { StateView } from "../../state/state-view.ts";

export function evaluationRules(view: StateView): EvaluationRules {
  const { height } = view;
  const { enforceTransferValidationAfter } = view.settings.functionality;
  // One switch in the reference, though it has two names for it.
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

/** What the names and calls of a script mean in this state. */
export function linkFacts(
  view: StateView,
  script: Pick<LinkFacts, "libraryVersion" | "content" | "guards">,
): LinkFacts {
  return { ...script, chainId: view.settings.chainId, hasLexicalScope: isSumOverflowFixed(view) };
}

/** From then on verifiers have a limit while they run, too, and functions see the names around their declaration. */
export function isSumOverflowFixed({ height, settings }: StateView): boolean {
  return height >= settings.functionality.estimatorSumOverflowFixHeight;
}

/** From then on a complexity below zero, which only an overflow gives, is an error. */
export function isOverflowRefused({ height, settings }: StateView): boolean {
  return height >= settings.functionality.estimationOverflowFixHeight;
}

/** The estimator that prices a script which is set now. */
export function estimatorOf(view: StateView): Estimator {
  return estimatorInForce(view, view.height, view.settings.functionality);
}

/** What a run is said to have cost: since feature 16 what it did cost, before what it was estimated to. */
export function countsSpentComplexity(view: StateView): boolean {
  return view.has(Feature.SynchronousCalls);
}
