/**
 * Logs in error messages, truncated to a number of characters.
 * @source Waves: transaction/ErrorWithLogPrinter.scala
 */

import { CallFailure } from "../call-failure.ts";
import type { LogEntry } from "../evaluator/evaluation-log.ts";
import { ExecutionError } from "../execution-error.ts";
import { logText } from "./value-text.ts";

/** Omits entries that do not fit, and ends with `...`; an error is the last entry. */
export function evaluationLogText(entries: readonly LogEntry[], maxCharacters: number, depth = 1): string {
  const indent = "\t".repeat(depth);
  let text = "";
  let remaining = maxCharacters - 1;
  for (const { name, result } of entries) {
    if (remaining < 0) break;
    if (result instanceof CallFailure && result.failedCall !== undefined) {
      const line = `\n${indent}${name} = ${result.failedCall.text}`;
      const closing = `${indent})`;
      if (line.length <= remaining) text += line;
      const inner = evaluationLogText(result.failedCall.log, remaining - line.length - closing.length, depth + 1);
      return `${text}${inner}${closing}\n`;
    }
    const isError = result instanceof ExecutionError;
    const valueOrError = isError ? `${result.kind}(${result.message})` : logText(result, depth, Math.max(remaining, 0));
    const line = `\n${indent}${name} = ${valueOrError}`;
    if (line.length <= remaining) text += line;
    remaining -= line.length;
    if (isError) return `${text}\n`;
  }
  if (remaining < 0) text += "\n...";
  return `${text}\n`;
}
