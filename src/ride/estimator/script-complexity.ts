/**
 * Complexity of whole scripts, and the limits it must keep.
 * @source Waves: lang/script/ContractScript.scala, v1/ExprScript.scala, Script.scala, lang/v1/ContractLimits.scala
 */

import { callsDApps } from "../script/calls-dapps.ts";
import type {
  AnnotatedFunction,
  DApp,
  Declaration,
  Expression,
  FunctionDeclaration,
  Script,
} from "../script/expression.ts";
import { type Costs, callFromVerifier, costsOf, costsOfVerifier } from "./costs.ts";
import { EstimationError } from "./estimation-error.ts";
import { estimateV1 } from "./estimator-v1.ts";
import { estimateV2 } from "./estimator-v2.ts";
import { type EstimatorRules, estimateV3 } from "./estimator-v3.ts";

/** 1 before feature 14, 2 before feature 15; then the rules of estimator 3 as far as they are in force. */
export type Estimator = 1 | 2 | EstimatorRules;

export interface ScriptComplexity {
  /** Where a callable has the verifier's name, that callable's: the reference keeps both under their name. */
  readonly verifier: bigint;
  /** By name of the function, in the order of declaration; none with the verifier's name. */
  readonly callables: ReadonlyMap<string, bigint>;
  readonly maximum: bigint;
}

export interface ComplexityRules {
  readonly estimator: Estimator;
  /** Since feature 15 verifiers have a limit of their own. */
  readonly hasVerifierLimit: boolean;
  /** False: nothing is too complex. */
  readonly hasLimits?: boolean;
  /** Before feature 17: a dApp with a verifier calls no dApp in its own functions either, be they used or not. */
  readonly forbidsUnusedCalls?: boolean;
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
  const { estimator, hasVerifierLimit, hasLimits = true } = rules;
  const { libraryVersion } = script;
  if (script.content === "expression") {
    const complexity = estimateExpression(script.expression, libraryVersion, estimator);
    const limit = hasVerifierLimit ? maxVerifier : maxExpressionComplexity(libraryVersion);
    if (hasLimits && complexity > limit) throw new EstimationError(`Script is too complex: ${complexity} > ${limit}`);
    return { verifier: complexity, callables: new Map(), maximum: complexity };
  }
  return estimateDApp(script.dApp, libraryVersion, rules);
}

function estimateExpression(expression: Expression, libraryVersion: number, estimator: Estimator): bigint {
  const whole = libraryVersion < invocationSince ? expression : withValue(invocationName, expression);
  return estimate(whole, costsOf(libraryVersion, "expression"), estimator);
}

function estimateDApp(
  dApp: DApp,
  libraryVersion: number,
  { estimator, hasVerifierLimit, hasLimits = true, forbidsUnusedCalls = false }: ComplexityRules,
): ScriptComplexity {
  const { verifier } = dApp;
  const costs = costsOf(libraryVersion, "dApp");
  const priced = ({ argument, function: called }: AnnotatedFunction, known: Costs): readonly [string, bigint] => [
    called.name,
    estimate(callOf(dApp.declarations, argument, called), known, estimator),
  ];
  const pricedCallables = dApp.callables.map((callable) => priced(callable, costs));
  if (verifier !== undefined && callsDApps(dApp)) throw callFromVerifier();
  const pricedVerifier = verifier && priced(verifier, forbidsUnusedCalls ? costsOfVerifier(libraryVersion) : costs);
  const all = [...(pricedVerifier ? [pricedVerifier] : []), ...pricedCallables];
  const callables = new Map(all);
  const verifierCost = (verifier && callables.get(verifier.function.name)) ?? 0n;
  if (hasVerifierLimit && verifierCost > maxVerifier) {
    throw new EstimationError(`Contract verifier is too complex: ${verifierCost} > ${maxVerifier}`);
  }
  let [name, maximum] = all[0] ?? ["", 0n];
  for (const [other, cost] of all) if (cost > maximum) [name, maximum] = [other, cost];
  const limit = maxCallableComplexity(libraryVersion);
  if (hasLimits && maximum > limit) {
    throw new EstimationError(`Contract function (${name}) is too complex: ${maximum} > ${limit}`);
  }
  if (verifier !== undefined) callables.delete(verifier.function.name);
  return { verifier: verifierCost, callables, maximum };
}

function estimate(expression: Expression, costs: Costs, estimator: Estimator): bigint {
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
