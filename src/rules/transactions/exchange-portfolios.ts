/**
 * Balance changes of an exchange.
 * @source Waves: state/diffs/ExchangeTransactionDiff.scala (getPortfolios)
 */
import { I64_MAX, I64_MIN } from "../../protocol/codec/i64.ts";
import { RuleError } from "../../protocol/errors.ts";
import type { Asset } from "../../protocol/transactions/asset.ts";
import type { Order } from "../../protocol/transactions/order.ts";
import type { ExchangeTransaction } from "../../protocol/transactions/transaction.ts";
import type { StateView } from "../state/state-view.ts";
import { ordersBySide, spentAsset } from "./exchange-orders.ts";
import { combineAllPortfolios, combinePortfolios, type Portfolios, portfolioOf, portfoliosOf } from "./portfolio.ts";
import { orderSenderAddress, senderAddress } from "./sender-address.ts";

/** Decimals of WAVES, and of prices unless the mode differs. */
const waveDecimals = 8;

/**
 * Changes of the balances of the buyer, the seller and the matcher.
 * @throws RuleError matcherFeeNegative, exchangeAssetUnknown, exchangePriceOutOfOrder, exchangeAmountOverflow,
 *   sumOverflow
 */
export function exchangePortfolios(transaction: ExchangeTransaction, view: StateView): Portfolios {
  const { buyMatcherFee, sellMatcherFee } = transaction;
  const { buy, sell } = ordersBySide(transaction);
  if (buyMatcherFee < 0n || sellMatcherFee < 0n) {
    throw new RuleError({ code: "matcherFeeNegative", buyMatcherFee, sellMatcherFee });
  }
  for (const asset of [buy.amountAsset, buy.priceAsset, sell.amountAsset, sell.priceAsset]) requireIssued(asset, view);
  const decimals = decimalsOf(transaction, buy, view);
  checkPrices(transaction, buy, sell, decimals);

  const { amount, price } = transaction;
  const paid = paidAmount(buy, { amount, price, decimals });
  const received = receivedAmount({ amount, price, decimals });
  const buyer = orderSenderAddress(buy);
  const seller = orderSenderAddress(sell);
  const priceChanges = combineAllPortfolios(
    portfoliosOf(buyer, portfolioOf(buy.priceAsset, -paid)),
    portfoliosOf(seller, portfolioOf(buy.priceAsset, received)),
  );
  const amountChanges = combineAllPortfolios(
    portfoliosOf(buyer, portfolioOf(buy.amountAsset, amount)),
    portfoliosOf(seller, portfolioOf(buy.amountAsset, -amount)),
  );
  return combineAllPortfolios(feeChanges(transaction, buy, sell), priceChanges, amountChanges);
}

/** Each owner pays the matcher in the order's fee asset; the matcher pays the fee of the transaction. */
function feeChanges(transaction: ExchangeTransaction, buy: Order, sell: Order): Portfolios {
  const { fee, buyMatcherFee, sellMatcherFee } = transaction;
  const earned = combinePortfolios(
    portfolioOf(buy.matcherFeeAsset, buyMatcherFee),
    portfolioOf(sell.matcherFeeAsset, sellMatcherFee),
  );
  return combineAllPortfolios(
    portfoliosOf(senderAddress(transaction), combinePortfolios(earned, portfolioOf(null, -fee))),
    portfoliosOf(orderSenderAddress(buy), portfolioOf(buy.matcherFeeAsset, -buyMatcherFee)),
    portfoliosOf(orderSenderAddress(sell), portfolioOf(sell.matcherFeeAsset, -sellMatcherFee)),
  );
}

interface PairDecimals {
  readonly amount: number;
  readonly price: number;
}

/** Decimals of the price: from version 3 on those of both assets; before, 8 for either. */
function decimalsOf({ version }: ExchangeTransaction, order: Order, view: StateView): PairDecimals {
  if (version < 3) return { amount: waveDecimals, price: waveDecimals };
  const assetDecimals = (asset: Asset): number =>
    asset === null ? waveDecimals : (view.findAsset(asset)?.decimals ?? waveDecimals);
  return { amount: assetDecimals(order.amountAsset), price: assetDecimals(order.priceAsset) };
}

function requireIssued(asset: Asset, view: StateView): void {
  if (asset !== null && view.findAsset(asset) === undefined) {
    throw new RuleError({ code: "exchangeAssetUnknown", asset });
  }
}

/** Checks the price against the limits of both orders. */
function checkPrices(transaction: ExchangeTransaction, buy: Order, sell: Order, decimals: PairDecimals): void {
  const { price } = transaction;
  const buyPrice = convertedPrice(transaction, buy, decimals);
  const sellPrice = convertedPrice(transaction, sell, decimals);
  if (price > buyPrice) {
    const details = { side: "buy", price, orderPrice: buy.price, convertedOrderPrice: buyPrice } as const;
    throw new RuleError({ code: "exchangePriceOutOfOrder", ...details });
  }
  if (price < sellPrice) {
    const details = { side: "sell", price, orderPrice: sell.price, convertedOrderPrice: sellPrice } as const;
    throw new RuleError({ code: "exchangePriceOutOfOrder", ...details });
  }
}

/** The order's price in the mode of the exchange: orders of the older modes use the assets' own decimals. */
function convertedPrice({ version }: ExchangeTransaction, order: Order, decimals: PairDecimals): bigint {
  const isAssetDecimals = order.version < 4 || order.priceMode === "assetDecimals";
  if (version < 3 || !isAssetDecimals) return order.price;
  return fitting(timesPowerOfTen(order.price, decimals.amount - decimals.price));
}

interface Settlement {
  readonly amount: bigint;
  readonly price: bigint;
  readonly decimals: PairDecimals;
}

/** Amount that the seller gets, in units of the price asset, rounded down. */
function receivedAmount({ amount, price, decimals }: Settlement): bigint {
  const product = roundedToDecimal128(amount * price);
  return fitting(timesPowerOfTen(product, decimals.price - decimals.amount - waveDecimals));
}

/** Amount that the buyer gives. A buyer who pays in WAVES must be able to pay the fee as well. */
function paidAmount(buy: Order, settlement: Settlement): bigint {
  const paid = receivedAmount(settlement);
  if (spentAsset(buy) === null) fitting(paid + buy.matcherFee);
  return paid;
}

/** Digits of the reference's decimal numbers (IEEE 754 decimal128). */
const decimal128Digits = 34;

/** Product as the reference computes it: rounded to 34 digits, ties to even. */
function roundedToDecimal128(value: bigint): bigint {
  const excess = value.toString().length - decimal128Digits;
  if (excess <= 0) return value;
  const unit = 10n ** BigInt(excess);
  const quotient = value / unit;
  const twiceRest = (value % unit) * 2n;
  const roundsUp = twiceRest > unit || (twiceRest === unit && quotient % 2n === 1n);
  return (roundsUp ? quotient + 1n : quotient) * unit;
}

/** Truncates for a negative power. All values here are positive. */
function timesPowerOfTen(value: bigint, power: number): bigint {
  return power >= 0 ? value * 10n ** BigInt(power) : value / 10n ** BigInt(-power);
}

function fitting(amount: bigint): bigint {
  if (amount > I64_MAX || amount < I64_MIN) throw new RuleError({ code: "exchangeAmountOverflow" });
  return amount;
}
