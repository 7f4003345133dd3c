/**
 * Complexity of whole scripts, and its limits.
 * @source Waves: lang/script/ContractScript.scala, v1/ExprScript.scala, Script.scala, lang/v1/ContractLimits.scala
 */

import { inHashTableOrder, textHash } from "../../protocol/hash-table-order.ts";
import { callsDApps } from "../script/calls-dapps.ts";
import type {
  AnnotatedFunction,
  DApp,
  Declaration,
  Expression,
  FunctionDeclaration,
  Script,
} from "../script/expression.ts";
import { UnevenTrees } from "../script/tree-equality.ts";
import { type Costs, callFromVerifier, costsOf, costsOfAnyExpression, costsOfVerifier } from "./costs.ts";
import { EstimationError } from "./estimation-error.ts";
import { estimateV1 } from "./estimator-v1.ts";
import { estimateV2 } from "./estimator-v2.ts";
import { type EstimatorRules, estimateFunctionsV3, estimateV3 } from "./estimator-v3.ts";
import type { StepAllowance } from "./stepwise.ts";

/** 1 before feature 14, 2 before feature 15; then the active rules of estimator 3. */
export type Estimator = 1 | 2 | EstimatorRules;

export interface ScriptComplexity {
  /** If a callable has the verifier's name, its complexity: the reference stores both by name. */
  readonly verifier: bigint;
  /** Complexities by function name, in the order of declaration; without the verifier's name. */
  readonly callables: ReadonlyMap<string, bigint>;
  readonly maximum: bigint;
}

export interface ComplexityRules {
  readonly estimator: Estimator;
  /** Whether verifiers have their own limit: since feature 15. */
  readonly hasVerifierLimit: boolean;
  /** False: no limits. */
  readonly hasLimits?: boolean;
  /**
   * Whether to estimate like the compiler, with other results: the third estimator then estimates all declarations of a
   * dApp once, not a call of each callable among them.
   */
  readonly isInOneGo?: boolean;
  /** Whether a dApp with a verifier must not call dApps in its own functions, even unused ones: before feature 17. */
  readonly forbidsUnusedCalls?: boolean;
  /** Shared allowance for all estimates of the script; unlimited by default. */
  readonly allowance?: StepAllowance | undefined;
  /** Whether the kind of the expression and its use are unknown. */
  readonly isOwnerUnknown?: boolean;
}

type EstimateRules = { readonly estimator: Estimator; readonly allowance?: StepAllowance | undefined };

/**
 * Allowance for estimates outside of block validation. The time of the third estimator can double with each further
 * line; a typical script of 160 KB takes some hundred thousand steps for its functions.
 */
export function offChainAllowance(): StepAllowance {
  return { steps: 5_000_000 };
}

const maxVerifier = 2_000n;
/** Placeholder for an invocation or for arguments. */
const placeholder: Expression = { kind: "constant", value: true };
/** First version whose expressions may be invoked, and have an invocation. */
const invocationSince = 6;
const invocationName = "i";

export function maxCallableComplexity(libraryVersion: number): bigint {
  if (libraryVersion < 5) return 4_000n;
  return libraryVersion === 5 ? 10_000n : 52_000n;
}

/** Limit for verifiers of accounts before feature 15, and for assets. */
export function maxExpressionComplexity(libraryVersion: number): bigint {
  return libraryVersion < 3 ? 2_000n : 4_000n;
}

/** @throws EstimationError; WorkRefused: the estimate exceeds the allowance */
export function estimateScript(script: Script, rules: ComplexityRules): ScriptComplexity {
  const { estimator, hasVerifierLimit, hasLimits = true, isInOneGo = false, allowance } = rules;
  const { libraryVersion } = script;
  if (script.content === "expression") {
    const costs = rules.isOwnerUnknown ? costsOfAnyExpression(libraryVersion) : costsOf(libraryVersion, "expression");
    const complexity = estimateExpression(script.expression, libraryVersion, costs, { estimator, allowance });
    const limit = hasVerifierLimit ? maxVerifier : maxExpressionComplexity(libraryVersion);
    if (hasLimits && complexity > limit) throw new EstimationError(`Script is too complex: ${complexity} > ${limit}`);
    return { verifier: complexity, callables: new Map(), maximum: complexity };
  }
  const functionCosts =
    isInOneGo && typeof estimator !== "number"
      ? costsInOneGo(script.dApp, libraryVersion, estimator, allowance)
      : costsOneByOne(script.dApp, libraryVersion, rules);
  return withinLimits(functionCosts, libraryVersion, { hasVerifierLimit, hasLimits });
}

