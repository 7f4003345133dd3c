/**
 * Funds for the spendings of a transaction, checked before its effect.
 * @source Waves: state/diffs/CommonValidation.scala (disallowSendingGreaterThanBalance)
 */

import type { Address } from "../../../crypto/identities.ts";
import { Feature } from "../../../network/features.ts";
import { RuleError } from "../../../protocol/errors.ts";
import type { Asset } from "../../../protocol/transactions/asset.ts";
import { readScriptHeader } from "../../../protocol/transactions/script-header.ts";
import type {
  InvokeScriptTransaction,
  PaymentTransaction,
  Transaction,
} from "../../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../../protocol/transactions/transaction-type.ts";
import type { StateView } from "../../state/state-view.ts";
import type { BlockContext } from "../block-context.ts";
import { combinePortfolios, portfolioOf, sumOrThrow } from "../portfolio.ts";
import { senderAddress } from "../sender-address.ts";
import { paidAssets } from "./payments.ts";
import { resolveRecipient } from "./recipients.ts";

/** @throws RuleError fundsMissing, paymentFundsMissing, transferAssetUnknown, aliasUnknown, sumOverflow */
export function checkSpendings(transaction: Transaction, view: StateView, context: BlockContext): void {
  // Until 2018 a balance of mainnet could be negative for a while.
  if (context.blockTimestamp < view.settings.functionality.lastTimeBasedForkParameter) return;
  switch (transaction.type) {
    case TransactionType.Payment:
      checkPayment(transaction, view);
      break;
    case TransactionType.Transfer: {
      const { asset, amount, feeAsset, fee } = transaction;
      checkTransfer({ account: senderAddress(transaction), asset, amount, feeAsset, fee }, view);
      break;
    }
    case TransactionType.MassTransfer: {
      const { asset, fee, transfers } = transaction;
      const amount = transfers.reduce((total, item) => total + item.amount, 0n);
      checkTransfer({ account: senderAddress(transaction), asset, amount, feeAsset: null, fee }, view);
      break;
    }
    case TransactionType.InvokeScript:
      checkCall(transaction, view);
      break;
    default:
  }
}

function checkPayment(transaction: PaymentTransaction, view: StateView): void {
  const balance = view.balance(senderAddress(transaction), null);
  const required = transaction.amount + transaction.fee;
  if (balance < required) throw new RuleError({ code: "paymentFundsMissing", balance, required });
}

/** Checks each payment of a call together with the fee. */
function checkCall(transaction: InvokeScriptTransaction, view: StateView): void {
  const { payments, feeAsset, fee } = transaction;
  const dApp = resolveRecipient(transaction.dApp, view);
  for (const { asset } of payments) checkAssetKnown(asset, view);
  const isCorrected = view.activationHeight(Feature.BlockV5) !== undefined;
  const script = view.findAccountScript(dApp)?.script;
  const header = script && readScriptHeader(script);
  // A dApp of these versions may send the caller funds for the fee.
  const feeMayLack = isCorrected && header?.content === "dApp" && header.libraryVersion >= 4;
  // Before, each payment was checked alone, and two of one asset could spend it twice.
  for (const { asset, amount } of isCorrected ? paidAssets(payments) : payments) {
    checkTransfer({ account: senderAddress(transaction), asset, amount, feeAsset, fee, feeMayLack }, view);
  }
}

interface Spending {
  readonly account: Address;
  readonly asset: Asset;
  readonly amount: bigint;
  readonly feeAsset: Asset;
  readonly fee: bigint;
  /** Whether the WAVES balance may be negative because of the fee, but not because of the amount itself. */
  readonly feeMayLack?: boolean;
}

/** From feature 16 on only existing assets can be sent. */
function checkAssetKnown(asset: Asset, view: StateView): void {
  if (asset !== null && view.has(Feature.SynchronousCalls) && view.findAsset(asset) === undefined) {
    throw new RuleError({ code: "transferAssetUnknown", asset });
  }
}

function checkTransfer(spending: Spending, view: StateView): void {
  const { account, asset, amount, feeAsset, fee, feeMayLack = false } = spending;
  checkAssetKnown(asset, view);
  const spent = combinePortfolios(portfolioOf(asset, -amount), portfolioOf(feeAsset, -fee));
  const balance = view.balance(account, null);
  const remaining = sumOrThrow(balance, spent.waves, { quantity: "Spendings", account: undefined, stage: "change" });
  const remainingWithoutFee = asset === null ? balance - amount : balance;
  if (remaining < 0n && !(feeMayLack && remainingWithoutFee >= 0n))
    throw new RuleError({ code: "fundsMissing", asset: null, balance, change: spent.waves });
  for (const { asset: spentAsset, amount: change } of spent.assets.values()) {
    const assetBalance = view.balance(account, spentAsset);
    if (change < 0n && assetBalance + change < 0n) {
      throw new RuleError({ code: "fundsMissing", asset: spentAsset, balance: assetBalance, change });
    }
  }
}
