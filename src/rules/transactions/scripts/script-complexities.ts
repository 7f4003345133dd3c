/**
 * Complexities of scripts that are set now, and their limits.
 * @source Waves: state/diffs/DiffsCommon.scala (countVerifierComplexity), SetScriptTransactionDiff.scala,
 *   AssetTransactionsDiffs.scala
 */
import { Feature } from "../../../network/features.ts";
import { RuleError } from "../../../protocol/errors.ts";
import type { Script as ScriptBytes } from "../../../protocol/transactions/transaction.ts";
import { EstimationError } from "../../../ride/estimator/estimation-error.ts";
import {
  type ComplexityRules,
  type Estimator,
  estimateScript,
  offChainAllowance,
} from "../../../ride/estimator/script-complexity.ts";
import { cachedScript } from "../../../ride/evaluator/dapp-program.ts";
import type { Script } from "../../../ride/script/expression.ts";
import type { StateView } from "../../state/state-view.ts";
import { estimatorOf, isOverflowRefused } from "./evaluation-rules.ts";

const maxExpressionBytes = 8 * 1024;
const maxDAppBytes = 32 * 1024;
/** Since feature 17. */
const maxDAppBytesV6 = 160 * 1024;

/**
 * Complexity of an account script's verifier, 0 without one.
 * @throws RuleError generic: the script is too large or too complex, or has no estimate
 */
export function accountScriptComplexity(bytes: ScriptBytes, view: StateView): bigint {
  const script = cachedScript(bytes);
  const isV6 = view.has(Feature.RideV6);
  checkSize(bytes, script.content === "expression" ? maxExpressionBytes : isV6 ? maxDAppBytesV6 : maxDAppBytes);
  const callables = callableComplexities(script, view);
  const verifier = verifierComplexity(script, view, hasVerifierLimit(view));
  if (!isOverflowRefused(view)) return verifier;
  if (verifier < 0n) refuse("Unexpected negative verifier complexity");
  for (const [name, complexity] of callables) {
    if (complexity < 0n) refuse(`Unexpected negative callable \`${name}\` complexity`);
  }
  return verifier;
}

/**
 * Complexity of an asset's script.
 * @throws RuleError generic: the script is too complex, or has no estimate
 */
export function assetScriptComplexity(bytes: ScriptBytes, view: StateView): bigint {
  return verifierComplexity(cachedScript(bytes), view, false);
}

/** @throws RuleError generic: an overflow made the complexity negative */
export function checkAssetScriptComplexity(complexity: bigint, view: StateView): void {
  if (isOverflowRefused(view) && complexity < 0n) refuse("Unexpected negative complexity");
}

/** From feature 19 on the size limit of a verifier holds for an asset's script. @throws RuleError generic */
export function checkAssetScriptSize(bytes: ScriptBytes, view: StateView): void {
  if (view.has(Feature.BlockRewardDistribution)) checkSize(bytes, maxExpressionBytes);
}

function checkSize({ length }: ScriptBytes, limit: number): void {
  if (length > limit) refuse(`Script is too large: ${length} bytes > ${limit} bytes`);
}

/** Whether verifiers of accounts have their own limit: since feature 15 has an activation height. */
function hasVerifierLimit(view: StateView): boolean {
  return view.activationHeight(Feature.BlockV5) !== undefined;
}

function verifierComplexity(script: Script, view: StateView, hasLimit: boolean): bigint {
  const { height, settings } = view;
  const isPrechecked = height > settings.functionality.estimatorPreCheckHeight && !view.has(Feature.BlockV5);
  const rules = { hasVerifierLimit: hasLimit, forbidsUnusedCalls: !view.has(Feature.RideV6) };
  const complexityBy = (estimator: Estimator): bigint => estimated(script, { estimator, ...rules }, view).verifier;
  if (!isPrechecked) return complexityBy(estimatorOf(view));
  complexityBy(1);
  return complexityBy(2);
}

/** Complexities of the callables by the active estimator and by later ones, which must accept the script, too. */
function callableComplexities(script: Script, view: StateView): readonly (readonly [string, bigint])[] {
  if (script.content !== "dApp") return [];
  const callables: Script = { ...script, dApp: { ...script.dApp, verifier: undefined } };
  const estimator = estimatorOf(view);
  const current = estimated(callables, { estimator, hasVerifierLimit: hasVerifierLimit(view) }, view);
  const later = laterEstimators(estimator, view).map((next) =>
    estimated(callables, { estimator: next, hasVerifierLimit: false, hasLimits: false }, view),
  );
  return [current, ...later].flatMap(({ callables: complexities }) => [...complexities]);
}

function laterEstimators(estimator: Estimator, view: StateView): readonly Estimator[] {
  const third = { fixesOverflow: isOverflowRefused(view), hasOverhead: false, fixesArguments: true };
  if (estimator === 1) return [2, third];
  return estimator === 2 ? [third] : [];
}

/** @throws RuleError, WorkRefused */
function estimated(script: Script, rules: ComplexityRules, view: StateView) {
  try {
    return estimateScript(script, view.mayRefuseWork ? { ...rules, allowance: offChainAllowance() } : rules);
  } catch (error) {
    if (error instanceof EstimationError) refuse(error.message);
    throw error;
  }
}

function refuse(message: string): never {
  throw new RuleError({ code: "generic", message });
}
