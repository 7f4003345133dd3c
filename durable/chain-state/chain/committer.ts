/**
 * The one way in which the chain's tables change: a step (a key block or a micro-block) is committed or taken back, with
 * all that follows from its rows, in one SQLite transaction.
 */
import { Feature } from "../../../src/network/features.ts";
import type { NodeSettings } from "../../../src/network/settings.ts";
import type { Block, SignedHeader } from "../../../src/protocol/blocks/block.ts";
import { encodeSnapshotRecord } from "../../../src/protocol/snapshots/snapshot-record.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import type { BlockUsage, IncludedTransaction } from "../../../src/rules/blocks/block-run.ts";
import { rememberedBlocks } from "../../../src/rules/state/data-spellings.ts";
import type { OverlayView } from "../../../src/rules/state/overlay-view.ts";
import type { BlockRow } from "../../../src/tables/blocks.ts";
import type { RowChange } from "../../../src/tables/schema/row-change.ts";
import type { TableView } from "../../../src/tables/view/table-view.ts";
import { expireAssetBalanceHistory, expireBalanceHistory, expireLiquidData } from "../state/expire-history.ts";
import type { PublishedPosition } from "../state/published-position.ts";
import type { CommitPosition, StateStore } from "../state/state-store.ts";
import type { ChainChange, FollowChange } from "./chain-change.ts";
import { commitRows } from "./rows/block-rows.ts";
import { liquidDataRows } from "./rows/liquid-rows.ts";
import { listRows } from "./rows/list-rows.ts";
import { stateHashChange } from "./rows/state-hash-row.ts";
import { storedSpellings } from "./rows/stored-spellings.ts";
import type { StoredChain } from "./stored-chain.ts";

/** After every micro-block of the height. */
export const WHOLE_BLOCK = Number.MAX_SAFE_INTEGER;
/** Blocks that the generating balance of an account looks back at most, and one for the balance at their start. */
const GENERATING_BALANCE_BLOCKS = 1_001;
/** Name of the value that the store keeps of `TableView.storedTipHeight`. */
export const STORED_TIP = "storedTipHeight";
/** How often undo records that are too old are dropped, in blocks. */
const PRUNE_INTERVAL = 100;

/** What to keep that no rule needs. @see NodeSettings */
export type RecordStorageOptions = Pick<NodeSettings, "storeStateHashes" | "storeSnapshots"> &
  Partial<Pick<NodeSettings, "isLight">>;

export interface CommitterOptions {
  readonly store: StateStore;
  readonly stored: StoredChain;
  /** Runs all or nothing: an error thrown inside leaves the tables as they were. */
  readonly transaction: <T>(run: () => T) => T;
  /** Blocks that may be taken back, and for which balances at a height are answered. */
  readonly maxRollbackDepth: number;
  readonly storage: RecordStorageOptions;
  /** Changes with the chain. */
  readonly follow: FollowChange;
  /** Called within the transaction after a rollback to the tip: readers must not be shown anything above it. */
  readonly takenBack: (tip: PublishedPosition) => void;
}

/** A step that was applied. */
export interface ChainCommit {
  /** The tip's row after it. */
  readonly row: BlockRow;
  /** Of the whole tip. */
  readonly header: SignedHeader;
  /** 0 for the key block, 1, 2, … for its micro-blocks. */
  readonly position: number;
  readonly included: readonly IncludedTransaction[];
  /** What the whole tip has used of its limits. */
  readonly usage: BlockUsage;
  readonly overlay: OverlayView;
  /** Rows that follow neither from the overlay nor from what was placed. */
  readonly more?: readonly RowChange[];
  /** What those count who may generate the block, in the order of their index; undefined before feature 25. */
  readonly generatorWeights?: readonly bigint[] | undefined;
  /** When it was made or received. */
  readonly nowMs: number;
}

