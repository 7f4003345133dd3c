/**
 * Errors of running scripts, with the reference's messages.
 * @source Waves: lang/ExecutionError.scala
 */

/** Invalid arguments of a function, a missing name, or an error thrown by the script. */
export class ExecutionError extends Error {
  override readonly name: string = "ExecutionError";
  /** Kind of the error in the reference's output. */
  readonly kind: string = "CommonError";
}

/** Error that, before feature 22, costs all remaining complexity. */
export class ThrownError extends ExecutionError {
  override readonly name = "ThrownError";
  override readonly kind = "ThrownError";
}

/** Failure of a function with an exception of the reference's virtual machine: all complexity is spent. */
export class NativeFailure extends ExecutionError {
  override readonly name = "NativeFailure";
  /** Class of the exception, which the reference prints. */
  readonly exception: string;
  constructor(exception: string, message: string) {
    super(message);
    this.exception = exception;
  }
}

/** The script uses a feature that this evaluator does not support. */
export class ScriptNotSupported extends Error {
  override readonly name = "ScriptNotSupported";
}
