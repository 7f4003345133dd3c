/** Sponsorship of fees in an asset by its issuer. @source Waves: state/diffs/DiffsCommon.scala (processSponsor) */
import type { Address, PublicKey } from "../../crypto/identities.ts";
import { RuleError } from "../../protocol/errors.ts";
import type { Snapshot } from "../../protocol/snapshots/snapshot.ts";
import type { AssetId } from "../../protocol/transactions/asset.ts";
import type { SponsorFeeTransaction } from "../../protocol/transactions/transaction.ts";
import type { StateView } from "../state/state-view.ts";
import { getOwnAsset } from "./checks/assets.ts";
import { balancesAfter, portfolioOf, portfoliosOf } from "./portfolio.ts";
import { senderAddress } from "./sender-address.ts";

/** @throws RuleError assetUnknown, assetOfOtherIssuer, sponsorshipOfScriptedAsset, sumOverflow */
export function applySponsorFee(transaction: SponsorFeeTransaction, view: StateView): Snapshot {
  return applySponsorFeeOf({ ...transaction, account: senderAddress(transaction) }, view);
}

/** Sponsorship by a transaction or a dApp. */
export interface SponsorFeeOf {
  readonly account: Address;
  readonly sender: PublicKey;
  readonly asset: AssetId;
  readonly minSponsoredAssetFee: bigint | null;
  readonly fee: bigint;
}

/** @throws RuleError as `applySponsorFee` */
export function applySponsorFeeOf(sponsorFee: SponsorFeeOf, view: StateView): Snapshot {
  const { account, asset, sender, fee, minSponsoredAssetFee } = sponsorFee;
  const { script } = getOwnAsset(asset, sender, view);
  if (script !== undefined) throw new RuleError({ code: "sponsorshipOfScriptedAsset", asset });
  return {
    ...balancesAfter(portfoliosOf(account, portfolioOf(null, -fee)), view),
    sponsorships: [{ assetId: asset, minSponsoredAssetFee: minSponsoredAssetFee ?? 0n }],
  };
}
