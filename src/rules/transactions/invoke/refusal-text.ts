/**
 * What was wrong with a call, in the two ways in which the reference passes it on: as the text of a failed call, and as
 * part of the text of the error that follows from it.
 * @source Waves: transaction/TxValidationError.scala (asFailedScriptError, toString)
 */
import { addressText } from "../../../crypto/address.ts";
import { describeBalanceProblem, describeFault } from "../../../protocol/fault-text.ts";
import { RuleError } from "../../../protocol/faults.ts";
import { aliasText } from "../../../protocol/transactions/alias.ts";
import { dAppFailure, FailedTransaction, FailOrReject } from "../failed-transaction.ts";

export type CallError = RuleError | FailedTransaction | FailOrReject;

export function isCallError(error: unknown): error is CallError {
  return error instanceof RuleError || error instanceof FailedTransaction || error instanceof FailOrReject;
}

/** Kinds of errors that print themselves in a way of their own; undefined: the fault is but a text. */
function namedText(error: CallError): string | undefined {
  if (error instanceof FailedTransaction) return error.asText;
  if (error instanceof FailOrReject) return `FailOrRejectError(${error.message},${error.rejects})`;
  const { fault } = error;
  switch (fault.code) {
    case "balancesInvalid": {
      const problems = fault.problems.map(
        (problem) => `${addressText(problem.account)} -> ${describeBalanceProblem(problem)}`,
      );
      return `AccountBalanceError(VectorMap(${problems.join(", ")}))`;
    }
    case "aliasUnknown":
      return `Alias '${aliasText(fault.alias)}' does not exist.`;
    case "callAddressInvalid":
      return `InvalidAddress(${fault.reason})`;
    case "callsExceeded":
      return `ScriptRunsLimitError(DApp calls limit = ${fault.limit} is exceeded)`;
    default:
      return undefined;
  }
}

/** As another error names it that follows from it. */
export function causeText(error: CallError): string {
  return namedText(error) ?? `GenericError(${plainText(error)})`;
}

/** As the text of a failed call. */
export function failureText(error: CallError): string {
  if (error instanceof FailedTransaction) return error.message;
  return namedText(error) ?? plainText(error);
}

function plainText(error: CallError): string {
  return error instanceof RuleError ? describeFault(error.fault) : error.message;
}

/** The same error as one that may make the transaction fail. */
export function asFailure(error: CallError): FailedTransaction {
  return error instanceof FailedTransaction ? error : dAppFailure(failureText(error), 0);
}

/** A rule of old that no block may break, as the fault of a transaction. */
export function asRuleError(error: FailOrReject): RuleError {
  return new RuleError({ code: "callBreaksRule", message: error.message }, { cause: error });
}

/** Runs what may break a rule; a broken rule becomes a failure. */
export function failing<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (isCallError(error)) throw asFailure(error);
    throw error;
  }
}
