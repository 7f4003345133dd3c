/**
 * What goes wrong while a script runs, in the reference's words.
 * @source Waves: lang/ExecutionError.scala
 */

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

/** The script asks for something that this evaluator does not offer. */
export class ScriptNotSupported extends Error {
  override readonly name = "ScriptNotSupported";
}
