/**
 * What goes wrong while a script runs, in the reference's words.
 * @source Waves: lang/ExecutionError.scala
 */

import type { LogEntry } from "./evaluator/evaluation-log.ts";

/** A function refuses its arguments, a name is missing, a script throws. */
export class ExecutionError extends Error {
  override readonly name: string = "ExecutionError";
  /** What the reference calls it, where it prints one. */
  readonly kind: string = "CommonError";
}

/** An error that, before feature 22, costs all complexity that was left. */
export class ThrownError extends ExecutionError {
  override readonly name = "ThrownError";
  override readonly kind = "ThrownError";
}

/** A function fails where the reference's virtual machine throws an exception: all complexity is spent. */
export class NativeFailure extends ExecutionError {
  override readonly name = "NativeFailure";
  /** Class of the exception, which the reference prints. */
  readonly exception: string;
  constructor(exception: string, message: string) {
    super(message);
    this.exception = exception;
  }
}

/** How logs show a call that failed. */
export interface FailedCall {
  /** Goes on with the log. */
  readonly text: string;
  readonly log: readonly LogEntry[];
  /** Null: an asset's script said no. */
  readonly error: string | null;
}

/** A call of another dApp that did not come to a value. */
export class CallFailure extends ExecutionError {
  override readonly name = "CallFailure";
  /** What was left for the caller after it. */
  readonly unusedComplexity: number;
  /** Undefined: logs show it as other errors. */
  readonly failedCall: FailedCall | undefined;
  constructor(
    message: string,
    unusedComplexity: number,
    options: { readonly cause: unknown; readonly failedCall?: FailedCall | undefined },
  ) {
    super(message);
    this.cause = options.cause;
    this.unusedComplexity = unusedComplexity;
    this.failedCall = options.failedCall;
  }
}

/** The script asks for something that this evaluator does not offer. */
export class ScriptNotSupported extends Error {
  override readonly name = "ScriptNotSupported";
}
