import type { VNode } from "preact";
import { paths } from "../frame/page-location.ts";
import { useDenomination } from "../node/asset-details.ts";
import type { AssetId } from "../node/shapes.ts";
import { amountText, integerText } from "../text/amount-text.ts";
import { shortId } from "../text/short-id.ts";

interface Props {
  readonly value: bigint;
  readonly of: AssetId;
}

/** Amount of an asset in whole units, with the asset's name. Smallest units until its decimals are known. */
export function Amount({ value, of }: Props): VNode {
  const denomination = useDenomination(of);
  const text = denomination == null ? integerText(value) : amountText(value, denomination.decimals);
  return (
    <span class="amount" title={`${integerText(value)} of the smallest unit`}>
      <b>{text}</b> <AssetLink of={of} />
    </span>
  );
}

/** Link with an asset's name. Its issuer chose the name, so it is shown as text and cut to a line. */
export function AssetLink({ of }: { readonly of: AssetId }): VNode {
  const denomination = useDenomination(of);
  if (of === null) return <span class="asset-name waves">WAVES</span>;
  return (
    <a class="asset-name" href={paths.asset(of)} title={of}>
      {denomination?.name ?? shortId(of, 4)}
    </a>
  );
}
