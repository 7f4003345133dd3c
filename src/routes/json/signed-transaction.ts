/** Signed transactions in the bodies of requests. */
import { isJsonObject, type ParsedJson } from "../../protocol/parse-json.ts";
import type { FormatFault } from "../../protocol/transactions/format-faults.ts";
import type { Transaction } from "../../protocol/transactions/transaction.ts";
import { transactionFromJson } from "../../protocol/transactions/transaction-from-json.ts";
import { checkTransactionScript } from "../../ride/script/script-fault.ts";
import { writtenScript } from "../../ride/script/written-script.ts";

/**
 * The transaction, its script looked through and in the form it is written in.
 * @param facts.isDevChain there it may come without proofs, of an account that is impersonated
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

/** Whether the reference breaks off with such a fault, where it gives others back: it is the answer on every route. */
export function isBroken(fault: FormatFault): boolean {
  return fault.code === "jsonInvalid" || (fault.code === "malformed" && fault.message.startsWith("requirement failed"));
}
