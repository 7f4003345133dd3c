import { type BytesKey, bytesKey } from "../../src/crypto/bytes.ts";
import { Feature } from "../../src/network/features.ts";
import type { Asset } from "../../src/protocol/transactions/asset.ts";
import { currentFeePart } from "../../src/rules/transactions/fee-shares.ts";
import { isSponsorshipActive } from "../../src/rules/transactions/sponsorship.ts";
import type { StoredChain } from "../chain/stored-chain.ts";

/** Three fifths of the tip's fees: nobody has them until the next block. @returns amounts by asset */
export function feesOnTheWay(stored: StoredChain): { of(asset: Asset): bigint } {
  const { view } = stored;
  if (isSponsorshipActive(view)) return { of: (asset) => (asset === null ? stored.tip().carryFee : 0n) };
  const sums = new Map<BytesKey | null, bigint>();
  const keyOf = (asset: Asset): BytesKey | null => asset && bytesKey(asset);
  if (view.isActive(Feature.Ng, view.height - 1))
    for (const { feeAsset, fee } of stored.transactionsAt(view.height))
      sums.set(keyOf(feeAsset), (sums.get(keyOf(feeAsset)) ?? 0n) + fee - currentFeePart(fee));
  return { of: (asset) => sums.get(keyOf(asset)) ?? 0n };
}
