/**
 * Complexity of whole scripts, and the limits it must keep.
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
  /**
   * As the compiler does it, whose numbers are others: the third estimator then looks at all declarations of a dApp once,
   * not at a call of each callable among them.
   */
  readonly isInOneGo?: boolean;
  /** Before feature 17: a dApp with a verifier calls no dApp in its own functions either, be they used or not. */
  readonly forbidsUnusedCalls?: boolean;
  /** Computations that all estimates of the script may take together; by default any number. */
  readonly allowance?: StepAllowance | undefined;
  /** Nothing says whose an expression is, or whether it is called. */
  readonly isAnybodys?: boolean;
}

type EstimateRules = { readonly estimator: Estimator; readonly allowance?: StepAllowance | undefined };

/**
 * What estimates of a script may take where nobody's block depends on them. The third estimator can be made to take twice
 * as long for each further line; a script of 160 KB that people wrote takes some hundred thousand steps for its functions.
 */
export function askedAllowance(): StepAllowance {
  return { steps: 5_000_000 };
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

/** @throws EstimationError; WorkRefused: it takes more steps than are allowed */
export function estimateScript(script: Script, rules: ComplexityRules): ScriptComplexity {
  const { estimator, hasVerifierLimit, hasLimits = true, isInOneGo = false, allowance } = rules;
  const { libraryVersion } = script;
  if (script.content === "expression") {
    const known = rules.isAnybodys ? costsOfAnyExpression(libraryVersion) : costsOf(libraryVersion, "expression");
    const complexity = estimateExpression(script.expression, libraryVersion, known, { estimator, allowance });
    const limit = hasVerifierLimit ? maxVerifier : maxExpressionComplexity(libraryVersion);
    if (hasLimits && complexity > limit) throw new EstimationError(`Script is too complex: ${complexity} > ${limit}`);
    return { verifier: complexity, callables: new Map(), maximum: complexity };
  }
  const costs =
    isInOneGo && typeof estimator !== "number"
      ? costsInOneGo(script.dApp, libraryVersion, estimator, allowance)
      : costsOneByOne(script.dApp, libraryVersion, rules);
  return withinLimits(costs, libraryVersion, { hasVerifierLimit, hasLimits });
}

function estimateExpression(
  expression: Expression,
  libraryVersion: number,
  known: Costs,
  rules: EstimateRules,
): bigint {
  const whole = libraryVersion < invocationSince ? expression : withValue(invocationName, expression);
  return estimate(whole, known, rules);
}

type PricedFunction = readonly [name: string, cost: bigint];

/** What the functions of a dApp cost that come with an annotation. Several may share a name. */
interface DAppCosts {
  readonly verifier: PricedFunction | undefined;
  readonly callables: readonly PricedFunction[];
}

/** Of a call of each function, among all declarations. @throws EstimationError */
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

/** Of each function by itself. @throws EstimationError */
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
  // The reference hands them out of a table of all functions.
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
  // Of several that cost the most the reference names the last one.
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
