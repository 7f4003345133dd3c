/**
 * The tip with what transactions did that were in the chain and come back first, as if they were back already.
 * @source Waves: utx/UtxPriorityPool.scala (compositeBlockchain)
 */
import { bytesKey } from "../../crypto/bytes.ts";
import { flatMapItems, type ItemTable, nothingOf } from "../../protocol/snapshots/item-table.ts";
import type { Snapshot } from "../../protocol/snapshots/snapshot.ts";
import { parseTransactionSnapshot } from "../../protocol/snapshots/transaction-snapshot.ts";
import type { AssetId } from "../../protocol/transactions/asset.ts";
import type { LeaseId, Transaction } from "../../protocol/transactions/transaction.ts";
import { OverlayView } from "../state/overlay-view.ts";
import { ownChoice } from "../state/own-choice.ts";
import type { StateView } from "../state/state-view.ts";
import { isRefusal } from "./refusal.ts";
import { assetScriptComplexity } from "./scripts/script-complexities.ts";

/** What a transaction did. */
export interface TransactionEffect {
  readonly transaction: Transaction;
  /** In wire form. */
  readonly changeSet: Uint8Array;
}

/** A transaction of the tip that a key block left behind. */
export interface DiscardedTransaction {
  readonly transaction: Transaction;
  /**
   * What it did in the tip, in wire form; undefined where that is not kept, too long, or the key block has transactions of its
   * own, without which it was made.
   */
  readonly changeSet: Uint8Array | undefined;
}

/** The tip with what transactions did. */
export interface ViewAfter {
  readonly view: OverlayView;
  /** How many of them it has. */
  readonly count: number;
}

/**
 * Runs nothing. As transactions are judged on it that nobody's block holds, the view may refuse work.
 * @param effects one after the other, made on the tip. One that changes a lease or an asset that is not there was not, and ends
 *   them; so does a script whose complexity takes too much work
 */
export function viewAfter(tip: StateView, effects: Iterable<TransactionEffect>): ViewAfter {
  const { height } = tip;
  const overlay = new OverlayView(tip, { height, ...ownChoice() });
  const { chainId } = tip.settings;
  const parsed = Array.from(effects, ({ transaction, changeSet }) => ({
    transaction,
    ...parseTransactionSnapshot(changeSet, { transactionId: transaction.id, chainId }),
  }));
  for (const { snapshot } of parsed) readAheadOf(snapshot, tip);
  let count = 0;
  for (const { transaction, snapshot, status } of parsed) {
    const priced = fits(snapshot, overlay) ? withComplexities(snapshot, overlay) : undefined;
    if (priced === undefined) break;
    overlay.apply(priced);
    overlay.place(transaction, status);
    count += 1;
  }
  return { view: overlay, count };
}

/** Whether there is all that it changes. */
function fits(snapshot: Snapshot, view: StateView): boolean {
  const issued = new Set((snapshot.assetStatics ?? []).map(({ assetId }) => bytesKey(assetId)));
  return flatMapItems(snapshot, changedThings).every(
    (thing) => ("assetId" in thing && issued.has(bytesKey(thing.assetId))) || isThere(thing, view),
  );
}

type ChangedThing = { readonly leaseId: LeaseId } | { readonly assetId: AssetId };

const isThere = (thing: ChangedThing, view: StateView): boolean =>
  ("leaseId" in thing ? view.findLease(thing.leaseId) : view.findAsset(thing.assetId)) !== undefined;

const changed = <Thing extends ChangedThing>(thing: Thing): readonly ChangedThing[] => [thing];

/** What has to be there to be changed. */
const changedThings: ItemTable<readonly ChangedThing[]> = {
  cancelledLeases: changed,
  assetVolumes: changed,
  assetTexts: changed,
  assetScripts: changed,
  sponsorships: changed,
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

/** A view that fetches what it is asked for in batches then needs few of them. */
function readAheadOf(snapshot: Snapshot, view: StateView): void {
  for (const thing of flatMapItems(snapshot, changedThings)) isThere(thing, view);
}

/** The wire form has no complexity of an asset's script. @returns undefined where it takes more work than may be asked for */
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
