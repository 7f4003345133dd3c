/**
 * Uniqueness of ids in the chain, as far back as every node knows them.
 * @source Waves: state/diffs/CommonValidation.scala (disallowDuplicateIds);
 *   database/patch/DisableHijackedAliases.scala;   database/RocksDBWriter.scala (containsTransaction)
 */

import { RuleError } from "../../../protocol/errors.ts";
import { formatOf } from "../../../protocol/transactions/table.ts";
import type { Transaction } from "../../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../../protocol/transactions/transaction-type.ts";
import type { StateView } from "../../state/state-view.ts";
import type { BlockContext } from "../block-context.ts";

type Time = Pick<BlockContext, "previousBlockTimestamp">;

/**
 * Checks that the id is new. In the pool and in own blocks no id repeats. In a peer's block an id may repeat that some
 * node may have forgotten (docs/decisions, 63).
 * @throws RuleError alreadyInState
 */
export function checkDuplicate(transaction: Transaction, view: StateView, time: Time): void {
  if (mayRepeatId(transaction, view)) return;
  const { id } = transaction;
  const known = view.findTransaction(id);
  if (known === undefined || (!view.mayRefuseWork && mayBeForgotten(known.height, view, time))) return;
  throw new RuleError({ code: "alreadyInState", transactionId: id, height: known.height });
}

/**
 * Whether a node of the reference may have forgotten the ids of the block at the height. It stores those of two runs of
 * blocks, and begins a new run with a block more than two back offsets younger than the one that began the last run, or
 * than the tip at its start. All nodes know ids younger than that at the parent.
 */
function mayBeForgotten(height: number, view: StateView, { previousBlockTimestamp }: Time): boolean {
  if (height >= view.height || previousBlockTimestamp === undefined) return false;
  const block = view.findHeader(height);
  const knownMs = view.settings.functionality.maxTransactionTimeBackOffsetMs * 2n;
  return block !== undefined && previousBlockTimestamp - block.header.timestamp > knownMs;
}

/** Whether the chain may already have a transaction with this id. */
function mayRepeatId({ type }: Transaction, { height, settings }: StateView): boolean {
  if (formatOf(type).mayRepeatId) return true;
  // An alias' id is a hash of its name alone: while names could be taken over, ids repeated.
  return type === TransactionType.CreateAlias && height < aliasesUniqueFrom(settings.schemeCharacter);
}

/** Whether taken-over names are disabled at the height: since then a name has one permanent owner. */
export function areTakenOverDisabled(schemeCharacter: string, height: number): boolean {
  const uniqueFrom = aliasesUniqueFrom(schemeCharacter);
  return uniqueFrom > 0 && height > uniqueFrom;
}

/** Height from which an alias has one permanent owner: a patch of mainnet ended the take-overs there. */
export function aliasesUniqueFrom(schemeCharacter: string): number {
  return schemeCharacter === "W" ? 1_060_000 : 0;
}
