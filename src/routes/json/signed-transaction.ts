/** Signed transactions in the bodies of requests. */
import type { ParsedJson } from "../../protocol/parse-json.ts";
import type { FormatFault } from "../../protocol/transactions/format-faults.ts";
import type { Transaction } from "../../protocol/transactions/transaction.ts";
import { transactionFromJson } from "../../protocol/transactions/transaction-from-json.ts";
import { checkTransactionScript } from "../../ride/script/script-fault.ts";
import { writtenScript } from "../../ride/script/written-script.ts";

/** The transaction, its script looked through and in the form it is written in. @throws FormatError */
export function signedTransactionOf(body: ParsedJson, chainId: number): Transaction {
  const transaction = transactionFromJson(body, chainId, writtenScript);
  checkTransactionScript(transaction);
  return transaction;
}

/** Whether the reference breaks off with such a fault, where it gives others back: it is the answer on every route. */
export function isBroken(fault: FormatFault): boolean {
  return fault.code === "jsonInvalid" || (fault.code === "malformed" && fault.message.startsWith("requirement failed"));
}
