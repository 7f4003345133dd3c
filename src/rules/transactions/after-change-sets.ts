/**
 * The tip with what transactions did that were in the chain and come back first, as if they were back already.
 * @source Waves: utx/UtxPriorityPool.scala (compositeBlockchain)
 */
import type { Snapshot } from "../../protocol/snapshots/snapshot.ts";
import { parseTransactionSnapshot } from "../../protocol/snapshots/transaction-snapshot.ts";
import type { Transaction } from "../../protocol/transactions/transaction.ts";
import { OverlayView } from "../state/overlay-view.ts";
import type { StateView } from "../state/state-view.ts";
import { assetScriptComplexity } from "./scripts/script-complexities.ts";

/** What a transaction did. */
export interface TransactionEffect {
  readonly transaction: Transaction;
  /** In wire form. */
  readonly changeSet: Uint8Array;
}

/**
 * Runs nothing. As transactions are judged on it that nobody's block holds, it may refuse work.
 * @param effects one after the other, made on the tip
 */
export function viewAfter(tip: StateView, effects: Iterable<TransactionEffect>): OverlayView {
  const overlay = new OverlayView(tip, { height: tip.height, mayRefuseWork: true });
  const { chainId } = tip.settings;
  const parsed = Array.from(effects, ({ transaction, changeSet }) => ({
    transaction,
    ...parseTransactionSnapshot(changeSet, { transactionId: transaction.id, chainId }),
  }));
  for (const { snapshot } of parsed) readAheadOf(snapshot, tip);
  for (const { transaction, snapshot, status } of parsed) {
    overlay.apply(withComplexities(snapshot, overlay));
    overlay.place(transaction, status);
  }
  return overlay;
}

/** A view that fetches what it is asked for in batches then needs few of them. */
function readAheadOf(snapshot: Snapshot, view: StateView): void {
  for (const { leaseId } of snapshot.cancelledLeases ?? []) view.findLease(leaseId);
  const { assetVolumes = [], assetTexts = [], assetScripts = [], sponsorships = [] } = snapshot;
  for (const { assetId } of [...assetVolumes, ...assetTexts, ...assetScripts, ...sponsorships]) view.findAsset(assetId);
}

/** The wire form has no complexity of an asset's script. */
function withComplexities(snapshot: Snapshot, view: StateView): Snapshot {
  const { assetScripts } = snapshot;
  if (assetScripts === undefined) return snapshot;
  const priced = assetScripts.map((change) => ({
    ...change,
    complexity: assetScriptComplexity(change.script, view),
  }));
  return { ...snapshot, assetScripts: priced };
}