/** A block that is gone. */
export interface DroppedBlock extends Block {
  readonly height: number;
  /** Of a light node, which cannot run its transactions: what they did, as in a snapshot file. */
  readonly snapshots: Uint8Array | undefined;
}

export class Committer {
  readonly #store: StateStore;
  readonly #stored: StoredChain;
  readonly #view: TableView;
  readonly #transaction: CommitterOptions["transaction"];
  readonly #maxRollbackDepth: number;
  readonly #storage: RecordStorageOptions;
  readonly #follow: FollowChange;
  readonly #takenBack: CommitterOptions["takenBack"];
  /** What is to be done once the transaction that is open has landed. */
  #onceLanded: (() => void)[] = [];

  constructor({ store, stored, transaction, maxRollbackDepth, storage, follow, takenBack }: CommitterOptions) {
    this.#store = store;
    this.#stored = stored;
    this.#view = stored.view;
    this.#transaction = transaction;
    this.#maxRollbackDepth = maxRollbackDepth;
    this.#storage = storage;
    this.#follow = follow;
    this.#takenBack = takenBack;
    this.#readStoredTip();
  }

  /** One SQLite transaction; when it fails, nothing in memory is ahead of the tables. */
  atomic<T>(run: () => T): T {
    let result: T;
    this.#onceLanded = [];
    try {
      // What a batch has gathered so far stays, whatever becomes of this, unless the database does not take it.
      this.#store.flush();
      result = this.#transaction(() => {
        const ran = run();
        this.#store.flush();
        this.#mark();
        return ran;
      });
    } catch (error) {
      this.#store.forgetCache();
      this.#view.refresh();
      this.#readStoredTip();
      throw error;
    }
    for (const act of this.#onceLanded) act();
    return result;
  }

  /** Writes rows that hold below every step, as if they had always been there: they are published, and no rollback removes them. */
  addBaseRows(rows: () => readonly RowChange[]): void {
    this.atomic(() => this.#store.putBase(rows()));
  }

  /** Writes what a batch has gathered once it is too much to be kept in memory. To be called between two blocks. */
  flushIfMany(): void {
    if (this.#store.flushIfMany()) this.#mark();
  }

  #mark(): void {
    this.#store.mark(() => this.#stored.state());
  }

  /** Tells who follows the chain of a change. To be called inside `atomic`, last: memory follows once it has landed. */
  follow(change: ChainChange): void {
    this.#onceLanded.push(this.#follow(change));
  }

  /** Takes in a step and lets the view follow. Its rows are written by the next flush. */
  commit(step: ChainCommit): void {
    const { row, header, position, included, usage, overlay, more = [], generatorWeights, nowMs } = step;
    const place = { height: row.height, step: position };
    this.#view.assertKnown(overlay.changes);
    // Light nodes ask for the change sets from the height on at which headers may prove them.
    const { storeSnapshots, isLight = false } = this.#storage;
    const keepsSnapshots = storeSnapshots || isLight || this.#view.isActive(Feature.LightNode, row.height);
    const changes = [
      ...commitRows(row, included, overlay, { position, nowMs, usage, storesSnapshots: keepsSnapshots }),
      ...liquidDataRows(overlay, this.#view, position === 0),
      ...storedSpellings(overlay, this.#view, this.#store),
      ...more,
    ];
    const stateHash = this.#storage.storeStateHashes
      ? stateHashChange(this.#store, place, changes, { snapshotHash: row.stateHash, generatorWeights })
      : undefined;
    const lists = listRows({ store: this.#store, chainId: this.#view.settings.chainId, position: place, changes });
    const rows = changes.concat(lists, stateHash ? [stateHash] : []);
    this.#store.gather(place, rows);
    this.#view.advance(row, signedHeaderOf(header), changes);
  }

  /**
   * Takes back every step after the place. To be called inside `atomic`.
   * @param left is told of each block that is gone whole, highest first, one at a time: a hundred full ones do not fit
   *   into memory
   * @returns the transactions of the micro-blocks that are gone of the block at the place
   */
  rollBack({ height, step }: CommitPosition, left: (block: DroppedBlock) => void = () => {}): readonly Transaction[] {
    while (this.#view.height > height) {
      const block = this.#blockAt(this.#view.height);
      left(block);
      this.#rollbackTo({ height: block.height - 1, step: WHOLE_BLOCK });
      this.#store.putMeta(STORED_TIP, String(block.height - 1));
    }
    this.#readStoredTip();
    if (step === WHOLE_BLOCK || step >= this.#stored.microBlockCount()) return [];
    const { transactions } = this.#blockAt(height);
    this.#rollbackTo({ height, step });
    return transactions.slice(this.#stored.tip().transactionCount);
  }

  /**
   * Replaces every step after the place by rows of other steps, as if the old ones were rolled back and the new ones
   * committed. To be called inside `atomic`.
   * @param moveIn writes the rows, including those to be published
   * @param left as of `takeBack`
   * @returns as `takeBack`
   */
  exchange(
    { height, step }: CommitPosition,
    moveIn: () => void,
    left: (block: DroppedBlock) => void,
  ): readonly Transaction[] {
    for (let gone = this.#view.height; gone > height; gone--) left(this.#blockAt(gone));
    const transactions = step === WHOLE_BLOCK ? [] : this.#blockAt(height).transactions;
    this.#store.replaceRows(moveIn);
    this.#view.refresh();
    this.#readStoredTip();
    const { transactionCount } = this.#stored.rowAt(height);
    this.#takenBack({ height, transactions: transactionCount });
    return transactions.slice(transactionCount);
  }

  /** What `question` answers while every step after the place is taken back. Afterwards the chain is as it was, whatever it did. */
  whileRolledBack<T>(place: CommitPosition, question: () => T): T {
    const answers: T[] = [];
    const undone = new Error("taken back on purpose");
    try {
      this.atomic(() => {
        this.rollBack(place);
        answers.push(question());
        throw undone;
      });
    } catch (error) {
      if (error !== undone) throw error;
    }
    return answers[0] as T;
  }

  #readStoredTip(): void {
    const height = this.#store.findMeta(STORED_TIP);
    this.#view.storedTipHeight = height === undefined ? undefined : Number(height);
  }

  #blockAt(height: number): DroppedBlock {
    const block = this.#stored.findBlock(height);
    if (block === undefined) throw new Error(`the block at height ${height} has no header`);
    const changeSets =
      this.#storage.isLight === true
        ? this.#stored.findStateSnapshots(height, 0, block.transactions.length)
        : undefined;
    return { ...block, height, snapshots: changeSets && encodeSnapshotRecord(changeSets) };
  }

  #rollbackTo(place: CommitPosition): void {
    this.#store.rollbackTo(place);
    this.#view.refresh();
    const { height, transactionCount } = this.#stored.tip();
    this.#takenBack({ height, transactions: transactionCount });
  }

  /** Lets go what nothing can ask for any more: history and undo records. @param heightBefore the tip so far */
  expire(heightBefore: number): void {
    const { height } = this.#view;
    if (height <= heightBefore) return;
    const askedBlocks = Math.max(this.#maxRollbackDepth, GENERATING_BALANCE_BLOCKS);
    const tipHeights = { from: heightBefore, to: height };
    expireBalanceHistory(this.#store, tipHeights, this.#maxRollbackDepth + askedBlocks);
    expireAssetBalanceHistory(this.#store, tipHeights, 2 * this.#maxRollbackDepth);
    expireLiquidData(this.#store, height - this.#maxRollbackDepth - rememberedBlocks);
    if (height % PRUNE_INTERVAL < height - heightBefore) this.#store.prune(height - this.#maxRollbackDepth);
  }
}

/** Without what else a block has: the view keeps many. */
function signedHeaderOf({ header, signature, id }: SignedHeader): SignedHeader {
  return { header, signature, id };
}
