/** Alias of the sender. @source Waves: state/diffs/CreateAliasTransactionDiff.scala */
import { Feature } from "../../network/features.ts";
import { RuleError } from "../../protocol/errors.ts";
import type { Snapshot } from "../../protocol/snapshots/snapshot.ts";
import type { CreateAliasTransaction } from "../../protocol/transactions/transaction.ts";
import type { StateView } from "../state/state-view.ts";
import { balancesAfter, portfolioOf, portfoliosOf } from "./portfolio.ts";
import { senderAddress } from "./sender-address.ts";

/**
 * Before feature 5 a taken alias moves to the new owner.
 * @throws RuleError aliasTaken, aliasProofsWrong, sumOverflow
 */
export function applyCreateAlias(transaction: CreateAliasTransaction, view: StateView): Snapshot {
  const { alias, proofs, fee } = transaction;
  const account = senderAddress(transaction);
  if (view.has(Feature.DataTransaction)) {
    const owner = view.findAliasOwner(alias);
    if (owner !== undefined) throw new RuleError({ code: "aliasTaken", alias, owner });
  }
  if (proofs.length > 1 && !view.has(Feature.RideV6)) {
    throw new RuleError({ code: "aliasProofsWrong", count: proofs.length });
  }
  return {
    ...balancesAfter(portfoliosOf(account, portfolioOf(null, -fee)), view),
    aliases: [{ address: account, alias }],
  };
}
