/** Logs in responses. @source Waves: transaction/smart/script/trace/TraceStep.scala (logJson) */
import type { JsonObject } from "../../protocol/json.ts";
import { CallFailure } from "../call-failure.ts";
import { INVOKED_DAPP, INVOKED_FUNCTION, type LogEntry, STATE_CHANGES } from "../evaluator/evaluation-log.ts";
import { ExecutionError } from "../execution-error.ts";
import { weightOf } from "./value.ts";
import { valueJson } from "./value-json.ts";

/**
 * Maximum weight of a printed log. Its values share content: printed, they may take thousands of times their memory.
 */
const MAX_TRACE_WEIGHT = 8 * 1024 * 1024;

/** The log is too long to print. */
export class TraceTooLong extends Error {
  override readonly name = "TraceTooLong";
}

const omittedNames = [INVOKED_DAPP, INVOKED_FUNCTION, STATE_CHANGES];

/** Names and values that a script computed, or errors. @throws TraceTooLong */
export function logJson(log: readonly LogEntry[]): readonly JsonObject[] {
  let weight = 0;
  for (const { name, result } of log) {
    weight += name.length + (result instanceof ExecutionError ? result.message.length : weightOf(result));
    if (weight > MAX_TRACE_WEIGHT) throw new TraceTooLong("the script computed too much to tell");
  }
  return log.flatMap(({ name, result }): JsonObject[] => {
    if (result instanceof ExecutionError) return [{ name, error: errorText(result) }];
    return omittedNames.some((key) => name.includes(key)) ? [] : [{ name, ...valueJson(result) }];
  });
}

/** Error of an entry. For a failed call of another dApp only its own error; null if an asset's script refused. */
function errorText(error: ExecutionError): string | null {
  return error instanceof CallFailure && error.failedCall !== undefined ? error.failedCall.error : error.message;
}
