/**
 * Minimum fee of a call by its result: for the complexity, the issued assets and, before feature 16, the scripts of the
 * moved assets.
 * @source Waves: state/diffs/invoke/InvokeDiffsCommon.scala (txFeeDiff, calcAndCheckFee)
 */

import { addressOfPublicKey } from "../../../crypto/address.ts";
import { encodeBase58 } from "../../../crypto/base58.ts";
import type { Address } from "../../../crypto/identities.ts";
import { feeUnitWavelets, scriptExtraFeeWavelets } from "../../../protocol/transactions/fee-units.ts";
import { formatOf } from "../../../protocol/transactions/table.ts";
import { TransactionType } from "../../../protocol/transactions/transaction-type.ts";
import type { LogEntry } from "../../../ride/evaluator/evaluation-log.ts";
import type { ScriptInvoke } from "../../../ride/objects/invoke-object.ts";
import type { CallResult } from "../../../ride/results/call-result.ts";
import { isVerifierPaid } from "../../scripts/verifier-fee.ts";
import type { StateView } from "../../state/state-view.ts";
import { getSponsoredAsset } from "../checks/minimum-fee.ts";
import { FailedTransaction } from "../failed-transaction.ts";
import { isNonFungible } from "../non-fungible.ts";
import { combineAllPortfolios, type Portfolios, portfolioOf, portfolioOfWavesAnd, portfoliosOf } from "../portfolio.ts";
import { wavesOfAssetFee } from "../sponsorship.ts";

const invokeFormat = formatOf(TransactionType.InvokeScript);
const issueFormat = formatOf(TransactionType.Issue);

/** Balance changes of the fee alone, and its value in wavelets. */
export function callFee(
  root: ScriptInvoke,
  view: StateView,
): { readonly wavelets: bigint; readonly portfolios: Portfolios } {
  const { sender, fee, feeAsset } = root;
  const senderPortfolios = portfoliosOf(sender as Address, portfolioOf(feeAsset, -fee));
  if (feeAsset === null) return { wavelets: fee, portfolios: senderPortfolios };
  const { issuer, minSponsoredAssetFee } = getSponsoredAsset(feeAsset, view);
  const wavelets = wavesOfAssetFee(fee, minSponsoredAssetFee);
  const sponsor = addressOfPublicKey(issuer, view.settings.chainId);
  const sponsorPortfolios = portfoliosOf(sponsor, portfolioOfWavesAnd(-wavelets, feeAsset, fee));
  return { wavelets, portfolios: combineAllPortfolios(senderPortfolios, sponsorPortfolios) };
}

export interface CallCosts {
  /** Complexity of the call that is paid for by steps. */
  readonly complexity: number;
  readonly stepComplexity: number;
  /** Issues of all calls of the transaction. */
  readonly issues: CallResult["issues"];
  /** Scripts that ran in addition to the called ones. */
  readonly extraScripts: number;
  readonly log: readonly LogEntry[];
}

/** @throws FailedTransaction the fee is too low: code 2; RuleError: the fee's asset cannot pay fees */
export function checkCallFee(root: ScriptInvoke, view: StateView, costs: CallCosts): Portfolios {
  const { complexity, stepComplexity, issues, extraScripts, log } = costs;
  const steps = Math.ceil(complexity / stepComplexity);
  const paidIssues = issues.filter(
    (issue) => !isNonFungible({ ...issue, reissuable: issue.isReissuable }, view),
  ).length;
  const minimum =
    BigInt(invokeFormat.feeUnits) * feeUnitWavelets * BigInt(steps) +
    BigInt(issueFormat.feeUnits) * feeUnitWavelets * BigInt(paidIssues) +
    scriptExtraFeeWavelets * BigInt(extraScripts);
  const { wavelets, portfolios } = callFee(root, view);
  if (wavelets >= minimum) return portfolios;
  const asset = root.feeAsset === null ? "WAVES" : encodeBase58(root.feeAsset);
  const reasons = [
    ...(steps > 1 ? [` with ${steps} invocation steps`] : []),
    ...(extraScripts > 0 ? [` with ${extraScripts} total scripts invoked`] : []),
    ...(issues.length > 0 ? [` with ${issues.length} assets issued`] : []),
  ];
  const error =
    `Fee in ${asset} for ${invokeFormat.name} (${root.fee} in ${asset})${reasons.join("")} ` +
    `does not exceed minimal value of ${minimum} WAVES.`;
  throw new FailedTransaction({ cause: "feeForActions", spentComplexity: complexity, error, log });
}

/** Whether the fee must pay for the verifier of the account. */
export function hasPaidVerifier(root: Pick<ScriptInvoke, "sender">, view: StateView): boolean {
  const script = view.findAccountScript(root.sender as Address);
  if (script === undefined) return false;
  return isVerifierPaid(script.verifierComplexity, view, view.height);
}
