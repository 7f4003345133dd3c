/** Orders of an exchange. @source Waves: transaction/assets/exchange/ExchangeTransaction.scala */

import type { Asset } from "../../protocol/transactions/asset.ts";
import type { Order } from "../../protocol/transactions/order.ts";
import type { ExchangeTransaction } from "../../protocol/transactions/transaction.ts";

/** The orders by side: from version 3 on they may be in any order. */
export function ordersBySide({ order1, order2 }: ExchangeTransaction): { readonly buy: Order; readonly sell: Order } {
  return order1.side === "buy" ? { buy: order1, sell: order2 } : { buy: order2, sell: order1 };
}

/** Asset that the order's owner gives. */
export function spentAsset({ side, amountAsset, priceAsset }: Order): Asset {
  return side === "buy" ? priceAsset : amountAsset;
}
