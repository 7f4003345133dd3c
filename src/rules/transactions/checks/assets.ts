/** Assets that a transaction uses. @source Waves: state/diffs/DiffsCommon.scala (validateAsset) */
import { equalBytes } from "../../../crypto/bytes.ts";
import type { PublicKey } from "../../../crypto/identities.ts";
import { RuleError } from "../../../protocol/errors.ts";
import type { Asset, AssetId } from "../../../protocol/transactions/asset.ts";
import type { AssetDescription, StateView } from "../../state/state-view.ts";

/** @throws RuleError assetUnknown */
export function getAsset(asset: AssetId, view: StateView): AssetDescription {
  const description = view.findAsset(asset);
  if (description === undefined) throw new RuleError({ code: "assetUnknown", asset });
  return description;
}

/**
 * The asset, which must be the sender's own.
 * @throws RuleError assetUnknown, assetOfOtherIssuer
 */
export function getOwnAsset(asset: AssetId, sender: PublicKey, view: StateView): AssetDescription {
  const description = getAsset(asset, view);
  if (!equalBytes(description.issuer, sender)) {
    throw new RuleError({ code: "assetOfOtherIssuer", asset, issuer: description.issuer });
  }
  return description;
}

/** Whether the asset has a script. WAVES have none. */
export function hasAssetScript(asset: Asset, view: StateView): boolean {
  return asset !== null && view.findAsset(asset)?.script !== undefined;
}
