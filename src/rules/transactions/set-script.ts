/** Script of the sender. @source Waves: state/diffs/SetScriptTransactionDiff.scala */
import type { Snapshot } from "../../protocol/snapshots/snapshot.ts";
import type { SetScriptTransaction } from "../../protocol/transactions/transaction.ts";
import type { StateView } from "../state/state-view.ts";
import { balancesAfter, portfolioOf, portfoliosOf } from "./portfolio.ts";
import { accountScriptComplexity } from "./scripts/script-complexities.ts";
import { senderAddress } from "./sender-address.ts";

/** @throws RuleError generic: the script is too large or too complex; sumOverflow */
export function applySetScript(transaction: SetScriptTransaction, view: StateView): Snapshot {
  const { sender, fee, script } = transaction;
  const verifierComplexity = script === null ? 0n : accountScriptComplexity(script, view);
  return {
    ...balancesAfter(portfoliosOf(senderAddress(transaction), portfolioOf(null, -fee)), view),
    accountScripts: [{ publicKey: sender, script, verifierComplexity }],
  };
}
