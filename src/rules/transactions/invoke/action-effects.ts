/**
 * Effect of each action of a call on the state.
 * @source Waves: state/diffs/invoke/InvokeDiffsCommon.scala (foldActions)
 */

import { addressErrorText } from "../../../crypto/address-error-text.ts";
import { equalBytes } from "../../../crypto/bytes.ts";
import type { Address, PublicKey } from "../../../crypto/identities.ts";
import { Feature } from "../../../network/features.ts";
import { utf8Bytes } from "../../../protocol/codec/utf8.ts";
import { RuleError } from "../../../protocol/errors.ts";
import type { Snapshot } from "../../../protocol/snapshots/snapshot.ts";
import { findAliasError } from "../../../protocol/transactions/alias.ts";
import type { AssetId } from "../../../protocol/transactions/asset.ts";
import { limits } from "../../../protocol/transactions/limits.ts";
import type { LeaseId, Recipient, TransactionId } from "../../../protocol/transactions/transaction.ts";
import { leaseId } from "../../../ride/objects/action-ids.ts";
import type { ScriptRecipient } from "../../../ride/objects/recipients.ts";
import type { ActionOf, CallableAction } from "../../../ride/results/callable-action.ts";
import { bytesText } from "../../../ride/values/value-text.ts";
import type { StateView } from "../../state/state-view.ts";
import { applyBurnOf } from "../burn.ts";
import { checkBalances } from "../checks/balances.ts";
import { dAppFailure, FailOrReject } from "../failed-transaction.ts";
import { applyLeaseOf } from "../lease.ts";
import { applyLeaseCancelOf } from "../lease-cancel.ts";
import { isNonFungible } from "../non-fungible.ts";
import { balancesAfter, combineAllPortfolios, portfolioOf, portfoliosOf } from "../portfolio.ts";
import { applyReissueOf } from "../reissue.ts";
import { assetFailure, runAssetScript } from "../scripts/asset-verdict.ts";
import { knownAddress } from "../scripts/known-address.ts";
import { applySponsorFeeOf } from "../sponsor-fee.ts";
import { findAssetError } from "./payment-checks.ts";
import {
  type Actor,
  type PseudoTransaction,
  pseudoBurn,
  pseudoReissue,
  pseudoSponsorFee,
  pseudoTransfer,
} from "./pseudo-transactions.ts";
import { asFailure, failing, isCallError } from "./refusal-text.ts";

export interface ActionContext {
  readonly transactionId: () => TransactionId;
  /** Milliseconds. */
  readonly timestamp: () => bigint;
  /** Time of the block, ms; nested calls have their own time. */
  readonly blockTimestamp: () => bigint;
  readonly dApp: Address;
  readonly dAppKey: PublicKey;
  /** Remaining complexity for asset scripts; undefined: their own limits. */
  readonly complexityLimit: number | undefined;
  readonly isLogged: boolean;
  /** Called for an action that would run its asset's script. */
  readonly onScriptedAsset?: () => void;
}

export interface ActionEffect {
  readonly snapshot: Snapshot;
  /** Complexity of the script of the action's asset. */
  readonly complexity: number;
}

const erc20AddressBytes = 20;
/** Before feature 15 asset scripts saw no key of the dApp. */
const noKey = new Uint8Array(32) as Uint8Array as PublicKey;

/**
 * @param view state after the previous actions
 * @throws FailedTransaction, FailOrReject, RuleError
 */
export function effectOfAction(action: CallableAction, view: StateView, context: ActionContext): ActionEffect {
  switch (action.kind) {
    case "data": {
      const { key, value } = action;
      return free({ accountData: [{ address: context.dApp, entries: [{ key, value }] }] });
    }
    case "transfer":
      return transferred(action, view, context);
    case "issue":
      return free(issued(action, view, context));
    case "reissue":
      return reissued(action, view, context);
    case "burn":
      return burned(action, view, context);
    case "sponsorFee":
      return sponsored(action, view, context);
    case "lease":
      return free(failing(() => leased(action, view, context)));
    case "leaseCancel":
      return free(failing(() => leaseCancelled(action, view, context)));
  }
}

function free(snapshot: Snapshot): ActionEffect {
  return { snapshot, complexity: 0 };
}

function isRideV6(view: StateView): boolean {
  return view.has(Feature.RideV6);
}

