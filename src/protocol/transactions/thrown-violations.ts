/** Violations for which the reference throws an exception: no block with such a transaction is appended. */
import type { RuleError } from "../errors.ts";

/** @source Waves: state/diffs/FeeValidation.scala, transaction/EthABIConverter.scala (decodeArgs) */
export function isThrown({ code }: RuleError["violation"]): boolean {
  return code === "feeConversionOverflow" || code === "callDataUnreadable";
}
