/** Another script for a scripted asset. @source Waves: state/diffs/AssetTransactionsDiffs.scala (setAssetScript) */
import { RuleError } from "../../src/protocol/faults.ts";
import type { SetAssetScriptTransaction } from "../../src/protocol/transactions/transaction.ts";
import type { StateView } from "../state/state-view.ts";
import { getOwnAsset } from "./checks/assets.ts";

/**
 * The script can only be told to need an estimate yet.
 * @throws RuleError assetUnknown, assetOfOtherIssuer, assetWithoutScript, scriptsNotSupported
 */
export function applySetAssetScript({ asset, sender }: SetAssetScriptTransaction, view: StateView): never {
  if (getOwnAsset(asset, sender, view).script === undefined) throw new RuleError({ code: "assetWithoutScript", asset });
  throw new RuleError({ code: "scriptsNotSupported", needed: "complexity of an asset script" });
}
