/**
 * Logs as error messages show them, cut to a number of characters.
 * @source Waves: transaction/ErrorWithLogPrinter.scala
 */

import { CallFailure } from "../call-failure.ts";
import type { LogEntry } from "../evaluator/evaluation-log.ts";
import { ExecutionError } from "../execution-error.ts";
import { logText } from "./value-text.ts";

/** What does not fit is left out, and `...` ends the text; an error is the last thing shown. */
export function evaluationLogText(entries: readonly LogEntry[], maxCharacters: number, depth = 1): string {
  const indent = "\t".repeat(depth);
  let text = "";
  let left = maxCharacters - 1;
  for (const { name, result } of entries) {
    if (left < 0) break;
    if (result instanceof CallFailure && result.failedCall !== undefined) {
      const line = `\n${indent}${name} = ${result.failedCall.text}`;
      const closing = `${indent})`;
      if (line.length <= left) text += line;
      const inner = evaluationLogText(result.failedCall.log, left - line.length - closing.length, depth + 1);
      return `${text}${inner}${closing}\n`;
    }
    const isError = result instanceof ExecutionError;
    const shown = isError ? `${result.kind}(${result.message})` : logText(result, depth, Math.max(left, 0));
    const line = `\n${indent}${name} = ${shown}`;
    if (line.length <= left) text += line;
    left -= line.length;
    if (isError) return `${text}\n`;
  }
  if (left < 0) text += "\n...";
  return `${text}\n`;
}
