/**
 * Errors that may make a transaction fail instead of being refused: it is then included in its block and pays its fee.
 * @source Waves: transaction/TxValidationError.scala (FailedTransactionError); lang/ExecutionError.scala
 */
import { encodeBase58 } from "../../crypto/base58.ts";
import type { LogEntry } from "../../ride/evaluator/evaluation-log.ts";
import type { InvokedCall } from "../../ride/results/call-result.ts";

/** Error codes in responses, by cause. */
export const failureCodes = { dAppExecution: 1, feeForActions: 2, assetScriptInAction: 3, assetScript: 4 } as const;
export type FailureCause = keyof typeof failureCodes;

/** From feature 17 on a transaction whose scripts spent at most this complexity is refused instead of failing. */
export const failFreeComplexity = 1000;

export interface FailureInfo {
  readonly cause: FailureCause;
  /** Complexity that the scripts had spent. */
  readonly spentComplexity: number;
  /** Text of the error; undefined if the script of the asset returned false. */
  readonly error?: string | undefined;
  /** Asset whose script it was. */
  readonly assetId?: Uint8Array | undefined;
  readonly log?: readonly LogEntry[];
  readonly invokes?: readonly InvokedCall[];
}

export class FailedTransaction extends Error {
  override readonly name = "FailedTransaction";
  readonly info: FailureInfo;

  constructor(info: FailureInfo) {
    super(failureText(info));
    this.info = info;
  }

  get code(): number {
    return failureCodes[this.info.cause];
  }

  get isFailFree(): boolean {
    return this.info.spentComplexity <= failFreeComplexity;
  }

  /** Text inside an error that this one caused. */
  get asText(): string {
    return this.message.startsWith("FailedTransactionError")
      ? this.message
      : `FailedTransactionError(code = ${this.code}, error = ${this.message})`;
  }

  /** Start of a log that continues with the log of the failed call. */
  get logHeading(): string {
    return `FailedTransactionError(code = ${this.code}, error = ${this.message}, log = `;
  }

  with(info: Partial<FailureInfo>): FailedTransaction {
    return new FailedTransaction({ ...this.info, ...info });
  }

  /** The same failure with complexity spent by earlier scripts. */
  after(spentComplexity: number): FailedTransaction {
    return this.with({ spentComplexity: this.info.spentComplexity + spentComplexity });
  }
}

/** Error of a call or an action: code 1. */
export function dAppFailure(error: string, spentComplexity: number, log: readonly LogEntry[] = []): FailedTransaction {
  return new FailedTransaction({ cause: "dAppExecution", spentComplexity, error, log });
}

function failureText({ error, assetId }: FailureInfo): string {
  if (assetId === undefined) return error ?? "";
  const refusal = `Transaction is not allowed by script of the asset ${encodeBase58(assetId)}`;
  return error === undefined ? refusal : `${refusal}: ${error}`;
}

/**
 * Error that refuses a transaction, or makes it fail if it comes from a nested call.
 * @source Waves: lang/ExecutionError.scala (FailOrRejectError)
 */
export class FailOrReject extends Error {
  override readonly name = "FailOrReject";
  /** False after it has passed through a call of another dApp. */
  readonly rejects: boolean;
  constructor(message: string, rejects = true) {
    super(message);
    this.rejects = rejects;
  }
}