/** Address of a transfer. @throws FailedTransaction; before feature 17 RuleError callAddressInvalid */
export function transferAddress(bytes: Uint8Array, view: StateView): Address {
  const address = knownAddress(bytes, view, { takesAny: false, matters: true });
  if (address instanceof Uint8Array) return address;
  const reason = addressErrorText(address);
  throw isRideV6(view) ? dAppFailure(reason, 0) : new RuleError({ code: "callAddressInvalid", reason });
}

function transferred(transfer: ActionOf<"transfer">, view: StateView, context: ActionContext): ActionEffect {
  const { dApp } = context;
  const { amount } = transfer;
  const assetId = transfer.assetId as AssetId | null;
  const address = transferAddress(transfer.address, view);
  const moves = combineAllPortfolios(
    portfoliosOf(address, portfolioOf(assetId, amount)),
    portfoliosOf(dApp, portfolioOf(assetId, -amount)),
  );
  const build = (): Snapshot => balancesAfter(moves, view);
  const snapshot = isRideV6(view) ? failing(build) : build();
  if (assetId === null) return free(snapshot);
  const script = view.findAsset(assetId)?.script;
  if (script === undefined) {
    const error = findAssetError(assetId, view);
    if (error !== undefined) throw dAppFailure(error, 0);
    return free(snapshot);
  }
  context.onScriptedAsset?.();
  if (isRideV6(view)) {
    // Before feature 15, which may come later, a transfer to the dApp itself counted as an outgoing one only.
    const isOutgoingOnly = !view.has(Feature.BlockV5) && equalBytes(address, dApp);
    const checkedSnapshot = isOutgoingOnly
      ? balancesAfter(portfoliosOf(dApp, portfolioOf(assetId, -amount)), view)
      : snapshot;
    try {
      checkBalances(checkedSnapshot, view);
    } catch (error) {
      if (isCallError(error) && view.has(Feature.LightNode)) throw asFailure(error);
      throw error;
    }
  }
  const actor = {
    ...actorOf(context),
    ...(!view.has(Feature.BlockV5) && { senderPublicKey: noKey }),
  };
  const recipient: ScriptRecipient = view.has(Feature.SynchronousCalls)
    ? transfer.recipient
    : { kind: "address", bytes: transfer.address };
  const complexity = runActionScript(assetId, pseudoTransfer(actor, { recipient, amount, assetId }), view, context);
  return { snapshot, complexity };
}

function issued(issue: ActionOf<"issue">, view: StateView, context: ActionContext): Snapshot {
  const assetId = issue.assetId as AssetId;
  const textError = findTextError(issue);
  if (textError !== undefined) throw dAppFailure(textError, 0);
  if (view.findAssetByErc20Address(assetId.subarray(0, erc20AddressBytes)) !== undefined) {
    const error = `Asset ${bytesText(assetId)} is already issued`;
    const mayFail = isRideV6(view) || view.height < view.settings.functionality.enforceTransferValidationAfter;
    throw mayFail ? dAppFailure(error, 0) : new FailOrReject(error);
  }
  const { quantity, decimals, isReissuable: reissuable } = issue;
  const { transactionId, dApp, dAppKey } = context;
  const nft = isNonFungible({ quantity, decimals, reissuable }, view);
  return {
    ...balancesAfter(portfoliosOf(dApp, portfolioOf(assetId, quantity)), view),
    assetStatics: [{ assetId, issuer: dAppKey, decimals, nft, originTransactionId: transactionId() }],
    assetVolumes: [{ assetId, reissuable, volume: quantity }],
    assetTexts: [{ assetId, name: utf8Bytes(issue.name), description: utf8Bytes(issue.description) }],
  };
}

/** Error in the texts of an issue, if any. */
export function findTextError({ name, description }: ActionOf<"issue">): string | undefined {
  const { length } = utf8Bytes(name);
  if (length < limits.assetNameMinBytes || length > limits.assetNameMaxBytes) return "Invalid asset name";
  return description.length > limits.assetDescriptionBytes ? "Invalid asset description" : undefined;
}

function reissued(reissue: ActionOf<"reissue">, view: StateView, context: ActionContext): ActionEffect {
  const options = {
    ...ownerOf(context),
    asset: reissue.assetId as AssetId,
    quantity: reissue.quantity,
    reissuable: reissue.isReissuable,
  };
  context.onScriptedAsset?.();
  const snapshot = failing(() => applyReissueOf(options, view, context.blockTimestamp));
  return {
    snapshot,
    complexity: runActionScript(options.asset, pseudoReissue(actorOf(context), reissue), view, context),
  };
}

