/**
 * Shares of a transaction's fee: two fifths for the generator of its block, the rest for the generator of the next one.
 * @source docs/protocol/consensus-and-finality.md 1.8; Waves: state/diffs/BlockDiffer.scala
 */
import { Feature } from "../../network/features.ts";
import type { Asset } from "../../protocol/transactions/asset.ts";
import type { Transaction } from "../../protocol/transactions/transaction.ts";
import { sponsorshipHeight } from "../consensus/feature-voting.ts";
import type { StateView } from "../state/state-view.ts";
import { getSponsoredAsset } from "./checks/minimum-fee.ts";
import { isSponsorshipActive, wavesOfAssetFee } from "./sponsorship.ts";

/** Amount of WAVES (null) or of an asset. */
export interface AssetAmount {
  readonly asset: Asset;
  readonly amount: bigint;
}

export interface FeeShares {
  /** Asset of the payout: WAVES also for a sponsored fee, once sponsorship is active. */
  readonly asset: Asset;
  /** The whole fee, in units of `asset`. */
  readonly amount: bigint;
  /**
   * Share of this block's generator, paid with the transaction; 0 before NG, when the generator got all fees at the
   * start.
   */
  readonly toGenerator: bigint;
  /** Share of the next generator, stored by the chain, wavelets; 0 before sponsorship, see `feesAtBlockStart`. */
  readonly carry: bigint;
  /** Contribution to the block's total fee, wavelets. */
  readonly wavesFee: bigint;
}

/**
 * Shares of a transaction that is not elided.
 * @param view the state before the transaction
 * @throws RuleError feeAssetUnknown, feeAssetNotSponsored, feeConversionOverflow
 */
export function feeShares(transaction: Transaction, view: StateView): FeeShares {
  const isNg = isNgActive(view);
  const isSponsored = isSponsorshipActive(view);
  const { asset, amount } = isSponsored ? sponsoredFee(transaction, view) : ownFee(transaction);
  const current = currentFeePart(amount);
  return {
    asset,
    amount,
    toGenerator: isNg ? current : 0n,
    carry: isNg && isSponsored ? amount - current : 0n,
    wavesFee: asset === null ? amount : 0n,
  };
}

/** Share of the block's own generator: two fifths, in whole fifths. */
export function currentFeePart(fee: bigint): bigint {
  return (fee / 5n) * 2n;
}

export interface BlockStartFees {
  readonly view: StateView;
  /** Carry fee after the parent, wavelets. */
  readonly carry: bigint;
  /** Includes elided transactions: before sponsorship the reference counts them all. */
  readonly previousTransactions: Iterable<Transaction>;
  readonly transactions: Iterable<Transaction>;
}

/**
 * Fees that the generator gets before the first transaction of its block. Before NG: all fees of the block. With NG:
 * three fifths of the previous block's fees, in their own assets. With sponsorship: the carry fee in WAVES instead.
 * @returns amounts to add up, including zeros
 */
export function feesAtBlockStart({ view, carry, ...blocks }: BlockStartFees): readonly AssetAmount[] {
  const parentHeight = view.height - 1;
  const ngHeight = view.activationHeight(Feature.Ng) ?? Number.POSITIVE_INFINITY;
  const fees = parentHeight < ngHeight ? Array.from(blocks.transactions, ownFee) : [];
  const sponsorship = sponsorshipHeight(view, view.settings.functionality);
  if (sponsorship !== undefined && parentHeight >= sponsorship) fees.push({ asset: null, amount: carry });
  else if (parentHeight > ngHeight) fees.push(...Array.from(blocks.previousTransactions, carriedFee));
  return fees;
}

function carriedFee(transaction: Transaction): AssetAmount {
  const { asset, amount } = ownFee(transaction);
  return { asset, amount: amount - currentFeePart(amount) };
}

/** Whether fees are shared: from the block after the activation of feature 2. */
function isNgActive(view: StateView): boolean {
  return view.isActive(Feature.Ng, view.height - 1);
}

/** The fee in its own asset. */
function ownFee({ feeAsset, fee }: Transaction): AssetAmount {
  return { asset: feeAsset, amount: fee };
}

function sponsoredFee(transaction: Transaction, view: StateView): AssetAmount {
  const { feeAsset, fee } = transaction;
  if (feeAsset === null) return ownFee(transaction);
  const { minSponsoredAssetFee } = getSponsoredAsset(feeAsset, view);
  return { asset: null, amount: wavesOfAssetFee(fee, minSponsoredAssetFee) };
}
