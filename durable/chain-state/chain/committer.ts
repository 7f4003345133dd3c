/**
 * The only way in which the chain's tables change: a key block or a micro-block is committed or rolled back, with all
 * that follows from its rows, in one SQLite transaction.
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

/** Step of the position after all micro-blocks of a height. */
export const WHOLE_BLOCK = Number.MAX_SAFE_INTEGER;
/** Maximum window of the generating balance, blocks, and one more for the balance at its start. */
const GENERATING_BALANCE_BLOCKS = 1_001;
/** Name of the stored value of `TableView.storedTipHeight`. */
export const STORED_TIP = "storedTipHeight";
/** Interval at which undo records that are too old are dropped, blocks. */
const PRUNE_INTERVAL = 100;

/** Records that are stored although no rule needs them. @see NodeSettings */
export type RecordStorageOptions = Pick<NodeSettings, "storeStateHashes" | "storeSnapshots"> &
  Partial<Pick<NodeSettings, "isLight">>;

export interface CommitterOptions {
  readonly store: StateStore;
  readonly stored: StoredChain;
  /** Runs all or nothing: an error thrown inside leaves the tables as they were. */
  readonly transaction: <T>(run: () => T) => T;
  /** Number of blocks that may be rolled back, and for which balances at a height may be requested. */
  readonly maxRollbackDepth: number;
  readonly storage: RecordStorageOptions;
  /** Called for each change of the chain. */
  readonly follow: FollowChange;
  /** Called within the transaction after a rollback to the tip: readers must not see anything above it. */
  readonly takenBack: (tip: PublishedPosition) => void;
}

/** Applied key block, micro-block or state override. */
export interface ChainCommit {
  /** Row of the tip after the commit. */
  readonly row: BlockRow;
  /** Header of the whole tip. */
  readonly header: SignedHeader;
  /** 0 for the key block, 1, 2, … for its micro-blocks. */
  readonly position: number;
  readonly included: readonly IncludedTransaction[];
  /** Usage of the block limits by the whole tip. */
  readonly usage: BlockUsage;
  readonly overlay: OverlayView;
  /** Rows that follow neither from the overlay nor from the included transactions. */
  readonly more?: readonly RowChange[];
  /** Weights of the accounts that may generate the block, in the order of their index; undefined before feature 25. */
  readonly generatorWeights?: readonly bigint[] | undefined;
  /** Time when the block or micro-block was made or received. */
  readonly nowMs: number;
}

/** Block that has been removed from the chain. */
export interface DroppedBlock extends Block {
  readonly height: number;
  /** State snapshots as in a snapshot file: on a light node, which cannot run the transactions. */
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
  /** Updates of memory for when the open transaction has landed. */
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

  /** Runs one SQLite transaction. When it fails, nothing in memory is ahead of the tables. */
  atomic<T>(run: () => T): T {
    let result: T;
    this.#onceLanded = [];
    try {
      // Rows that a batch has gathered so far survive a failure of this transaction, unless the database rejects them.
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

  /**
   * Writes rows that hold below every commit, as if they had always been there: they are published, and no rollback
   * removes them.
   */
  addBaseRows(rows: () => readonly RowChange[]): void {
    this.atomic(() => this.#store.putBase(rows()));
  }

  /** Writes the rows that a batch has gathered once they are too many for memory. To be called between two blocks. */
  flushIfMany(): void {
    if (this.#store.flushIfMany()) this.#mark();
  }

  #mark(): void {
    this.#store.mark(() => this.#stored.state());
  }

  /** Passes on a change of the chain. To be called last within `atomic`: memory follows once the change has landed. */
  follow(change: ChainChange): void {
    this.#onceLanded.push(this.#follow(change));
  }

  /** Gathers the rows of a commit and advances the view. The next flush writes the rows. */
  commit(step: ChainCommit): void {
    const { row, header, position, included, usage, overlay, more = [], generatorWeights, nowMs } = step;
    const place = { height: row.height, step: position };
    this.#view.assertKnown(overlay.changes);
    // Light nodes request state snapshots from the height on at which headers may prove them.
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
   * Rolls back every commit after the position. To be called within `atomic`.
   * @param left called for each block that is removed whole, highest first, one at a time: a hundred full ones do not
   *   fit into memory
   * @returns the transactions of the micro-blocks that the block at the position loses
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
   * Replaces every commit after the position by the rows of other commits, as if the old ones were rolled back and the
   * new ones committed. To be called within `atomic`.
   * @param moveIn writes the rows, including those to be published
   * @param left as for `rollBack`
   * @returns as `rollBack`
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

  /**
   * Returns the result of `question`, called while every commit after the position is rolled back. Afterwards the chain
   * is as it was, whatever `question` did.
   */
  whileRolledBack<T>(position: CommitPosition, question: () => T): T {
    const answers: T[] = [];
    const undone = new Error("taken back on purpose");
    try {
      this.atomic(() => {
        this.rollBack(position);
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

  #rollbackTo(position: CommitPosition): void {
    this.#store.rollbackTo(position);
    this.#view.refresh();
    const { height, transactionCount } = this.#stored.tip();
    this.#takenBack({ height, transactions: transactionCount });
  }

  /** Drops history and undo records that can no longer be requested. @param heightBefore height of the tip until now */
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

/** Header without the other data of a block: the view holds many headers in memory. */
function signedHeaderOf({ header, signature, id }: SignedHeader): SignedHeader {
  return { header, signature, id };
}
