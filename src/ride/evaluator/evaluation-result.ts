/**
 * Evaluation of scripts for clients: value, complexity, error, log. State changes are computed by the caller, which
 * processes the actions.
 * @source Waves: api/http/utils/UtilsEvaluator.scala, Evaluation.scala
 */
import type { JsonObject } from "../../protocol/json.ts";
import { restoreNames } from "../decompiler/restore-names.ts";
import { type Invocation, invocationObject } from "../objects/invocation.ts";
import type { DApp, Expression } from "../script/expression.ts";
import { logJson } from "../values/log-json.ts";
import { evaluationLogText } from "../values/log-text.ts";
import type { Value } from "../values/value.ts";
import { valueJson } from "../values/value-json.ts";
import { DAppProgram, expressionInDApp } from "./dapp-program.ts";
import type { Environment } from "./environment.ts";
import { type Evaluation, evaluate } from "./evaluate.ts";
import { EvaluationLog, type LogEntry } from "./evaluation-log.ts";
import type { LinkOptions } from "./linker.ts";
import type { EvaluationRules } from "./machine.ts";
import { preparedCall } from "./prepared-call.ts";
import { NotCallable, ScriptError } from "./script-error.ts";

/** Maximum length of a log inside an error message, characters. */
const MAX_LOG_CHARACTERS = 1024 * 1024;

/** Minimum version of the invocation object: even a dApp of an earlier version sees a list of payments here. */
const paymentsSince = 4;

export interface EvaluationOptions {
  readonly dApp: DApp;
  readonly linkOptions: LinkOptions;
  readonly environment: Environment;
  readonly rules: EvaluationRules;
  readonly complexityLimit: number;
}

export type EvaluationResult =
  | { readonly kind: "value"; readonly value: Value; readonly complexity: number; readonly log: readonly LogEntry[] }
  /** The script ended without a value. */
  | { readonly kind: "failure"; readonly message: string; readonly log: readonly LogEntry[] }
  /** The script did not run: it has no such function. */
  | { readonly kind: "refusal"; readonly message: string };

/** Evaluates an expression that may use all names of the dApp. @throws ScriptNotSupported */
export function evaluateExpression(
  expression: Expression,
  invocation: Invocation,
  options: EvaluationOptions,
): EvaluationResult {
  const inDApp = expressionInDApp(restoreNames(options.dApp), expression, invocation);
  return evaluateWith(options, (request) => evaluate(inDApp, options.linkOptions, request));
}

/** Evaluates a call of a callable. @throws ScriptNotSupported */
export function evaluateCall(
  name: string,
  args: readonly Value[],
  invocation: Invocation,
  options: EvaluationOptions,
): EvaluationResult {
  const dApp = restoreNames(options.dApp);
  return evaluateWith(options, (request) => {
    const callable = new DAppProgram(dApp, options.linkOptions).callable(name, args.length, options.complexityLimit);
    const context = invocationObject(invocation, Math.max(options.linkOptions.libraryVersion, paymentsSince));
    return preparedCall(dApp, callable, options.linkOptions).run(context, args, request);
  });
}

function evaluateWith(
  { environment, rules, complexityLimit }: EvaluationOptions,
  run: (request: Parameters<typeof evaluate>[2]) => Evaluation,
): EvaluationResult {
  const log = new EvaluationLog();
  try {
    const { value, unusedComplexity } = run({ environment, rules, complexityLimit, log });
    if (value === undefined) return failure("Calculation complexity limit exceeded", log.entries);
    return { kind: "value", value, complexity: complexityLimit - unusedComplexity, log: log.entries };
  } catch (error) {
    if (error instanceof NotCallable) return { kind: "refusal", message: error.message };
    if (error instanceof ScriptError) return failure(error.message, error.log);
    throw error;
  }
}

function failure(message: string, log: readonly LogEntry[]): EvaluationResult {
  const logText = evaluationLogText(log, MAX_LOG_CHARACTERS);
  return { kind: "failure", message: `InvokeRejectError(error = ${message}, log = ${logText})`, log };
}

const errorIds = { failure: 306, refusal: 199 } as const;

/**
 * Response to an evaluation request, without the members of the request.
 * @param stateChanges included with a value
 */
export function evaluationResultJson(
  evaluation: EvaluationResult,
  { hasTrace, stateChanges }: { readonly hasTrace: boolean; readonly stateChanges: JsonObject },
): JsonObject {
  if (evaluation.kind !== "value") return { error: errorIds[evaluation.kind], message: evaluation.message };
  const { value, complexity, log } = evaluation;
  return { ...(hasTrace && { vars: logJson(log) }), result: valueJson(value), complexity, stateChanges };
}
