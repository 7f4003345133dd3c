/** Reissue of an asset. @source Waves: state/diffs/DiffsCommon.scala (processReissue) */
import type { Address, PublicKey } from "../../crypto/identities.ts";
import { Feature } from "../../network/features.ts";
import { I64_MAX } from "../../protocol/codec/i64.ts";
import { RuleError } from "../../protocol/errors.ts";
import type { Snapshot } from "../../protocol/snapshots/snapshot.ts";
import type { AssetId } from "../../protocol/transactions/asset.ts";
import type { ReissueTransaction } from "../../protocol/transactions/transaction.ts";
import type { StateView } from "../state/state-view.ts";
import type { BlockContext } from "./block-context.ts";
import { getOwnAsset } from "./checks/assets.ts";
import { balancesAfter, portfolioOfWavesAnd, portfoliosOf } from "./portfolio.ts";
import { senderAddress } from "./sender-address.ts";

/** @throws RuleError assetUnknown, assetOfOtherIssuer, assetNotReissuable, assetVolumeOverflow, sumOverflow */
export function applyReissue(
  transaction: ReissueTransaction,
  view: StateView,
  { blockTimestamp }: BlockContext,
): Snapshot {
  return applyReissueOf({ ...transaction, account: senderAddress(transaction) }, view, () => blockTimestamp);
}

/** Reissue by a transaction or a dApp. */
export interface ReissueOf {
  readonly account: Address;
  readonly sender: PublicKey;
  readonly asset: AssetId;
  readonly quantity: bigint;
  readonly reissuable: boolean;
  readonly fee: bigint;
}

/** @throws RuleError as `applyReissue` */
export function applyReissueOf(reissue: ReissueOf, view: StateView, blockTimestamp: () => bigint): Snapshot {
  const { account, asset, sender, fee, quantity } = reissue;
  const { reissuable, volume } = getOwnAsset(asset, sender, view);
  // Until 2018 a reissue in the block that ended reissues was accepted.
  if (!reissuable && blockTimestamp() > view.settings.functionality.lastTimeBasedForkParameter) {
    throw new RuleError({ code: "assetNotReissuable", asset });
  }
  // In 64 bits, which a negative quantity overflows: dApps can give one, and it counts as too large.
  const room = BigInt.asIntN(64, I64_MAX - quantity);
  if (room < volume && view.has(Feature.DataTransaction)) {
    throw new RuleError({ code: "assetVolumeOverflow", asset, volume, quantity, limit: I64_MAX });
  }
  return {
    ...balancesAfter(portfoliosOf(account, portfolioOfWavesAnd(-fee, asset, quantity)), view),
    assetVolumes: [{ assetId: asset, reissuable: reissuable && reissue.reissuable, volume: volume + quantity }],
  };
}
