/**
 * Evaluation of trees.
 * @source Waves: lang/v1/evaluator/EvaluatorV2.scala (applyLimitedCoeval)
 */
import type { Expression } from "../script/expression.ts";
import type { Value } from "../values/value.ts";
import { Code } from "./code.ts";
import type { Environment } from "./environment.ts";
import type { EvaluationLog } from "./evaluation-log.ts";
import { Linker, type LinkFacts } from "./linker.ts";
import { type EvaluationRules, Machine } from "./machine.ts";

export interface EvaluationRequest {
  readonly environment: Environment;
  readonly rules: EvaluationRules;
  readonly complexityLimit: number;
  /** Filled while the script runs. */
  readonly log?: EvaluationLog;
}

export interface Evaluation {
  /** Undefined: complexity ran out before there was a value. */
  readonly value: Value | undefined;
  /** Of the limit. May be less than 0, and more than 0 without a value. */
  readonly unusedComplexity: number;
}

const linkers = new Map<string, Linker>();

/** What a library means to scripts of a kind: one for all of them. */
export function linkerOf(facts: LinkFacts): Linker {
  const key = `${facts.libraryVersion} ${facts.content} ${facts.guards} ${facts.chainId} ${facts.hasLexicalScope}`;
  let linker = linkers.get(key);
  if (linker === undefined) {
    linker = new Linker(facts);
    linkers.set(key, linker);
  }
  return linker;
}

/** @throws ScriptError; ScriptNotSupported */
export function evaluate(
  expression: Expression,
  facts: LinkFacts,
  { environment, rules, complexityLimit, log }: EvaluationRequest,
): Evaluation {
  const machine = new Machine(linkerOf(facts), environment, rules, complexityLimit, log);
  const value = machine.run(new Code(expression, undefined), undefined);
  return { value, unusedComplexity: machine.unusedComplexity };
}
