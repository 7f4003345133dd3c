import { type BytesKey, bytesKey } from "../../../src/crypto/bytes.ts";
import { Feature } from "../../../src/network/features.ts";
import type { Asset, AssetId } from "../../../src/protocol/transactions/asset.ts";
import { currentFeePart } from "../../../src/rules/transactions/fee-shares.ts";
import { isSponsorshipActive } from "../../../src/rules/transactions/sponsorship.ts";
import type { StoredChain } from "../chain/stored-chain.ts";

interface CarryFees {
  of(asset: Asset): bigint;
  /** Fees in assets other than WAVES, each asset once. */
  ofAssets(): Iterable<{ readonly asset: AssetId; readonly amount: bigint }>;
}

/** Three fifths of the tip's fees, which no account has until the next block. */
export function carryFees(stored: StoredChain): CarryFees {
  const { view } = stored;
  if (isSponsorshipActive(view))
    return { of: (asset) => (asset === null ? stored.tip().carryFee : 0n), ofAssets: () => [] };
  let waves = 0n;
  const assets = new Map<BytesKey, { readonly asset: AssetId; readonly amount: bigint }>();
  if (view.isActive(Feature.Ng, view.height - 1))
    for (const { feeAsset: asset, fee } of stored.transactionsAt(view.height)) {
      const amount = fee - currentFeePart(fee);
      if (asset === null) waves += amount;
      else assets.set(bytesKey(asset), { asset, amount: (assets.get(bytesKey(asset))?.amount ?? 0n) + amount });
    }
  return {
    of: (asset) => (asset === null ? waves : (assets.get(bytesKey(asset))?.amount ?? 0n)),
    ofAssets: () => assets.values(),
  };
}
