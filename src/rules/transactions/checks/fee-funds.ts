/**
 * Funds for the fee: from feature 15 on they must exist whatever the result of the transaction, because a failed one
 * pays, too.
 * @source Waves: state/diffs/TransactionDiffer.scala (validateFunds, feePortfolios)
 */

import { addressOfPublicKey } from "../../../crypto/address.ts";
import { Feature } from "../../../network/features.ts";
import { RuleError } from "../../../protocol/errors.ts";
import type { Order } from "../../../protocol/transactions/order.ts";
import { hasSender } from "../../../protocol/transactions/signer.ts";
import type {
  ExchangeTransaction,
  InvokeScriptTransaction,
  Transaction,
} from "../../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../../protocol/transactions/transaction-type.ts";
import type { StateView } from "../../state/state-view.ts";
import { ordersBySide } from "../exchange-orders.ts";
import { exchangePortfolios } from "../exchange-portfolios.ts";
import {
  balancesAfter,
  combineAllPortfolios,
  type Portfolios,
  portfolioOf,
  portfolioOfWavesAnd,
  portfoliosOf,
} from "../portfolio.ts";
import { orderSenderAddress, senderAddress } from "../sender-address.ts";
import { wavesOfAssetFee } from "../sponsorship.ts";
import { checkBalances } from "./balances.ts";
import { getSponsoredAsset } from "./minimum-fee.ts";
import { resolveRecipient } from "./recipients.ts";

/**
 * Checks that the sender can pay the fee, order owners the matcher's fee, and a caller the payments.
 * @throws RuleError balancesInvalid, feeAssetUnknown, feeAssetNotSponsored, matcherFeeAssetUnknown and others
 */
export function checkFeeFunds(transaction: Transaction, view: StateView): void {
  if (transaction.type === TransactionType.LeaseCancel || !view.has(Feature.BlockV5)) return;
  checkBalances(balancesAfter(feePortfolios(transaction, view), view), view);
  if (transaction.type === TransactionType.Exchange) checkExchangeFunds(transaction, view);
  if (transaction.type === TransactionType.InvokeScript) checkPayments(transaction, view);
}

/**
 * Balance changes of the fee alone: a sponsor gives WAVES to the generator and gets the asset from the sender.
 * @throws RuleError feeAssetUnknown, feeAssetNotSponsored, feeConversionOverflow, sumOverflow
 */
export function feePortfolios(transaction: Transaction, view: StateView): Portfolios {
  if (!hasSender(transaction)) return new Map();
  const { fee, feeAsset } = transaction;
  const sender = portfoliosOf(senderAddress(transaction), portfolioOf(feeAsset, -fee));
  if (feeAsset === null) return sender;
  const { issuer, minSponsoredAssetFee } = getSponsoredAsset(feeAsset, view);
  const wavesFee = wavesOfAssetFee(fee, minSponsoredAssetFee);
  const sponsor = addressOfPublicKey(issuer, view.settings.chainId);
  return combineAllPortfolios(sender, portfoliosOf(sponsor, portfolioOfWavesAnd(-wavesFee, feeAsset, fee)));
}

function checkExchangeFunds(transaction: ExchangeTransaction, view: StateView): void {
  const { buy, sell } = ordersBySide(transaction);
  checkMatcherFee(buy, transaction.buyMatcherFee, view);
  checkMatcherFee(sell, transaction.sellMatcherFee, view);
  if (view.height < view.settings.functionality.estimatorSumOverflowFixHeight) return;
  checkBalances(balancesAfter(exchangePortfolios(transaction, view), view), view);
}

function checkPayments(transaction: InvokeScriptTransaction, view: StateView): void {
  const sender = senderAddress(transaction);
  const dApp = resolveRecipient(transaction.dApp, view);
  const moves = transaction.payments.map(({ asset, amount }) => {
    if (asset !== null && view.findAsset(asset) === undefined) {
      throw new RuleError({ code: "paymentAssetUnknown", asset });
    }
    return combineAllPortfolios(
      portfoliosOf(sender, portfolioOf(asset, -amount)),
      portfoliosOf(dApp, portfolioOf(asset, amount)),
    );
  });
  checkBalances(balancesAfter(combineAllPortfolios(...moves), view), view);
}

function checkMatcherFee(order: Order, fee: bigint, view: StateView): void {
  const { matcherFeeAsset: asset } = order;
  if (asset !== null && view.findAsset(asset) === undefined) {
    throw new RuleError({ code: "matcherFeeAssetUnknown", asset });
  }
  checkBalances(balancesAfter(portfoliosOf(orderSenderAddress(order), portfolioOf(asset, -fee)), view), view);
}
