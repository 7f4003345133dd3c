import type { Transaction } from "../node/shapes.ts";

/** Decimals of a fixed-decimals price. */
const fixedDecimals = 8n;

/**
 * Decimals of an exchange's price. Up to version 2 they depend on the assets.
 * @param amountDecimals of the amount asset
 * @param priceDecimals of the price asset
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

/** Amount paid, in the smallest units of the price asset; rounded down, as the rules do. */
export function paidAmount(
  amount: bigint,
  price: bigint,
  decimals: bigint,
  amountDecimals: bigint,
  priceAssetDecimals: bigint,
): bigint {
  return (amount * price * 10n ** priceAssetDecimals) / 10n ** (amountDecimals + decimals);
}
