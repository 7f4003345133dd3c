/** Assets of payments. @source Waves: state/diffs/invoke/InvokeDiffsCommon.scala (checkAsset, checkPayments) */
import { Feature } from "../../../network/features.ts";
import { RuleError } from "../../../protocol/errors.ts";
import type { AssetId } from "../../../protocol/transactions/asset.ts";
import type { Payment } from "../../../protocol/transactions/transaction.ts";
import { bytesText } from "../../../ride/values/value-text.ts";
import type { StateView } from "../../state/state-view.ts";

const assetIdBytes = 32;

/** Error of a transferred asset: from feature 16 on it must exist. */
export function findAssetError(assetId: AssetId, view: StateView): string | undefined {
  if (!view.has(Feature.SynchronousCalls)) return undefined;
  const { length } = assetId;
  const id = bytesText(assetId);
  if (length !== assetIdBytes) {
    return `Transfer error: invalid asset ID '${id}' length = ${length} bytes, must be ${assetIdBytes}`;
  }
  return view.findAsset(assetId) === undefined
    ? `Transfer error: asset '${id}' is not found on the blockchain`
    : undefined;
}

/** @throws RuleError generic */
export function checkPaidAssets(payments: readonly Payment[], view: StateView): void {
  for (const { asset } of payments) {
    const error = asset === null ? undefined : findAssetError(asset, view);
    if (error !== undefined) throw new RuleError({ code: "generic", message: error });
  }
}
