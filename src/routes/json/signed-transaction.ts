/** Signed transactions in the bodies of requests. */
import { isJsonObject, type ParsedJson } from "../../protocol/parse-json.ts";
import type { FormatViolation } from "../../protocol/transactions/format-error.ts";
import type { Transaction } from "../../protocol/transactions/transaction.ts";
import { transactionFromJson } from "../../protocol/transactions/transaction-from-json.ts";
import { checkTransactionScript } from "../../ride/script/check-transaction-script.ts";
import { writtenScript } from "../../ride/script/written-script.ts";

/**
 * Parses a transaction and checks its script, which is converted to its written form.
 * @param facts.isDevChain whether it may lack proofs, for an impersonated account
 * @throws FormatError
 */
export function signedTransactionOf(
  body: ParsedJson,
  chainId: number,
  { isDevChain = false }: { readonly isDevChain?: boolean | undefined } = {},
): Transaction {
  const transaction = transactionFromJson(isDevChain ? withProofs(body) : body, chainId, writtenScript);
  checkTransactionScript(transaction);
  return transaction;
}

function withProofs(body: ParsedJson): ParsedJson {
  return isJsonObject(body) && body["proofs"] === undefined ? { ...body, proofs: null } : body;
}

/** Whether the reference throws such an error instead of returning it: then every route responds with it. */
export function isBroken(violation: FormatViolation): boolean {
  return (
    violation.code === "jsonInvalid" ||
    (violation.code === "malformed" && violation.message.startsWith("requirement failed"))
  );
}
