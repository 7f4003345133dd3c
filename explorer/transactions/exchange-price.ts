import type { Transaction } from "../node/shapes.ts";

/** Decimals of a price that is in fixed decimals. */
const fixedDecimals = 8n;

/**
 * Decimals in which the price of an exchange is written. Up to version 2 they follow from the assets.
 * @param amountDecimals of the asset that is traded
 * @param priceDecimals of the asset that is paid
 * @source Waves: transaction/assets/exchange/ExchangeTransaction.scala, OrderPriceMode.scala
 */
export function priceDecimals(
  { version = 1n }: Pick<Transaction, "version">,
  amountDecimals: bigint,
  priceAssetDecimals: bigint,
): bigint {
  if (version >= 3n) return fixedDecimals;
  const decimals = fixedDecimals + priceAssetDecimals - amountDecimals;
  return decimals < 0n ? 0n : decimals;
}

/** What is paid for an amount, in the smallest units of the asset that is paid; rounded down, as the rules round. */
export function paidAmount(
  amount: bigint,
  price: bigint,
  decimals: bigint,
  amountDecimals: bigint,
  priceAssetDecimals: bigint,
): bigint {
  return (amount * price * 10n ** priceAssetDecimals) / 10n ** (amountDecimals + decimals);
}
