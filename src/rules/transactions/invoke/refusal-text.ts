/**
 * Texts of a call's error, in the reference's two forms: as the error of a failed call, and inside the text of an error
 * that it caused.
 * @source Waves: transaction/TxValidationError.scala (asFailedScriptError, toString)
 */
import { addressText } from "../../../crypto/address.ts";
import { describeBalanceProblem, describeViolation } from "../../../protocol/describe-violation.ts";
import { RuleError } from "../../../protocol/errors.ts";
import { aliasText } from "../../../protocol/transactions/alias.ts";
import { dAppFailure, FailedTransaction, FailOrReject } from "../failed-transaction.ts";
import type { StepFailure } from "../scripts/trace.ts";

export type CallError = RuleError | FailedTransaction | FailOrReject;

export function isCallError(error: unknown): error is CallError {
  return error instanceof RuleError || error instanceof FailedTransaction || error instanceof FailOrReject;
}

/** Text of the error kinds with a format of their own; undefined for a plain text. */
function namedText(error: CallError): string | undefined {
  if (error instanceof FailedTransaction) return error.asText;
  if (error instanceof FailOrReject) return `FailOrRejectError(${error.message},${error.rejects})`;
  const { violation } = error;
  switch (violation.code) {
    case "balancesInvalid": {
      const problems = violation.problems.map(
        (problem) => `${addressText(problem.account)} -> ${describeBalanceProblem(problem)}`,
      );
      return `AccountBalanceError(VectorMap(${problems.join(", ")}))`;
    }
    case "aliasUnknown":
      return `Alias '${aliasText(violation.alias)}' does not exist.`;
    case "callAddressInvalid":
      return `InvalidAddress(${violation.reason})`;
    case "callsExceeded":
      return `ScriptRunsLimitError(DApp calls limit = ${violation.limit} is exceeded)`;
    default:
      return undefined;
  }
}

/** Text inside another error that this one caused. */
export function causeText(error: CallError): string {
  return namedText(error) ?? `GenericError(${plainText(error)})`;
}

/** Error text of a failed call. */
export function failureText(error: CallError): string {
  if (error instanceof FailedTransaction) return error.message;
  return namedText(error) ?? plainText(error);
}

function plainText(error: CallError): string {
  return error instanceof RuleError ? describeViolation(error.violation) : error.message;
}

/** Form of the error in a trace step. */
export function asStepFailure(error: CallError): StepFailure {
  return error instanceof FailedTransaction
    ? { error: error.info.error ?? null, log: error.info.log ?? [] }
    : { error: causeText(error), log: undefined };
}

/** The same error as one that may make the transaction fail. */
export function asFailure(error: CallError): FailedTransaction {
  return error instanceof FailedTransaction ? error : dAppFailure(failureText(error), 0);
}

/** Violation of a historical rule that no block may break, as a transaction's error. */
export function asRuleError(error: FailOrReject): RuleError {
  return new RuleError({ code: "callBreaksRule", message: error.message }, { cause: error });
}

/** Turns a rule error of the function into a failure. */
export function failing<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (isCallError(error)) throw asFailure(error);
    throw error;
  }
}
