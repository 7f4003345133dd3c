/** New name and description of an asset. @source Waves: state/diffs/AssetTransactionsDiffs.scala (updateInfo) */
import { Feature } from "../../network/features.ts";
import { utf8Bytes } from "../../protocol/codec/utf8.ts";
import { RuleError } from "../../protocol/errors.ts";
import type { Snapshot } from "../../protocol/snapshots/snapshot.ts";
import type { UpdateAssetInfoTransaction } from "../../protocol/transactions/transaction.ts";
import type { StateView } from "../state/state-view.ts";
import { getOwnAsset } from "./checks/assets.ts";
import { balancesAfter, portfolioOf, portfoliosOf } from "./portfolio.ts";
import { senderAddress } from "./sender-address.ts";

/** @throws RuleError assetUnknown, assetOfOtherIssuer, assetInfoUpdateTooEarly, feeAssetNotWaves, sumOverflow */
export function applyUpdateAssetInfo(transaction: UpdateAssetInfoTransaction, view: StateView): Snapshot {
  const { asset, sender, fee, feeAsset, name, description } = transaction;
  const { textHeight } = getOwnAsset(asset, sender, view);
  const { height } = view;
  const intervalBlocks = view.settings.functionality.minAssetInfoUpdateInterval;
  // A 32-bit integer, as in the reference: with an interval that is meant to never end the sum wraps around.
  const allowedHeight = (textHeight + intervalBlocks) | 0;
  if (height < allowedHeight) {
    throw new RuleError({ code: "assetInfoUpdateTooEarly", asset, height, allowedHeight, intervalBlocks });
  }
  if (feeAsset !== null && view.has(Feature.RideV6)) {
    throw new RuleError({ code: "feeAssetNotWaves", asset: feeAsset });
  }
  return {
    ...balancesAfter(portfoliosOf(senderAddress(transaction), portfolioOf(feeAsset, -fee)), view),
    assetTexts: [{ assetId: asset, name: utf8Bytes(name), description: utf8Bytes(description) }],
  };
}
