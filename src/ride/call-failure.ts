/** Failed call of another dApp, for its caller and the log. */
import type { LogEntry } from "./evaluator/evaluation-log.ts";
import { ExecutionError } from "./execution-error.ts";

/** Failed call in logs. */
export interface FailedCall {
  /** Text before the log. */
  readonly text: string;
  readonly log: readonly LogEntry[];
  /** Null: an asset's script refused. */
  readonly error: string | null;
}

/** Failure of a call of another dApp. */
export class CallFailure extends ExecutionError {
  override readonly name = "CallFailure";
  /** Remaining complexity of the caller after the call. */
  readonly unusedComplexity: number;
  /** Undefined: logs print it like other errors. */
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
