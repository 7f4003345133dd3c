/**
 * Complexity of whole scripts, and the limits it must keep.
 * @source Waves: lang/script/ContractScript.scala, v1/ExprScript.scala, Script.scala, lang/v1/ContractLimits.scala
 */

import { callsDApps } from "../script/calls-dapps.ts";
import type { DApp, Declaration, Expression, FunctionDeclaration, Script } from "../script/expression.ts";
import { costsOf } from "./costs.ts";
import { EstimationError } from "./estimation-error.ts";
import { estimateV1 } from "./estimator-v1.ts";
import { estimateV2 } from "./estimator-v2.ts";
import { type EstimatorRules, estimateFunctionsV3, estimateV3 } from "./estimator-v3.ts";

/** 1 before feature 14, 2 before feature 15; then the rules of estimator 3 as far as they are in force. */
export type Estimator = 1 | 2 | EstimatorRules;

export interface ScriptComplexity {
  readonly verifier: bigint;
  /** By name of the function, in the order of declaration. */
  readonly callables: ReadonlyMap<string, bigint>;
  readonly maximum: bigint;
}

export interface ComplexityRules {
  readonly estimator: Estimator;
  /** Since feature 15 verifiers have a limit of their own. */
  readonly hasVerifierLimit: boolean;
  /** False: nothing is too complex. */
  readonly hasLimits?: boolean;
  /**
   * As the compiler does it, whose numbers are others: the third estimator then looks at all declarations of a dApp once,
   * not at a call of each callable among them.
   */
  readonly isInOneGo?: boolean;
}

const maxVerifier = 2_000n;
/** Values that estimation puts in the place of an invocation or of arguments. */
const something: Expression = { kind: "constant", value: true };
/** From version 6 on an expression may be invoked, and has an invocation. */
const invocationSince = 6;
const invocationName = "i";

export function maxCallableComplexity(libraryVersion: number): bigint {
  if (libraryVersion < 5) return 4_000n;
  return libraryVersion === 5 ? 10_000n : 52_000n;
}

/** Of the verifiers of accounts before feature 15, and of assets. */
export function maxExpressionComplexity(libraryVersion: number): bigint {
  return libraryVersion < 3 ? 2_000n : 4_000n;
}

/** @throws EstimationError */
export function estimateScript(script: Script, rules: ComplexityRules): ScriptComplexity {
  const { libraryVersion } = script;
  const { estimator, hasVerifierLimit, hasLimits = true, isInOneGo = false } = rules;
  if (script.content === "expression") {
    const complexity = estimateExpression(script.expression, libraryVersion, estimator);
    const limit = hasVerifierLimit ? maxVerifier : maxExpressionComplexity(libraryVersion);
    if (hasLimits && complexity > limit) throw new EstimationError(`Script is too complex: ${complexity} > ${limit}`);
    return { verifier: complexity, callables: new Map(), maximum: complexity };
  }
  const costs =
    isInOneGo && typeof estimator !== "number"
      ? costsInOneGo(script.dApp, libraryVersion, estimator)
      : costsOneByOne(script.dApp, libraryVersion, estimator);
  return withinLimits(script.dApp, costs, libraryVersion, { hasVerifierLimit, hasLimits });
}

function estimateExpression(expression: Expression, libraryVersion: number, estimator: Estimator): bigint {
  const whole = libraryVersion < invocationSince ? expression : withValue(invocationName, expression);
  return estimate(whole, libraryVersion, "expression", estimator);
}

interface DAppCosts {
  readonly verifier: bigint;
  readonly callables: ReadonlyMap<string, bigint>;
}

/** Of a call of each function, among all declarations. */
function costsOneByOne(dApp: DApp, libraryVersion: number, estimator: Estimator): DAppCosts {
  const of = (argument: string, declaration: FunctionDeclaration): bigint =>
    estimate(callOf(dApp.declarations, argument, declaration), libraryVersion, "dApp", estimator);
  const callables = new Map<string, bigint>();
  for (const { argument, function: declaration } of dApp.callables) {
    callables.set(declaration.name, of(argument, declaration));
  }
  const { verifier } = dApp;
  if (verifier !== undefined && callsDApps(dApp)) {
    throw new EstimationError("DApp-to-dApp invocations are not allowed from verifier");
  }
  return { verifier: verifier === undefined ? 0n : of(verifier.argument, verifier.function), callables };
}

/** Of each function by itself. */
function costsInOneGo(
  { declarations, callables, verifier }: DApp,
  libraryVersion: number,
  rules: EstimatorRules,
): DAppCosts {
  const annotated = [...callables, ...(verifier === undefined ? [] : [verifier])].map((each) => each.function);
  const costs = estimateFunctionsV3([...declarations, ...annotated], costsOf(libraryVersion, "dApp"), rules);
  const of = ({ name }: FunctionDeclaration): bigint => costs.get(name) ?? 0n;
  return {
    verifier: verifier === undefined ? 0n : of(verifier.function),
    callables: new Map(callables.map(({ function: declaration }) => [declaration.name, of(declaration)])),
  };
}

/** @throws EstimationError */
function withinLimits(
  { verifier }: DApp,
  costs: DAppCosts,
  libraryVersion: number,
  { hasVerifierLimit, hasLimits }: { readonly hasVerifierLimit: boolean; readonly hasLimits: boolean },
): ScriptComplexity {
  if (hasVerifierLimit && costs.verifier > maxVerifier) {
    throw new EstimationError(`Contract verifier is too complex: ${costs.verifier} > ${maxVerifier}`);
  }
  const priced = [
    ...(verifier === undefined ? [] : [[verifier.function.name, costs.verifier] as const]),
    ...costs.callables,
  ];
  let [name, maximum] = priced[0] ?? ["", 0n];
  for (const [other, cost] of priced) if (cost > maximum) [name, maximum] = [other, cost];
  const limit = maxCallableComplexity(libraryVersion);
  if (hasLimits && maximum > limit) {
    throw new EstimationError(`Contract function (${name}) is too complex: ${maximum} > ${limit}`);
  }
  return { ...costs, maximum };
}

function estimate(
  expression: Expression,
  libraryVersion: number,
  content: Script["content"],
  estimator: Estimator,
): bigint {
  const costs = costsOf(libraryVersion, content);
  if (estimator === 1) return estimateV1(expression, costs);
  return estimator === 2 ? estimateV2(expression, costs) : estimateV3(expression, costs, estimator);
}

/** All declarations around a call of the function. */
function callOf(declarations: readonly Declaration[], argument: string, declaration: FunctionDeclaration): Expression {
  const call: Expression = {
    kind: "call",
    function: declaration.name,
    args: declaration.parameters.map(() => something),
  };
  return around(declarations, withValue(argument, around([declaration], call)));
}

function withValue(name: string, body: Expression): Expression {
  return around([{ kind: "let", name, value: something }], body);
}

function around(declarations: readonly Declaration[], body: Expression): Expression {
  return declarations.reduceRight<Expression>(
    (inner, declaration) => ({ kind: "block", declaration, body: inner, isLetBlock: false }),
    body,
  );
}