function burned(burn: ActionOf<"burn">, view: StateView, context: ActionContext): ActionEffect {
  const options = { ...ownerOf(context), asset: burn.assetId as AssetId, amount: burn.quantity };
  context.onScriptedAsset?.();
  const snapshot = failing(() => applyBurnOf(options, view));
  return { snapshot, complexity: runActionScript(options.asset, pseudoBurn(actorOf(context), burn), view, context) };
}

function sponsored(sponsorFee: ActionOf<"sponsorFee">, view: StateView, context: ActionContext): ActionEffect {
  const asset = sponsorFee.assetId as AssetId;
  const { minSponsoredAssetFee = null } = sponsorFee;
  const issuer = view.findAsset(asset)?.issuer;
  if (issuer === undefined || !equalBytes(issuer, context.dAppKey)) {
    throw dAppFailure(`SponsorFee assetId=${bytesText(asset)} was not issued from address of current dApp`, 0);
  }
  if (minSponsoredAssetFee !== null && minSponsoredAssetFee <= 0n) {
    throw dAppFailure(`NegativeMinFee(${minSponsoredAssetFee},asset)`, 0);
  }
  context.onScriptedAsset?.();
  const snapshot = failing(() => applySponsorFeeOf({ ...ownerOf(context), asset, minSponsoredAssetFee }, view));
  return {
    snapshot,
    complexity: runActionScript(asset, pseudoSponsorFee(actorOf(context), sponsorFee), view, context),
  };
}

function leased(lease: ActionOf<"lease">, view: StateView, context: ActionContext): Snapshot {
  const { amount, nonce } = lease;
  const transactionId = context.transactionId();
  if (amount <= 0n) throw dAppFailure(`NonPositiveAmount(${amount},waves)`, 0);
  const options = {
    ...ownerOf(context),
    recipient: leaseRecipient(lease.recipient, view),
    amount,
    leaseId: leaseId(lease.recipient, amount, nonce, transactionId) as LeaseId,
    transactionId,
  };
  return applyLeaseOf(options, view);
}

/** Recipient of a lease. @throws RuleError callAddressInvalid, generic */
export function leaseRecipient(recipient: ScriptRecipient, view: StateView): Recipient {
  const { chainId } = view.settings;
  if (recipient.kind === "address") {
    const address = knownAddress(recipient.bytes, view, { takesAny: false, matters: true });
    if (address instanceof Uint8Array) return { kind: "address", address };
    throw new RuleError({ code: "callAddressInvalid", reason: addressErrorText(address) });
  }
  const error = findAliasError(recipient.alias);
  if (error !== undefined) throw new RuleError({ code: "generic", message: error });
  return { kind: "alias", alias: { chainId, name: recipient.alias } };
}

const leaseIdBytes = 32;

function leaseCancelled(action: ActionOf<"leaseCancel">, view: StateView, context: ActionContext): Snapshot {
  const { length } = action.leaseId;
  if (length !== leaseIdBytes) {
    const message = `Lease id=${bytesText(action.leaseId)} has invalid length = ${length} byte(s) while expecting ${leaseIdBytes}`;
    throw new RuleError({ code: "generic", message });
  }
  const { transactionId, blockTimestamp } = context;
  const options = { ...ownerOf(context), leaseId: action.leaseId as LeaseId, transactionId: transactionId() };
  return applyLeaseCancelOf(options, view, blockTimestamp);
}

/** The dApp as owner of an action; actions pay no fee. */
function ownerOf({ dApp, dAppKey }: ActionContext) {
  return { account: dApp, sender: dAppKey, fee: 0n } as const;
}

function actorOf({ dApp, dAppKey, transactionId, timestamp }: ActionContext): Actor {
  return { sender: dApp, senderPublicKey: dAppKey, transactionId, timestamp };
}

/** Runs the script of the asset, if it has one. @returns spent complexity @throws FailedTransaction */
function runActionScript(assetId: AssetId, show: PseudoTransaction, view: StateView, context: ActionContext): number {
  const script = view.findAsset(assetId)?.script;
  if (script === undefined) return 0;
  const { transactionId, dApp, complexityLimit, isLogged } = context;
  const { complexity, refusal } = runAssetScript({
    assetId,
    script,
    // Before feature 15 the script's owner appeared to be the dApp.
    owner: view.has(Feature.BlockV5) ? assetId : (dApp as Uint8Array as AssetId),
    entity: { kind: "action", transactionId, show },
    view,
    complexityLimit,
    isLogged,
  });
  if (refusal !== undefined) throw assetFailure({ assetId, refusal }, "action", complexity);
  return complexity;
}
