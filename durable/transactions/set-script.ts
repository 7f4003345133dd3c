/** The sender's script. @source Waves: state/diffs/SetScriptTransactionDiff.scala */
import { RuleError } from "../../src/protocol/faults.ts";
import type { Snapshot } from "../../src/protocol/snapshots/snapshot.ts";
import type { SetScriptTransaction } from "../../src/protocol/transactions/transaction.ts";
import type { StateView } from "../state/state-view.ts";
import { balancesAfter, portfolioOf, portfoliosOf } from "./portfolio.ts";
import { senderAddress } from "./sender-address.ts";

/**
 * Takes the script away; setting one needs its complexity.
 * @throws RuleError scriptsNotSupported, sumOverflow
 */
export function applySetScript(transaction: SetScriptTransaction, view: StateView): Snapshot {
  const { sender, fee, script } = transaction;
  if (script !== null) throw new RuleError({ code: "scriptsNotSupported", needed: "complexity of an account script" });
  return {
    ...balancesAfter(portfoliosOf(senderAddress(transaction), portfolioOf(null, -fee)), view),
    accountScripts: [{ publicKey: sender, script: null, verifierComplexity: 0n }],
  };
}
