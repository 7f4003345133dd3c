/**
 * Execution of a transaction: a transaction and a state give a state snapshot or an error. The only place for it, for
 * blocks, the pool and requests of clients.
 * @source Waves: state/diffs/TransactionDiffer.scala
 */

import { Feature } from "../../network/features.ts";
import { RuleError } from "../../protocol/errors.ts";
import type { Snapshot } from "../../protocol/snapshots/snapshot.ts";
import { formatOf } from "../../protocol/transactions/table.ts";
import type { Transaction, TransactionStatus } from "../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";
import type { EthereumCall } from "../../ride/results/call-record.ts";
import { type CallResult, emptyCallResult } from "../../ride/results/call-result.ts";
import type { StateView } from "../state/state-view.ts";
import type { BlockContext, KnownRefusals } from "./block-context.ts";
import { checkActivation } from "./checks/activation.ts";
import { runAssetScripts } from "./checks/asset-scripts.ts";
import { verifyAuthorization } from "./checks/authorization.ts";
import { checkBalances } from "./checks/balances.ts";
import { checkDuplicate } from "./checks/duplicates.ts";
import { checkFeeFunds, feePortfolios } from "./checks/fee-funds.ts";
import { checkMinimumFee } from "./checks/minimum-fee.ts";
import { checkNetwork } from "./checks/network.ts";
import { checkSpendings } from "./checks/spendings.ts";
import { checkTimestamp } from "./checks/timestamps.ts";
import { effectOf } from "./effects.ts";
import { dAppFailure, FailedTransaction, failFreeComplexity } from "./failed-transaction.ts";
import { findEthereumCall } from "./invoke/ethereum-call.ts";
import { causeText } from "./invoke/refusal-text.ts";
import { likenessOf, WatchedExecution } from "./likeness.ts";
import { balancesAfter } from "./portfolio.ts";
import { assetFailure } from "./scripts/asset-verdict.ts";
import { refusalError } from "./scripts/verdict.ts";

export interface AppliedTransaction {
  /** The transaction's own effect. The generator's share of the fee is added later: `fee-shares.ts`. */
  readonly snapshot: Snapshot;
  readonly status: TransactionStatus;
  /** Complexity of all executed scripts: it counts for the block's limit. */
  readonly totalComplexity: bigint;
  /** Complexity for clients: without verifiers and asset scripts if the transaction succeeded. */
  readonly spentComplexity: bigint;
  /** Result of a call; the error of a failed transaction. */
  readonly callResult?: CallResult | undefined;
  /** Parsed call data of an Ethereum wallet. */
  readonly ethereumCall?: EthereumCall | undefined;
}

/**
 * Executes the transaction on the state: common rules, fees, authorization, effect, balances, asset scripts, in this
 * order. Its fields must be valid in themselves. From feature 15 on calls and exchanges whose scripts fail late are
 * included as failed: they pay their fee and have no other effect.
 * @param view the state before it, at the height of its block
 * @throws RuleError the first violation
 */
export function applyTransaction(transaction: Transaction, view: StateView, context: BlockContext): AppliedTransaction {
  const verifierComplexity = authorize(transaction, view, context);
  const isLimited = context.execution === "limited" && mayFailLate(transaction, view);
  const own = isLimited ? context : withoutLimit(context);
  const { refusals } = own;
  return refusals === undefined
    ? carryOut(transaction, view, own, verifierComplexity)
    : carryOutUnlessKnown(transaction, view, { ...own, refusals }, verifierComplexity);
}

/** Same as `carryOut`; refuses a transaction with the likeness of a refused one without executing it. */
function carryOutUnlessKnown(
  transaction: Transaction,
  view: StateView,
  context: BlockContext & { readonly refusals: KnownRefusals },
  verifierComplexity: number,
): AppliedTransaction {
  const { refusals, effort } = context;
  const likeness = likenessOf(transaction, [verifierComplexity, context.execution ?? "whole"]);
  const known = refusals.find(likeness);
  if (known !== undefined) {
    if (effort !== undefined) effort.isKnownRefusal = true;
    throw known;
  }
  const watched = new WatchedExecution(transaction, context);
  try {
    return carryOut(watched.transaction, view, watched.context, verifierComplexity);
  } catch (error) {
    if (error instanceof RuleError && !watched.hasReadOwn) refusals.add(likeness, error);
    throw error;
  }
}

function carryOut(
  transaction: Transaction,
  view: StateView,
  context: BlockContext,
  verifierComplexity: number,
): AppliedTransaction {
  try {
    return succeed(transaction, view, context, verifierComplexity);
  } catch (error) {
    if (!(error instanceof FailedTransaction)) throw error;
    const isFailFree = error.isFailFree && view.has(Feature.RideV6);
    const isPlaced = mayFail(transaction, view) && (context.execution ?? "whole") === "whole";
    if (isFailFree || !isPlaced) throw refusalOf(error, isFailFree);
    return fail(error, transaction, view);
  }
}

