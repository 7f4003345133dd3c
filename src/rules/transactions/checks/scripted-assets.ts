/**
 * Assets whose scripts have a say in a transaction.
 * @source Waves: transaction/Transaction.scala (checkedAssets, smartAssets)
 */

import type { Asset, AssetId } from "../../../protocol/transactions/asset.ts";
import type { Transaction } from "../../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../../protocol/transactions/transaction-type.ts";
import type { StateView } from "../../state/state-view.ts";
import { hasAssetScript } from "./assets.ts";

/** The scripted ones among the assets that the transaction moves or changes; one paid twice stands twice. */
export function scriptedAssets(transaction: Transaction, view: StateView): readonly AssetId[] {
  return checkedAssets(transaction).filter((asset) => hasAssetScript(asset, view));
}

function checkedAssets(transaction: Transaction): readonly AssetId[] {
  switch (transaction.type) {
    case TransactionType.Transfer:
    case TransactionType.Reissue:
    case TransactionType.Burn:
    case TransactionType.MassTransfer:
    case TransactionType.SponsorFee:
    case TransactionType.SetAssetScript:
    case TransactionType.UpdateAssetInfo:
      return issuedAssets(transaction.asset);
    case TransactionType.Exchange:
      return issuedAssets(transaction.order1.priceAsset, transaction.order1.amountAsset);
    case TransactionType.InvokeScript:
      return issuedAssets(...transaction.payments.map(({ asset }) => asset));
    default:
      return [];
  }
}

function issuedAssets(...assets: readonly Asset[]): readonly AssetId[] {
  return assets.filter((asset) => asset !== null);
}
