/**
 * Assets whose scripts decide on a transaction.
 * @source Waves: transaction/Transaction.scala (checkedAssets, smartAssets)
 */

import type { AssetId } from "../../../protocol/transactions/asset.ts";
import { formatOf } from "../../../protocol/transactions/table.ts";
import type { Transaction } from "../../../protocol/transactions/transaction.ts";
import type { StateView } from "../../state/state-view.ts";
import { hasAssetScript } from "./assets.ts";

/** Scripted ones among the assets that the transaction moves or changes; an asset paid twice is listed twice. */
export function scriptedAssets(transaction: Transaction, view: StateView): readonly AssetId[] {
  const checked = formatOf(transaction.type).checkedAssets?.(transaction) ?? [];
  return checked.filter((asset) => asset !== null).filter((asset) => hasAssetScript(asset, view));
}
