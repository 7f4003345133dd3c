/**
 * Checks and processing of the actions of one call.
 * @source Waves: state/diffs/invoke/InvokeDiffsCommon.scala (processActions, checkActions)
 */
import { equalBytes } from "../../../crypto/bytes.ts";
import type { Address } from "../../../crypto/identities.ts";
import { Feature } from "../../../network/features.ts";
import { I64_MAX } from "../../../protocol/codec/i64.ts";
import type { Snapshot } from "../../../protocol/snapshots/snapshot.ts";
import type { AssetId } from "../../../protocol/transactions/asset.ts";
import type { Recipient } from "../../../protocol/transactions/transaction.ts";
import type { LogEntry } from "../../../ride/evaluator/evaluation-log.ts";
import type { ScriptRecipient } from "../../../ride/objects/recipients.ts";
import type { CallResult } from "../../../ride/results/call-result.ts";
import { actionsOf, type CallableAction } from "../../../ride/results/callable-action.ts";
import { resultOfActions } from "../../../ride/results/result-of-actions.ts";
import { bytesText } from "../../../ride/values/value-text.ts";
import type { StateView } from "../../state/state-view.ts";
import { hasAssetScript } from "../checks/assets.ts";
import { dAppFailure, FailedTransaction, failFreeComplexity } from "../failed-transaction.ts";
import { balancesAfter, combineAllPortfolios, type Portfolios, portfolioOf, portfoliosOf } from "../portfolio.ts";
import { leaseRecipient, transferAddress } from "./action-effects.ts";
import { callFee, checkCallFee, hasPaidVerifier } from "./call-fee.ts";
import { findDataError } from "./data-actions.ts";
import { type FoldedActions, foldActions } from "./fold-actions.ts";
import { type Call, paidAssetIds } from "./invocation.ts";
import { feeStepComplexity, maxActionsBeforeV6, maxAssetActions, maxBalanceActions } from "./limits.ts";

export interface ActionsRequest extends FoldedActions {
  readonly libraryVersion: number;
  /** State before the call: it decides whether assets have scripts. */
  readonly viewBefore: StateView;
  /** Assets that nested calls issued; undefined for a call by a dApp, which pays no fee. */
  readonly otherIssues: CallResult["issues"] | undefined;
}

export interface CallEffect {
  readonly snapshot: Snapshot;
  /** Complexity of the call and of the scripts of its actions' assets. */
  readonly complexity: number;
  readonly result: CallResult;
}

/** @throws FailedTransaction, FailOrReject, RuleError */
export function processActions(request: ActionsRequest): CallEffect {
  const { call, actions, complexity, view, log, context } = request;
  checkActions(request);
  const start = startSnapshot(request);
  const limit = context.isLimited ? failFreeComplexity - complexity : undefined;
  const folded = foldActions(request, start, limit);
  return {
    snapshot: folded.snapshot,
    complexity: complexity + folded.complexity,
    result: callResult(actions, () => call.root.id, complexity, view, log),
  };
}

/** Changes of the fee and, before version 5, of the payments: later ones are credited before the call. */
function startSnapshot(request: ActionsRequest): Snapshot {
  const { call, context, actions, libraryVersion, viewBefore, view, complexity, otherIssues, log } = request;
  if (otherIssues === undefined) return {};
  const verifiers = hasPaidVerifier(call.root, view) ? 1 : 0;
  const scripts = scriptComplexities(actions, viewBefore).length + verifiers + scriptedPayments(call, view);
  const stepComplexity = feeStepComplexity(libraryVersion);
  const fee = checkCallFee(context.root, view, {
    // Complexity of nested calls does not add steps to the fee.
    complexity: Math.min(complexity, stepComplexity),
    stepComplexity,
    issues: [...actionsOf(actions, "issue"), ...otherIssues],
    extraScripts: view.has(Feature.SynchronousCalls) ? verifiers : scripts,
    log,
  });
  if (libraryVersion < 5) return paymentsSnapshot(call, view, fee);
  return balancesAfter(callFee(context.root, view).portfolios, view);
}

/** Changes of a call's payments, after other changes. @throws RuleError sumOverflow */
export function paymentsSnapshot(
  { sender, dApp, payments }: Pick<Call, "sender" | "dApp" | "payments">,
  view: StateView,
  before: Portfolios = new Map(),
): Snapshot {
  const moves = payments.map(({ asset, amount }) =>
    combineAllPortfolios(
      portfoliosOf(sender, portfolioOf(asset, -amount)),
      portfoliosOf(dApp, portfolioOf(asset, amount)),
    ),
  );
  const sum = combineAllPortfolios(new Map(), ...moves);
  return balancesAfter(combineAllPortfolios(before, sum), view);
}

function scriptedPayments(call: Call, view: StateView): number {
  return paidAssetIds(call).filter((asset) => hasAssetScript(asset, view)).length;
}

