/**
 * What is wrong with the script of a transaction, whatever the state.
 * @source Waves: transaction/validation/impl/SetScriptTxValidator.scala, lang/script/ScriptReader.scala
 */

import { WireError } from "../../protocol/faults.ts";
import { FormatError, malformed } from "../../protocol/transactions/format-faults.ts";
import type { Transaction } from "../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";
import { cachedScript } from "../evaluator/dapp-program.ts";
import { callableTypes, MetaError } from "./dapp-meta.ts";
import type { Script } from "./expression.ts";

/** From this version on an argument of a callable has one type. */
const singleTypesSince = 6;

/** @throws FormatError scriptUnreadable, malformed */
export function checkTransactionScript(transaction: Transaction): void {
  if (!("script" in transaction) || transaction.script === null) return;
  const script = readScript(transaction.script);
  if (transaction.type === TransactionType.SetScript) checkCallables(script);
}

function readScript(bytes: Uint8Array): Script {
  try {
    return cachedScript(bytes);
  } catch (error) {
    if (error instanceof WireError) throw new FormatError({ code: "scriptUnreadable", reason: error.reason });
    throw error;
  }
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
