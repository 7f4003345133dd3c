/**
 * An id stands once in the chain.
 * @source Waves: state/diffs/CommonValidation.scala (disallowDuplicateIds); database/patch/DisableHijackedAliases.scala
 */

import { RuleError } from "../../../protocol/faults.ts";
import { formatOf } from "../../../protocol/transactions/table.ts";
import type { Transaction } from "../../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../../protocol/transactions/transaction-type.ts";
import type { StateView } from "../../state/state-view.ts";

/** @throws RuleError alreadyInState */
export function checkDuplicate(transaction: Transaction, view: StateView): void {
  if (mayRepeatId(transaction, view)) return;
  const { id } = transaction;
  const known = view.findTransaction(id);
  if (known !== undefined) throw new RuleError({ code: "alreadyInState", transactionId: id, height: known.height });
}

/** Whether the chain may have a transaction with its id already. */
function mayRepeatId({ type }: Transaction, { height, settings }: StateView): boolean {
  if (formatOf(type).mayRepeatId) return true;
  // The id of an alias is a hash of its name alone: while names could be taken over, ids came twice.
  return type === TransactionType.CreateAlias && height < aliasesUniqueFrom(settings.schemeCharacter);
}

/** Whether the names that had been taken over are out of use by the height, since names have one owner for good. */
export function areTakenOverDisabled(schemeCharacter: string, height: number): boolean {
  const uniqueFrom = aliasesUniqueFrom(schemeCharacter);
  return uniqueFrom > 0 && height > uniqueFrom;
}

/** Height from which an alias has one owner for good: a patch of mainnet ended the take-overs there. */
export function aliasesUniqueFrom(schemeCharacter: string): number {
  return schemeCharacter === "W" ? 1_060_000 : 0;
}
