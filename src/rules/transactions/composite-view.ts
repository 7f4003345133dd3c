/**
 * The tip with the state snapshots of priority transactions applied.
 * @source Waves: utx/UtxPriorityPool.scala (compositeBlockchain)
 */
import { bytesKey } from "../../crypto/bytes.ts";
import { flatMapItems, type ItemTable, nothingOf } from "../../protocol/snapshots/item-table.ts";
import type { Snapshot } from "../../protocol/snapshots/snapshot.ts";
import { parseTransactionSnapshot } from "../../protocol/snapshots/transaction-snapshot.ts";
import type { AssetId } from "../../protocol/transactions/asset.ts";
import type { LeaseId, Transaction } from "../../protocol/transactions/transaction.ts";
import { deterministicOnly } from "../state/deterministic-only.ts";
import { OverlayView } from "../state/overlay-view.ts";
import type { StateView } from "../state/state-view.ts";
import { isRefusal } from "./refusal.ts";
import { assetScriptComplexity } from "./scripts/script-complexities.ts";

/** Transaction with its state snapshot. */
export interface TransactionWithSnapshot {
  readonly transaction: Transaction;
  /** Wire form. */
  readonly stateSnapshot: Uint8Array;
}

/** Transaction of the tip that a key block discarded. */
export interface DiscardedTransaction {
  readonly transaction: Transaction;
  /**
   * State snapshot of the transaction in the tip, wire form. Undefined if it is not stored because of its size, or if
   * the key block has transactions of its own, which the snapshot does not consider.
   */
  readonly stateSnapshot: Uint8Array | undefined;
}

/** The tip with applied state snapshots. */
export interface CompositeView {
  readonly view: OverlayView;
  /** Number of applied snapshots. */
  readonly count: number;
}

/**
 * Applies snapshots without executing transactions. The view may refuse work, because it does not validate a block.
 * @param effects in order, made on the tip. Stops at one that changes a missing lease or asset, which was made on
 *   another state, and at a script whose complexity takes too much work
 */
export function compositeView(tip: StateView, effects: Iterable<TransactionWithSnapshot>): CompositeView {
  const { height } = tip;
  const overlay = new OverlayView(tip, { height, ...deterministicOnly() });
  const { chainId } = tip.settings;
  const parsed = Array.from(effects, ({ transaction, stateSnapshot }) => ({
    transaction,
    ...parseTransactionSnapshot(stateSnapshot, { transactionId: transaction.id, chainId }),
  }));
  for (const { snapshot } of parsed) readAheadOf(snapshot, tip);
  let count = 0;
  for (const { transaction, snapshot, status } of parsed) {
    const priced = fits(snapshot, overlay) ? withComplexities(snapshot, overlay) : undefined;
    if (priced === undefined) break;
    overlay.apply(priced);
    overlay.include(transaction, status);
    count += 1;
  }
  return { view: overlay, count };
}

/** Whether all items exist that the snapshot changes. */
function fits(snapshot: Snapshot, view: StateView): boolean {
  const issued = new Set((snapshot.assetStatics ?? []).map(({ assetId }) => bytesKey(assetId)));
  return flatMapItems(snapshot, changedItems).every(
    (item) => ("assetId" in item && issued.has(bytesKey(item.assetId))) || exists(item, view),
  );
}

type ChangedItem = { readonly leaseId: LeaseId } | { readonly assetId: AssetId };

const exists = (item: ChangedItem, view: StateView): boolean =>
  ("leaseId" in item ? view.findLease(item.leaseId) : view.findAsset(item.assetId)) !== undefined;

const changedItem = <Thing extends ChangedItem>(item: Thing): readonly ChangedItem[] => [item];

/** Existing items that a change needs. */
const changedItems: ItemTable<readonly ChangedItem[]> = {
  cancelledLeases: changedItem,
  assetVolumes: changedItem,
  assetTexts: changedItem,
  assetScripts: changedItem,
  sponsorships: changedItem,
  balances: nothingOf,
  leaseBalances: nothingOf,
  newLeases: nothingOf,
  assetStatics: nothingOf,
  aliases: nothingOf,
  orderFills: nothingOf,
  accountScripts: nothingOf,
  accountData: nothingOf,
  generationCommitments: nothingOf,
};

/** Reads the items ahead: a view that fetches in batches then needs fewer batches. */
function readAheadOf(snapshot: Snapshot, view: StateView): void {
  for (const item of flatMapItems(snapshot, changedItems)) exists(item, view);
}

/** Adds the complexities of asset scripts, which the wire form lacks. @returns undefined if that takes too much work */
function withComplexities(snapshot: Snapshot, view: StateView): Snapshot | undefined {
  const { assetScripts } = snapshot;
  if (assetScripts === undefined) return snapshot;
  try {
    const priced = assetScripts.map((change) => ({
      ...change,
      complexity: assetScriptComplexity(change.script, view),
    }));
    return { ...snapshot, assetScripts: priced };
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}
