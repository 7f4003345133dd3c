/** A call of another dApp that failed, as its caller and the log see it. */
import type { LogEntry } from "./evaluator/evaluation-log.ts";
import { ExecutionError } from "./execution-error.ts";

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