/** Estimated complexities of the scripts of the actions' assets. */
function scriptComplexities(actions: readonly CallableAction[], view: StateView): readonly number[] {
  const assets = [
    ...actionsOf(actions, "transfer").flatMap(({ assetId }) => (assetId === null ? [] : [assetId])),
    ...actionsOf(actions, "reissue").map(({ assetId }) => assetId),
    ...actionsOf(actions, "burn").map(({ assetId }) => assetId),
    ...actionsOf(actions, "sponsorFee").map(({ assetId }) => assetId),
  ];
  return assets.flatMap((asset) => {
    const script = view.findAsset(asset as AssetId)?.script;
    return script === undefined ? [] : [Number(script.complexity)];
  });
}

/** @throws FailedTransaction */
function checkActions(request: ActionsRequest): void {
  const { context, actions, complexity, viewBefore, log } = request;
  const error = findActionsError(request);
  if (error !== undefined) throw dAppFailure(error, complexity, log);
  const limit = context.totalComplexityLimit;
  const total = scriptComplexities(actions, viewBefore).reduce((sum, each) => sum + each, complexity);
  // A limited run has its own limit.
  if (total > limit && !context.isLimited) {
    const error = `Invoke complexity limit = ${limit} is exceeded`;
    throw new FailedTransaction({ cause: "feeForActions", spentComplexity: complexity, error, log });
  }
}

function findActionsError({
  call,
  context,
  actions,
  libraryVersion,
  viewBefore: view,
}: ActionsRequest): string | undefined {
  const transfers = actionsOf(actions, "transfer");
  return (
    findDataError(actionsOf(actions, "data"), libraryVersion, context.root, view) ??
    findCancelError(actions) ??
    findCountError(actions, libraryVersion, context.rootVersion, view) ??
    findSelfPaymentError(call, actions, libraryVersion, view) ??
    (transfers.some(({ amount }) => amount < 0n) ? "Negative amount" : undefined) ??
    (transfers.reduce((sum, { amount }) => sum + amount, 0n) > I64_MAX ? "ScriptTransfer overflow" : undefined)
  );
}

function findCancelError(actions: readonly CallableAction[]): string | undefined {
  const ids = actionsOf(actions, "leaseCancel").map((cancel) => bytesText(cancel.leaseId));
  const repeated = new Set(ids.filter((id, index) => ids.indexOf(id) < index));
  return repeated.size === 0 ? undefined : `Duplicate LeaseCancel id(s): ${[...repeated].join(", ")}`;
}

const balanceKinds: ReadonlySet<CallableAction["kind"]> = new Set(["transfer", "lease", "leaseCancel"]);

/** Numbers of actions by kind. */
export function countActions(actions: readonly CallableAction[]) {
  const data = actions.filter(({ kind }) => kind === "data").length;
  const balance = actions.filter(({ kind }) => balanceKinds.has(kind)).length;
  return { data, balance, other: actions.length - data, asset: actions.length - data - balance };
}

function findCountError(
  actions: readonly CallableAction[],
  libraryVersion: number,
  rootVersion: number,
  view: StateView,
): string | undefined {
  const counts = countActions(actions);
  const decidingVersion = view.has(Feature.BlockRewardDistribution) ? rootVersion : libraryVersion;
  if (decidingVersion >= 6) {
    if (counts.balance > maxBalanceActions) {
      return `Too many ScriptTransfer, Lease, LeaseCancel actions: max: ${maxBalanceActions}, actual: ${counts.balance}`;
    }
    return counts.asset > maxAssetActions
      ? `Too many Issue, Reissue, Burn, SponsorFee actions: max: ${maxAssetActions}, actual: ${counts.asset}`
      : undefined;
  }
  const max = maxActionsBeforeV6(libraryVersion);
  return counts.other > max ? `Too many script actions: max: ${max}, actual: ${counts.other}` : undefined;
}

function findSelfPaymentError(
  { sender, dApp, payments }: Call,
  actions: readonly CallableAction[],
  libraryVersion: number,
  view: StateView,
): string | undefined {
  if (!view.has(Feature.BlockV5) || libraryVersion < 4) return undefined;
  if (payments.length > 0 && equalBytes(sender, dApp)) return "DApp self-payment is forbidden since V4";
  return actionsOf(actions, "transfer").some(({ address }) => equalBytes(address, dApp))
    ? "DApp self-transfer is forbidden since V4"
    : undefined;
}

function callResult(
  actions: readonly CallableAction[],
  transactionId: () => Uint8Array,
  complexity: number,
  view: StateView,
  log: readonly LogEntry[],
): CallResult {
  const addressOf = (bytes: Uint8Array): Address => {
    try {
      return transferAddress(bytes, view);
    } catch (error) {
      throw error instanceof FailedTransaction ? error.after(complexity).with({ log }) : error;
    }
  };
  const recipient = (accountOf: ScriptRecipient): Recipient => leaseRecipient(accountOf, view);
  return resultOfActions(actions, transactionId, { address: addressOf, recipient });
}
