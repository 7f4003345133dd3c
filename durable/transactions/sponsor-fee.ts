/** Fees in an asset, paid on by its issuer. @source Waves: state/diffs/DiffsCommon.scala (processSponsor) */
import { RuleError } from "../../src/protocol/faults.ts";
import type { Snapshot } from "../../src/protocol/snapshots/snapshot.ts";
import type { SponsorFeeTransaction } from "../../src/protocol/transactions/transaction.ts";
import type { StateView } from "../state/state-view.ts";
import { getOwnAsset } from "./checks/assets.ts";
import { balancesAfter, portfolioOf, portfoliosOf } from "./portfolio.ts";
import { senderAddress } from "./sender-address.ts";

/** @throws RuleError assetUnknown, assetOfOtherIssuer, sponsorshipOfScriptedAsset, sumOverflow */
export function applySponsorFee(transaction: SponsorFeeTransaction, view: StateView): Snapshot {
  const { asset, sender, fee, minSponsoredAssetFee } = transaction;
  const { script } = getOwnAsset(asset, sender, view);
  if (script !== undefined) throw new RuleError({ code: "sponsorshipOfScriptedAsset", asset });
  return {
    ...balancesAfter(portfoliosOf(senderAddress(transaction), portfolioOf(null, -fee)), view),
    sponsorships: [{ assetId: asset, minSponsoredAssetFee: minSponsoredAssetFee ?? 0n }],
  };
}
