/** Match of two orders. @source Waves: state/diffs/ExchangeTransactionDiff.scala */
import { Feature } from "../../network/features.ts";
import { RuleError } from "../../protocol/errors.ts";
import type { OrderFill, Snapshot } from "../../protocol/snapshots/snapshot.ts";
import type { Order } from "../../protocol/transactions/order.ts";
import type { ExchangeTransaction } from "../../protocol/transactions/transaction.ts";
import type { StateView } from "../state/state-view.ts";
import { hasAssetScript } from "./checks/assets.ts";
import { isShortEthereumKey } from "./ethereum-key.ts";
import { ordersBySide } from "./exchange-orders.ts";
import { exchangePortfolios } from "./exchange-portfolios.ts";
import { balancesAfter } from "./portfolio.ts";
import { orderSenderAddress } from "./sender-address.ts";

/**
 * @throws RuleError orderKeyInvalid, orderSignatureFormatInvalid, scriptedAssetTradingNotActive,
 *   scriptedAccountTradingNotActive, orderOverfilled, orderFeeExceeded, orderPriceModeNotActive,
 *   orderAttachmentNotActive and those of `exchangePortfolios`
 */
export function applyExchange(transaction: ExchangeTransaction, view: StateView): Snapshot {
  const { order1, order2 } = transaction;
  if (!view.has(Feature.ConsensusImprovements)) for (const order of [order1, order2]) checkEthereumSignature(order);
  checkScriptedParties(transaction, view);
  const fills = fillOrders(transaction, view);
  for (const order of [order1, order2]) {
    if (order.version >= 4 && order.priceMode !== null && !view.has(Feature.RideV6)) {
      throw new RuleError({ code: "orderPriceModeNotActive", order });
    }
  }
  for (const order of [order1, order2]) {
    if (order.attachment !== null && !view.has(Feature.LightNode)) {
      throw new RuleError({ code: "orderAttachmentNotActive", order });
    }
  }
  return { ...balancesAfter(exchangePortfolios(transaction, view), view), orderFills: fills };
}

/** Refuses signatures from which older nodes could not recover a key. */
function checkEthereumSignature(order: Order): void {
  const { eip712Signature, sender } = order;
  if (eip712Signature === null) return;
  if (isShortEthereumKey(sender)) throw new RuleError({ code: "orderKeyInvalid", order });
  const recovery = eip712Signature.at(-1) ?? 0;
  if (recovery <= 1 || recovery > 28) throw new RuleError({ code: "orderSignatureFormatInvalid", order });
}

/** Allows scripted assets in exchanges from feature 9 on, scripted accounts from feature 10 on. */
function checkScriptedParties(transaction: ExchangeTransaction, view: StateView): void {
  const { buy, sell } = ordersBySide(transaction);
  if (!view.has(Feature.SmartAssets)) {
    for (const asset of [buy.amountAsset, buy.priceAsset, sell.amountAsset, sell.priceAsset]) {
      if (asset !== null && hasAssetScript(asset, view)) {
        throw new RuleError({ code: "scriptedAssetTradingNotActive", asset });
      }
    }
  }
  if (view.has(Feature.SmartAccountTrading)) return;
  for (const order of [buy, sell]) {
    const account = orderSenderAddress(order);
    if (view.findAccountScript(account) !== undefined) {
      throw new RuleError({ code: "scriptedAccountTradingNotActive", side: order.side, account });
    }
  }
}

interface Fill {
  readonly order: Order;
  /** Volume before this exchange. */
  readonly filled: bigint;
  /** Volume and fee of the order with this exchange. */
  readonly volume: bigint;
  readonly fee: bigint;
}

/** Fills of the orders including this exchange. Checks the amounts of both first, then the fees. */
function fillOrders(transaction: ExchangeTransaction, view: StateView): readonly OrderFill[] {
  const { buy, sell } = ordersBySide(transaction);
  const fills = [
    fillOf(buy, transaction.amount, transaction.buyMatcherFee, view),
    fillOf(sell, transaction.amount, transaction.sellMatcherFee, view),
  ];
  for (const { order, filled, volume } of fills) {
    if (volume > order.amount) {
      throw new RuleError({ code: "orderOverfilled", order, filled, amount: transaction.amount });
    }
  }
  for (const { order, volume, fee } of fills) {
    const limit = feeLimit(order, volume);
    if (fee > limit) throw new RuleError({ code: "orderFeeExceeded", order, fee, limit });
  }
  return fills.map(({ order, volume, fee }) => ({ orderId: order.id, volume, fee }));
}

function fillOf(order: Order, amount: bigint, matcherFee: bigint, view: StateView): Fill {
  const before = view.orderFill(order.id);
  return { order, filled: before.volume, volume: before.volume + amount, fee: before.fee + matcherFee };
}

/** Maximum fee: from version 3 on the whole fee, before in proportion to the filled amount. */
function feeLimit({ version, matcherFee, amount }: Order, volume: bigint): bigint {
  return version >= 3 ? matcherFee : (matcherFee * volume) / amount;
}
