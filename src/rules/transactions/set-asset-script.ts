/** Change of an asset's script. @source Waves: state/diffs/AssetTransactionsDiffs.scala (setAssetScript) */
import { RuleError } from "../../protocol/errors.ts";
import type { Snapshot } from "../../protocol/snapshots/snapshot.ts";
import type { SetAssetScriptTransaction } from "../../protocol/transactions/transaction.ts";
import type { StateView } from "../state/state-view.ts";
import { getOwnAsset } from "./checks/assets.ts";
import { balancesAfter, portfolioOf, portfoliosOf } from "./portfolio.ts";
import {
  assetScriptComplexity,
  checkAssetScriptComplexity,
  checkAssetScriptSize,
} from "./scripts/script-complexities.ts";
import { senderAddress } from "./sender-address.ts";

/**
 * @throws RuleError assetUnknown, assetOfOtherIssuer, assetWithoutScript, generic: the script is too complex or large
 */
export function applySetAssetScript(transaction: SetAssetScriptTransaction, view: StateView): Snapshot {
  const { asset, sender, fee, script } = transaction;
  const description = getOwnAsset(asset, sender, view);
  const complexity = script === null ? 0n : assetScriptComplexity(script, view);
  if (description.script === undefined) throw new RuleError({ code: "assetWithoutScript", asset });
  if (script !== null) {
    checkAssetScriptComplexity(complexity, view);
    checkAssetScriptSize(script, view);
  }
  return {
    ...balancesAfter(portfoliosOf(senderAddress(transaction), portfolioOf(null, -fee)), view),
    ...(script === null ? {} : { assetScripts: [{ assetId: asset, script, complexity }] }),
  };
}
