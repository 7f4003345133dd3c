/**
 * Scripts of the assets that a transaction moves or changes.
 * @source Waves: transaction/smart/Verifier.scala (assets)
 */
import { RuleError } from "../../../src/protocol/faults.ts";
import { ethereumPayload } from "../../../src/protocol/transactions/ethereum.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import type { StateView } from "../../state/state-view.ts";
import { hasAssetScript } from "./assets.ts";
import { scriptedAssets } from "./scripted-assets.ts";

/**
 * Asks the script of every scripted asset of the transaction.
 * @returns complexity that the scripts spent
 * @throws RuleError scriptsNotSupported: there is no evaluator yet, and nothing may pass without its script
 */
export function verifyAssetScripts(transaction: Transaction, view: StateView): bigint {
  if (involvesAssetScript(transaction, view)) {
    throw new RuleError({ code: "scriptsNotSupported", needed: "script of an asset" });
  }
  return 0n;
}

function involvesAssetScript(transaction: Transaction, view: StateView): boolean {
  if (scriptedAssets(transaction, view).length > 0) return true;
  switch (transaction.type) {
    case 7:
      return [transaction.order1, transaction.order2].some(({ matcherFeeAsset }) =>
        hasAssetScript(matcherFeeAsset, view),
      );
    case 18: {
      const payload = ethereumPayload(transaction);
      if (payload.kind !== "transfer" || payload.token === null) return false;
      return view.findAssetByErc20Address(payload.token)?.script !== undefined;
    }
    default:
      return false;
  }
}
