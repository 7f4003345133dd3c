/**
 * Evaluation of trees.
 * @source Waves: lang/v1/evaluator/EvaluatorV2.scala (applyLimitedCoeval)
 */
import type { Expression } from "../script/expression.ts";
import type { Value } from "../values/value.ts";
import { Code } from "./code.ts";
import type { Environment } from "./environment.ts";
import type { EvaluationLog } from "./evaluation-log.ts";
import { Linker, type LinkOptions } from "./linker.ts";
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
  /** Unused part of the limit. May be negative, and may be positive without a value. */
  readonly unusedComplexity: number;
}

const linkers = new Map<string, Linker>();

/** Linker of a library for scripts of a kind: one for all of them. */
export function linkerOf(options: LinkOptions): Linker {
  const key = `${options.libraryVersion} ${options.content} ${options.guards} ${options.chainId} ${options.hasLexicalScope}`;
  let linker = linkers.get(key);
  if (linker === undefined) {
    linker = new Linker(options);
    linkers.set(key, linker);
  }
  return linker;
}

/** @throws ScriptError; ScriptNotSupported */
export function evaluate(
  expression: Expression,
  options: LinkOptions,
  { environment, rules, complexityLimit, log }: EvaluationRequest,
): Evaluation {
  const machine = new Machine(linkerOf(options), environment, rules, complexityLimit, log);
  const value = machine.run(new Code(expression, undefined), undefined);
  return { value, unusedComplexity: machine.unusedComplexity };
}