/** Checks that precede the effect. @returns complexity that verifiers spent */
function authorize(transaction: Transaction, view: StateView, context: BlockContext): number {
  checkNetwork(transaction, view);
  checkTimestamp(transaction, view, context);
  checkActivation(transaction, view);
  checkDuplicate(transaction, view, context);
  checkSpendings(transaction, view, context);
  checkMinimumFee(transaction, view);
  checkFeeFunds(transaction, view);
  const { effort } = context;
  if (effort !== undefined) effort.hasRun = true;
  const verifierComplexity = verifyAuthorization(transaction, view, context);
  if (effort !== undefined) effort.complexity = verifierComplexity;
  return verifierComplexity;
}

function succeed(
  transaction: Transaction,
  view: StateView,
  context: BlockContext,
  verifierComplexity: number,
): AppliedTransaction {
  const effect = afterSpending(verifierComplexity, () => effectOf(transaction, view, context));
  const spent = verifierComplexity + (effect.spentComplexity ?? 0);
  if (context.effort !== undefined) context.effort.complexity = spent;
  checkResult(effect.snapshot, spent, transaction, view);
  const remaining = context.execution === "limited" ? failFreeComplexity - spent : undefined;
  const assetComplexity = verifyAssetScripts(transaction, view, context, spent, remaining);
  return {
    snapshot: effect.snapshot,
    status: "succeeded",
    totalComplexity: BigInt(spent + assetComplexity),
    spentComplexity: BigInt(effect.spentComplexity ?? 0),
    callResult: effect.callResult,
    ethereumCall: effect.ethereumCall,
  };
}

/** Calls of Ethereum wallets can fail, but always run to their end. */
function withoutLimit(context: BlockContext): BlockContext {
  return context.execution === "limited" ? { ...context, execution: "strict" } : context;
}

function afterSpending<Result>(complexity: number, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw error instanceof FailedTransaction ? error.after(complexity) : error;
  }
}

/** From feature 16 on a transaction whose scripts have run long fails if a balance would be negative. */
function checkResult(snapshot: Snapshot, spent: number, transaction: Transaction, view: StateView): void {
  try {
    checkBalances(snapshot, view);
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    const isTooLate = spent > failFreeComplexity && view.has(Feature.SynchronousCalls);
    if (!isTooLate || !mayFailLate(transaction, view)) throw error;
    throw dAppFailure(causeText(error), spent);
  }
}

/** @returns complexity that the scripts spent @throws RuleError, FailedTransaction */
function verifyAssetScripts(
  transaction: Transaction,
  view: StateView,
  context: BlockContext,
  spent: number,
  remaining: number | undefined,
): number {
  // The effect of an Ethereum wallet's transaction has run its asset scripts.
  if (transaction.type === TransactionType.Ethereum) return 0;
  const { complexity, refused } = runAssetScripts(transaction, view, context, remaining);
  if (refused === undefined) return complexity;
  if (!mayFailLate(transaction, view)) throw refusalError(refused.refusal, "asset");
  throw assetFailure(refused, "transaction", spent + complexity);
}

/** Whether the transaction may be included as failed. */
function mayFail(transaction: Transaction, view: StateView): boolean {
  return mayFailLate(transaction, view) || (acceptsFailed(view) && formatOf(transaction.type).callsDApps === true);
}

/** Whether an error after its effect may include it as failed. */
function mayFailLate({ type }: Transaction, view: StateView): boolean {
  return acceptsFailed(view) && formatOf(type).failsLate === true;
}

function acceptsFailed(view: StateView): boolean {
  return view.has(Feature.BlockV5);
}

function refusalOf(failure: FailedTransaction, isFailFree: boolean): RuleError {
  const { info, message } = failure;
  if (info.assetId === undefined) return new RuleError({ code: "callRejected", message }, { cause: failure });
  if (info.error === undefined && !isFailFree) {
    return new RuleError({ code: "scriptRefused", of: "asset" }, { cause: failure });
  }
  return new RuleError({ code: "scriptFailed", of: "asset", message }, { cause: failure });
}

function fail(failure: FailedTransaction, transaction: Transaction, view: StateView): AppliedTransaction {
  const { spentComplexity, invokes = [] } = failure.info;
  const error = { code: failure.code, text: failure.message };
  return {
    snapshot: balancesAfter(feePortfolios(transaction, view), view),
    status: "failed",
    totalComplexity: BigInt(spentComplexity),
    spentComplexity: BigInt(spentComplexity),
    callResult: { ...emptyCallResult, invokes, error },
    ethereumCall: transaction.type === TransactionType.Ethereum ? findEthereumCall(transaction, view) : undefined,
  };
}
