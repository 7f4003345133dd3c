/**
 * Check of a transaction's script, independent of the state.
 * @source Waves: transaction/validation/impl/SetScriptTxValidator.scala, lang/script/ScriptReader.scala
 */

import { FormatError, malformed } from "../../protocol/transactions/format-error.ts";
import type { Transaction } from "../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";
import { callableTypes, MetaError } from "./dapp-meta.ts";
import type { Script } from "./expression.ts";
import { readScript, writtenScript } from "./written-script.ts";

/** First version in which an argument of a callable must have a single type. */
const singleTypesSince = 6;

/**
 * Refuses also scripts whose encoding differs: no honest node sends them in blocks and messages, and requests have
 * theirs encoded before.
 * @throws FormatError scriptUnreadable, malformed
 */
export function checkTransactionScript(transaction: Transaction): void {
  if (!("script" in transaction) || transaction.script === null) return;
  const script = readScript(transaction.script);
  if (writtenScript(transaction.script) !== transaction.script) {
    throw new FormatError({ code: "scriptUnreadable", reason: "Script is not in the form it is written in" });
  }
  if (transaction.type === TransactionType.SetScript) checkCallables(script);
}

function checkCallables(script: Script): void {
  if (script.content !== "dApp" || script.libraryVersion < singleTypesSince) return;
  if (argumentTypes(script).some(({ types }) => types.length > 1)) {
    throw malformed("Union type is not allowed in callable function arguments of script");
  }
}

function argumentTypes({ dApp }: Extract<Script, { content: "dApp" }>) {
  try {
    return callableTypes(dApp.meta)?.flat() ?? [];
  } catch (error) {
    if (error instanceof MetaError) throw malformed(error.message);
    throw error;
  }
}
