/**
 * Who gives what to whom in an exchange.
 * @source Waves: state/diffs/ExchangeTransactionDiff.scala (getPortfolios)
 */
import { I64_MAX, I64_MIN } from "../../protocol/codec/i64.ts";
import { RuleError } from "../../protocol/faults.ts";
import type { Asset } from "../../protocol/transactions/asset.ts";
import type { Order } from "../../protocol/transactions/order.ts";
import type { ExchangeTransaction } from "../../protocol/transactions/transaction.ts";
import type { StateView } from "../state/state-view.ts";
import { ordersBySide, spentAsset } from "./exchange-orders.ts";
import { combineAllPortfolios, combinePortfolios, type Portfolios, portfolioOf, portfoliosOf } from "./portfolio.ts";
import { orderSenderAddress, senderAddress } from "./sender-address.ts";

/** Decimals of WAVES, and of prices where the mode does not say otherwise. */
const waveDecimals = 8;

/**
 * Changes of the balances of the buyer, the seller and the matcher.
 * @throws RuleError matcherFeeNegative, exchangeAssetUnknown, exchangePriceOutOfOrder, exchangeAmountOverflow, sumOverflow
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

/** Each owner pays the matcher in the asset that the order names; the matcher pays the fee of the transaction. */
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

/** From version 3 on prices count in the decimals of both assets; before, in 10^-8 of either. */
function decimalsOf({ version }: ExchangeTransaction, order: Order, view: StateView): PairDecimals {
  if (version < 3) return { amount: waveDecimals, price: waveDecimals };
  const of = (asset: Asset): number =>
    asset === null ? waveDecimals : (view.findAsset(asset)?.decimals ?? waveDecimals);
  return { amount: of(order.amountAsset), price: of(order.priceAsset) };
}

function requireIssued(asset: Asset, view: StateView): void {
  if (asset !== null && view.findAsset(asset) === undefined) {
    throw new RuleError({ code: "exchangeAssetUnknown", asset });
  }
}

/** The price must be one that both owners agree to. */
function checkPrices(transaction: ExchangeTransaction, buy: Order, sell: Order, decimals: PairDecimals): void {
  const { price } = transaction;
  const buyPrice = convertedPrice(transaction, buy, decimals);
  const sellPrice = convertedPrice(transaction, sell, decimals);
  if (price > buyPrice) {
    const facts = { side: "buy", price, orderPrice: buy.price, convertedOrderPrice: buyPrice } as const;
    throw new RuleError({ code: "exchangePriceOutOfOrder", ...facts });
  }
  if (price < sellPrice) {
    const facts = { side: "sell", price, orderPrice: sell.price, convertedOrderPrice: sellPrice } as const;
    throw new RuleError({ code: "exchangePriceOutOfOrder", ...facts });
  }
}

/** The order's price in the mode of the exchange: an order of the older modes counts in the assets' own decimals. */
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

/** What the seller gets, in units of the price asset, rounded down. */
function receivedAmount({ amount, price, decimals }: Settlement): bigint {
  const product = roundedToDecimal128(amount * price);
  return fitting(timesPowerOfTen(product, decimals.price - decimals.amount - waveDecimals));
}

/** What the buyer gives. One who pays in WAVES must be able to pay the fee beside it. */
function paidAmount(buy: Order, settlement: Settlement): bigint {
  const paid = receivedAmount(settlement);
  if (spentAsset(buy) === null) fitting(paid + buy.matcherFee);
  return paid;
}

/** Digits that the reference's decimal numbers (IEEE 754 decimal128) keep. */
const decimal128Digits = 34;

/** A product as the reference holds it: rounded to 34 digits, ties to even. */
function roundedToDecimal128(value: bigint): bigint {
  const excess = value.toString().length - decimal128Digits;
  if (excess <= 0) return value;
  const unit = 10n ** BigInt(excess);
  const kept = value / unit;
  const twiceRest = (value % unit) * 2n;
  const roundsUp = twiceRest > unit || (twiceRest === unit && kept % 2n === 1n);
  return (roundsUp ? kept + 1n : kept) * unit;
}

/** Truncated where the power is negative. Values here are positive. */
function timesPowerOfTen(value: bigint, power: number): bigint {
  return power >= 0 ? value * 10n ** BigInt(power) : value / 10n ** BigInt(-power);
}

function fitting(amount: bigint): bigint {
  if (amount > I64_MAX || amount < I64_MIN) throw new RuleError({ code: "exchangeAmountOverflow" });
  return amount;
}
