/** Burning of assets. @source Waves: state/diffs/DiffsCommon.scala (processBurn) */
import type { Address, PublicKey } from "../../crypto/identities.ts";
import { Feature } from "../../network/features.ts";
import type { Snapshot } from "../../protocol/snapshots/snapshot.ts";
import type { AssetId } from "../../protocol/transactions/asset.ts";
import type { BurnTransaction } from "../../protocol/transactions/transaction.ts";
import type { StateView } from "../state/state-view.ts";
import { getAsset, getOwnAsset } from "./checks/assets.ts";
import { balancesAfter, portfolioOfWavesAnd, portfoliosOf } from "./portfolio.ts";
import { senderAddress } from "./sender-address.ts";

/** Before feature 6 only the issuer may burn. @throws RuleError assetUnknown, assetOfOtherIssuer, sumOverflow */
export function applyBurn(transaction: BurnTransaction, view: StateView): Snapshot {
  return applyBurnOf({ ...transaction, account: senderAddress(transaction) }, view);
}

/** Burn by a transaction or a dApp. */
export interface BurnOf {
  readonly account: Address;
  readonly sender: PublicKey;
  readonly asset: AssetId;
  readonly amount: bigint;
  readonly fee: bigint;
}

/** @throws RuleError as `applyBurn` */
export function applyBurnOf({ account, asset, sender, fee, amount }: BurnOf, view: StateView): Snapshot {
  const anyoneMayBurn = view.has(Feature.BurnAnyTokens);
  const { reissuable, volume } = anyoneMayBurn ? getAsset(asset, view) : getOwnAsset(asset, sender, view);
  // In 64 bits: the lowest number, which a dApp may give, is its own negation.
  const change = BigInt.asIntN(64, -amount);
  return {
    ...balancesAfter(portfoliosOf(account, portfolioOfWavesAnd(-fee, asset, change)), view),
    assetVolumes: [{ assetId: asset, reissuable, volume: volume + change }],
  };
}
