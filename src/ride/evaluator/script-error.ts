/** How a script ended that did not come to a value. */
import type { ExecutionError } from "../execution-error.ts";
import type { LogEntry } from "./evaluation-log.ts";

export class ScriptError extends Error {
  override readonly name = "ScriptError";
  readonly error: ExecutionError;
  /** Of the limit it was given. */
  readonly unusedComplexity: number;
  /** Empty where none was asked for. */
  readonly log: readonly LogEntry[];

  constructor(error: ExecutionError, unusedComplexity: number, log: readonly LogEntry[]) {
    super(error.message, { cause: error });
    this.error = error;
    this.unusedComplexity = unusedComplexity;
    this.log = log;
  }
}

/** A call that no callable of the dApp takes. */
export class NotCallable extends ScriptError {}