function estimateExpression(
  expression: Expression,
  libraryVersion: number,
  costs: Costs,
  rules: EstimateRules,
): bigint {
  const wrapped = libraryVersion < invocationSince ? expression : withValue(invocationName, expression);
  return estimate(wrapped, costs, rules);
}

type PricedFunction = readonly [name: string, cost: bigint];

/** Costs of a dApp's annotated functions. Several functions may share a name. */
interface DAppCosts {
  readonly verifier: PricedFunction | undefined;
  readonly callables: readonly PricedFunction[];
}

/** Costs of a call of each function, among all declarations. @throws EstimationError */
function costsOneByOne(
  dApp: DApp,
  libraryVersion: number,
  rules: Pick<ComplexityRules, "estimator" | "allowance" | "forbidsUnusedCalls">,
): DAppCosts {
  const priced = ({ argument, function: called }: AnnotatedFunction, known: Costs): PricedFunction => [
    called.name,
    estimate(callOf(dApp.declarations, argument, called), known, rules),
  ];
  const costs = costsOf(libraryVersion, "dApp");
  const callables = dApp.callables.map((callable) => priced(callable, costs));
  const { verifier } = dApp;
  if (verifier === undefined) return { verifier, callables };
  if (verifierCallsDApps(dApp)) throw callFromVerifier();
  return { verifier: priced(verifier, rules.forbidsUnusedCalls ? costsOfVerifier(libraryVersion) : costs), callables };
}

/** @throws EstimationError */
function verifierCallsDApps(dApp: DApp): boolean {
  try {
    return callsDApps(dApp);
  } catch (error) {
    throw error instanceof UnevenTrees ? new EstimationError(error.message, { cause: error }) : error;
  }
}

/** Costs of each function by itself. @throws EstimationError */
function costsInOneGo(
  { declarations, callables, verifier }: DApp,
  libraryVersion: number,
  rules: EstimatorRules,
  allowance: StepAllowance | undefined,
): DAppCosts {
  const annotated = [...callables, ...(verifier === undefined ? [] : [verifier])].map((each) => each.function);
  const costs = estimateFunctionsV3([...declarations, ...annotated], costsOf(libraryVersion, "dApp"), rules, allowance);
  const priced = (name: string): PricedFunction => [name, costs.get(name) ?? 0n];
  const names = new Set(callables.map((callable) => callable.function.name));
  // The reference iterates over a table of all functions.
  const inOrder = inHashTableOrder([...costs.keys()], textHash).filter((name) => names.has(name));
  return { verifier: verifier && priced(verifier.function.name), callables: inOrder.map(priced) };
}

/** @throws EstimationError */
function withinLimits(
  costs: DAppCosts,
  libraryVersion: number,
  { hasVerifierLimit, hasLimits }: { readonly hasVerifierLimit: boolean; readonly hasLimits: boolean },
): ScriptComplexity {
  const all = [...(costs.verifier ? [costs.verifier] : []), ...costs.callables];
  const callables = new Map(all);
  const verifier = (costs.verifier && callables.get(costs.verifier[0])) ?? 0n;
  if (hasVerifierLimit && verifier > maxVerifier) {
    throw new EstimationError(`Contract verifier is too complex: ${verifier} > ${maxVerifier}`);
  }
  let [name, maximum] = all[0] ?? ["", 0n];
  // If several have the highest cost, the reference reports the last one.
  for (const [other, cost] of all) if (cost >= maximum) [name, maximum] = [other, cost];
  const limit = maxCallableComplexity(libraryVersion);
  if (hasLimits && maximum > limit) {
    throw new EstimationError(`Contract function (${name}) is too complex: ${maximum} > ${limit}`);
  }
  if (costs.verifier) callables.delete(costs.verifier[0]);
  return { verifier, callables, maximum };
}

function estimate(expression: Expression, costs: Costs, { estimator, allowance }: EstimateRules): bigint {
  if (estimator === 1) return estimateV1(expression, costs, allowance);
  return estimator === 2
    ? estimateV2(expression, costs, allowance)
    : estimateV3(expression, costs, estimator, allowance);
}

/** Call of the function inside of all declarations. */
function callOf(declarations: readonly Declaration[], argument: string, declaration: FunctionDeclaration): Expression {
  const call: Expression = {
    kind: "call",
    function: declaration.name,
    args: declaration.parameters.map(() => placeholder),
  };
  return around(declarations, withValue(argument, around([declaration], call)));
}

function withValue(name: string, body: Expression): Expression {
  return around([{ kind: "let", name, value: placeholder }], body);
}

function around(declarations: readonly Declaration[], body: Expression): Expression {
  return declarations.reduceRight<Expression>(
    (inner, declaration) => ({ kind: "block", declaration, body: inner, isLetBlock: false }),
    body,
  );
}
