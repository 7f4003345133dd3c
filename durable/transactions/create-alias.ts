/** A name for the sender. @source Waves: state/diffs/CreateAliasTransactionDiff.scala */
import { Feature } from "../../src/network/features.ts";
import { RuleError } from "../../src/protocol/faults.ts";
import type { Snapshot } from "../../src/protocol/snapshots/snapshot.ts";
import type { CreateAliasTransaction } from "../../src/protocol/transactions/transaction.ts";
import type { StateView } from "../state/state-view.ts";
import { balancesAfter, portfolioOf, portfoliosOf } from "./portfolio.ts";
import { senderAddress } from "./sender-address.ts";

/** Before feature 5 a taken alias moves to the new owner. @throws RuleError aliasTaken, aliasProofsWrong, sumOverflow */
export function applyCreateAlias(transaction: CreateAliasTransaction, view: StateView): Snapshot {
  const { alias, proofs, fee } = transaction;
  const account = senderAddress(transaction);
  if (view.isActive(Feature.DataTransaction, view.height)) {
    const owner = view.findAliasOwner(alias);
    if (owner !== undefined) throw new RuleError({ code: "aliasTaken", alias, owner });
  }
  if (proofs.length > 1 && !view.isActive(Feature.RideV6, view.height)) {
    throw new RuleError({ code: "aliasProofsWrong", count: proofs.length });
  }
  return {
    ...balancesAfter(portfoliosOf(account, portfolioOf(null, -fee)), view),
    aliases: [{ address: account, alias }],
  };
}
