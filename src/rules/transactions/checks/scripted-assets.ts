/**
 * Assets whose scripts have a say in a transaction.
 * @source Waves: transaction/Transaction.scala (checkedAssets, smartAssets)
 */

import type { Asset, AssetId } from "../../../protocol/transactions/asset.ts";
import type { Transaction } from "../../../protocol/transactions/transaction.ts";
import type { StateView } from "../../state/state-view.ts";
import { hasAssetScript } from "./assets.ts";

/** The scripted ones among the assets that the transaction moves or changes; one paid twice stands twice. */
export function scriptedAssets(transaction: Transaction, view: StateView): readonly AssetId[] {
  return checkedAssets(transaction).filter((asset) => hasAssetScript(asset, view));
}

function checkedAssets(transaction: Transaction): readonly AssetId[] {
  switch (transaction.type) {
    case 4:
    case 5:
    case 6:
    case 11:
    case 14:
    case 15:
    case 17:
      return issuedAssets(transaction.asset);
    case 7:
      return issuedAssets(transaction.order1.priceAsset, transaction.order1.amountAsset);
    case 16:
      return issuedAssets(...transaction.payments.map(({ asset }) => asset));
    default:
      return [];
  }
}

function issuedAssets(...assets: readonly Asset[]): readonly AssetId[] {
  return assets.filter((asset) => asset !== null);
}
