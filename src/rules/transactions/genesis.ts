/** Genesis: the initial balances. @source Waves: state/diffs/GenesisTransactionDiff.scala */
import { RuleError } from "../../protocol/errors.ts";
import type { Snapshot } from "../../protocol/snapshots/snapshot.ts";
import type { GenesisTransaction } from "../../protocol/transactions/transaction.ts";
import type { StateView } from "../state/state-view.ts";
import { balancesAfter, portfolioOf, portfoliosOf } from "./portfolio.ts";

/** @throws RuleError genesisNotFirst, sumOverflow */
export function applyGenesis({ recipient, amount }: GenesisTransaction, view: StateView): Snapshot {
  if (view.height !== 1) throw new RuleError({ code: "genesisNotFirst", height: view.height });
  return balancesAfter(portfoliosOf(recipient, portfolioOf(null, amount)), view);
}
