/** Transfer of WAVES or an asset. @source Waves: state/diffs/TransferDiff.scala */
import { addressOfPublicKey } from "../../crypto/address.ts";
import type { Address } from "../../crypto/identities.ts";
import { Feature } from "../../network/features.ts";
import { I64_MAX } from "../../protocol/codec/i64.ts";
import { RuleError } from "../../protocol/errors.ts";
import type { Snapshot } from "../../protocol/snapshots/snapshot.ts";
import type { Asset } from "../../protocol/transactions/asset.ts";
import type { Recipient, TransferTransaction } from "../../protocol/transactions/transaction.ts";
import type { StateView } from "../state/state-view.ts";
import type { BlockContext } from "./block-context.ts";
import { hasAssetScript } from "./checks/assets.ts";
import { resolveRecipient } from "./checks/recipients.ts";
import {
  balancesAfter,
  combineAllPortfolios,
  type Portfolios,
  portfolioOf,
  portfolioOfWavesAnd,
  portfoliosOf,
} from "./portfolio.ts";
import { senderAddress } from "./sender-address.ts";
import { isSponsorshipActive, wavesOfAssetFee } from "./sponsorship.ts";

/** @see applyTransferOf */
export function applyTransfer(transaction: TransferTransaction, view: StateView, context: BlockContext): Snapshot {
  return applyTransferOf({ ...transaction, account: senderAddress(transaction) }, view, context);
}

/** Moved amount, both accounts, and fee. */
export interface TransferOf {
  readonly account: Address;
  readonly recipient: Recipient;
  readonly asset: Asset;
  readonly amount: bigint;
  readonly feeAsset: Asset;
  readonly fee: bigint;
}

/**
 * Effect of a transfer, also of one in Ethereum's form.
 * @throws RuleError aliasUnknown, feeAssetScripted, amountsOverflow, assetNotIssued, sumOverflow
 */
export function applyTransferOf(transfer: TransferOf, view: StateView, context: BlockContext): Snapshot {
  const { account, asset, amount, feeAsset, fee } = transfer;
  const recipient = resolveRecipient(transfer.recipient, view);
  if (feeAsset !== null && hasAssetScript(feeAsset, view)) {
    throw new RuleError({ code: "feeAssetScripted", asset: feeAsset });
  }
  checkOverflow(amount, fee, view);
  const transferred = combineAllPortfolios(
    portfoliosOf(account, portfolioOf(asset, -amount)),
    portfoliosOf(recipient, portfolioOf(asset, amount)),
  );
  const changes = combineAllPortfolios(transferred, feeChanges(transfer, view));
  checkIssued(asset, view, context);
  checkIssued(feeAsset, view, context);
  return balancesAfter(changes, view);
}

/** Changes of the fee: once sponsorship is active, a sponsor pays it in WAVES and gets the asset. */
function feeChanges({ account, feeAsset, fee }: TransferOf, view: StateView): Portfolios {
  const sender = portfoliosOf(account, portfolioOf(feeAsset, -fee));
  if (feeAsset === null || !isSponsorshipActive(view)) return sender;
  const description = view.findAsset(feeAsset);
  if (description === undefined || description.minSponsoredAssetFee <= 0n) return sender;
  const sponsor = addressOfPublicKey(description.issuer, view.settings.chainId);
  const wavesFee = wavesOfAssetFee(fee, description.minSponsoredAssetFee);
  return combineAllPortfolios(sender, portfoliosOf(sponsor, portfolioOfWavesAnd(-wavesFee, feeAsset, fee)));
}

function checkOverflow(amount: bigint, fee: bigint, view: StateView): void {
  // From feature 11 on the sums themselves are checked, by account and asset.
  if (view.has(Feature.Ride4DApps)) return;
  if (amount + fee > I64_MAX) throw new RuleError({ code: "amountsOverflow" });
}

function checkIssued(asset: Asset, view: StateView, context: BlockContext): void {
  if (asset === null || view.findAsset(asset) !== undefined) return;
  const allowedUntil = view.settings.functionality.lastTimeBasedForkParameter;
  if (context.blockTimestamp > allowedUntil) throw new RuleError({ code: "assetNotIssued", asset, allowedUntil });
}
