/**
 * Assets whose scripts have a say in a transaction.
 * @source Waves: transaction/Transaction.scala (checkedAssets, smartAssets)
 */

import type { AssetId } from "../../../protocol/transactions/asset.ts";
import { formatOf } from "../../../protocol/transactions/table.ts";
import type { Transaction } from "../../../protocol/transactions/transaction.ts";
import type { StateView } from "../../state/state-view.ts";
import { hasAssetScript } from "./assets.ts";

/** The scripted ones among the assets that the transaction moves or changes; one paid twice stands twice. */
export function scriptedAssets(transaction: Transaction, view: StateView): readonly AssetId[] {
  const checked = formatOf(transaction.type).checkedAssets?.(transaction) ?? [];
  return checked.filter((asset) => asset !== null).filter((asset) => hasAssetScript(asset, view));
}
