/**
 * Scripts evaluated for somebody who only wants to know: value, complexity, error, log. State changes are left to whoever
 * applies actions.
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
import type { LinkFacts } from "./linker.ts";
import type { EvaluationRules } from "./machine.ts";
import { preparedCall } from "./prepared-call.ts";
import { NotCallable, ScriptError } from "./script-error.ts";

/** Characters of a log inside of an error message. */
const MAX_LOG_CHARACTERS = 1024 * 1024;

/** Here even a dApp of an earlier version finds a list of payments. */
const paymentsSince = 4;

export interface EvaluationSetting {
  readonly dApp: DApp;
  readonly facts: LinkFacts;
  readonly environment: Environment;
  readonly rules: EvaluationRules;
  readonly complexityLimit: number;
}

export type EvaluationAnswer =
  | { readonly kind: "value"; readonly value: Value; readonly complexity: number; readonly log: readonly LogEntry[] }
  /** The script ended without a value. */
  | { readonly kind: "failure"; readonly message: string; readonly log: readonly LogEntry[] }
  /** The script was not asked: it has no such function. */
  | { readonly kind: "refusal"; readonly message: string };

/** An expression that may name whatever the dApp declares. @throws ScriptNotSupported */
export function answerExpression(
  expression: Expression,
  invocation: Invocation,
  setting: EvaluationSetting,
): EvaluationAnswer {
  const whole = expressionInDApp(restoreNames(setting.dApp), expression, invocation);
  return answer(setting, (request) => evaluate(whole, setting.facts, request));
}

/** A call of a callable. @throws ScriptNotSupported */
export function answerCall(
  name: string,
  args: readonly Value[],
  invocation: Invocation,
  setting: EvaluationSetting,
): EvaluationAnswer {
  const dApp = restoreNames(setting.dApp);
  return answer(setting, (request) => {
    const callable = new DAppProgram(dApp, setting.facts).callable(name, args.length, setting.complexityLimit);
    const context = invocationObject(invocation, Math.max(setting.facts.libraryVersion, paymentsSince));
    return preparedCall(dApp, callable, setting.facts).run(context, args, request);
  });
}

function answer(
  { environment, rules, complexityLimit }: EvaluationSetting,
  ask: (request: Parameters<typeof evaluate>[2]) => Evaluation,
): EvaluationAnswer {
  const log = new EvaluationLog();
  try {
    const { value, unusedComplexity } = ask({ environment, rules, complexityLimit, log });
    if (value === undefined) return failure("Calculation complexity limit exceeded", log.entries);
    return { kind: "value", value, complexity: complexityLimit - unusedComplexity, log: log.entries };
  } catch (error) {
    if (error instanceof NotCallable) return { kind: "refusal", message: error.message };
    if (error instanceof ScriptError) return failure(error.message, error.log);
    throw error;
  }
}

function failure(message: string, log: readonly LogEntry[]): EvaluationAnswer {
  const shownLog = evaluationLogText(log, MAX_LOG_CHARACTERS);
  return { kind: "failure", message: `InvokeRejectError(error = ${message}, log = ${shownLog})`, log };
}

const errorIds = { failure: 306, refusal: 199 } as const;

/**
 * As the interface prints it, without the members of the request.
 * @param stateChanges printed with a value
 */
export function answerJson(
  evaluated: EvaluationAnswer,
  { hasTrace, stateChanges }: { readonly hasTrace: boolean; readonly stateChanges: JsonObject },
): JsonObject {
  if (evaluated.kind !== "value") return { error: errorIds[evaluated.kind], message: evaluated.message };
  const { value, complexity, log } = evaluated;
  return { ...(hasTrace && { vars: logJson(log) }), result: valueJson(value), complexity, stateChanges };
}
