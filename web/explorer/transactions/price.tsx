import type { VNode } from "preact";
import { useDenomination } from "../node/asset-details.ts";
import type { Order, Transaction } from "../node/shapes.ts";
import { AssetLink } from "../parts/amount.tsx";
import { amountText, integerText } from "../text/amount-text.ts";
import { paidAmount, priceDecimals } from "./exchange-price.ts";

interface Props {
  readonly exchange: Pick<Transaction, "version" | "amount" | "price">;
  readonly pair: Order["assetPair"];
}

/** Price of one whole unit in an exchange. */
export function Price({ exchange, pair }: Props): VNode {
  const [traded, paid] = [useDenomination(pair.amountAsset), useDenomination(pair.priceAsset)];
  const price = exchange.price ?? 0n;
  const text =
    traded == null || paid == null
      ? integerText(price)
      : amountText(price, priceDecimals(exchange, traded.decimals, paid.decimals));
  return (
    <span class="amount">
      <b>{text}</b> <AssetLink of={pair.priceAsset} />
    </span>
  );
}

/** Total price paid; nothing until the decimals are known. */
export function Paid({ exchange, pair }: Props): VNode | null {
  const [traded, paid] = [useDenomination(pair.amountAsset), useDenomination(pair.priceAsset)];
  if (traded == null || paid == null) return null;
  const decimals = priceDecimals(exchange, traded.decimals, paid.decimals);
  const total = paidAmount(exchange.amount ?? 0n, exchange.price ?? 0n, decimals, traded.decimals, paid.decimals);
  return (
    <span class="amount">
      <b>{amountText(total, paid.decimals)}</b> <AssetLink of={pair.priceAsset} />
    </span>
  );
}
