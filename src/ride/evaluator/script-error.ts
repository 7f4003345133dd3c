/** Error of a script that ended without a value. */
import type { ExecutionError } from "../execution-error.ts";
import type { LogEntry } from "./evaluation-log.ts";

export class ScriptError extends Error {
  override readonly name = "ScriptError";
  readonly error: ExecutionError;
  /** Unused part of the limit. */
  readonly unusedComplexity: number;
  /** Empty unless requested. */
  readonly log: readonly LogEntry[];

  constructor(error: ExecutionError, unusedComplexity: number, log: readonly LogEntry[]) {
    super(error.message, { cause: error });
    this.error = error;
    this.unusedComplexity = unusedComplexity;
    this.log = log;
  }
}

/** Call that matches no callable of the dApp. */
export class NotCallable extends ScriptError {}
