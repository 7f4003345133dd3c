/** Read access to the chain in the tables: blocks, the micro-blocks of the tip, their transactions. */
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { type BytesKey, bytesKey } from "../../../src/crypto/bytes.ts";
import type { Block, BlockId } from "../../../src/protocol/blocks/block.ts";
import { BlockVersion } from "../../../src/protocol/blocks/block-version.ts";
import { parseSignedTransaction, parseTransaction } from "../../../src/protocol/transactions/parse-transaction.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { finalizedHeight } from "../../../src/rules/finality/finalized-height.ts";
import { type BlockRow, microBlockTable } from "../../../src/tables/blocks.ts";
import { bindCell, type StoredValue } from "../../../src/tables/schema/cell.ts";
import type { TableView } from "../../../src/tables/view/table-view.ts";
import type { PublishedState } from "../state/published-state.ts";
import type { StateStore } from "../state/state-store.ts";

/** Name of the stored finalized height, which exists once the tip has been higher than it is. */
export const FINALIZED_HEIGHT = "finalizedHeight";

/** Name of the stored value of `StoredChain.epoch`. */
export const EPOCH = "epoch";

/** Bytes of a signature that tell it from others of the same header: each is made with other random numbers. */
const NAMING_BYTES = 6;

/** Form that the tip has or had: the key block alone, or with its first micro-blocks. */
export interface LiquidForm {
  /** Total block id. */
  readonly id: BlockId;
  /** Time when the form was made or received. */
  readonly timestampMs: number;
}

/** Lengths are summed first, so that no snapshots beyond the limit are read. */
const LAST_STATE_SNAPSHOTS_SQL = `
  SELECT id, snapshot FROM tx WHERE height = ?1 AND snapshot IS NOT NULL AND position >= (
    SELECT MIN(position) FROM (
      SELECT position, SUM(LENGTH(snapshot)) OVER (ORDER BY position DESC) AS total FROM tx WHERE height = ?1
    ) WHERE total <= ?2
  )`;

const STATE_SNAPSHOTS_SQL =
  "SELECT snapshot FROM tx WHERE height = ? AND position >= ? AND position < ? ORDER BY position";

const LIQUID_FORM_SQL = "SELECT MAX(position) FROM micro_block WHERE height = ? AND total_block_id = ?";

const NEWEST_MICRO_BLOCK_SQL =
  "SELECT timestamp FROM micro_block WHERE height = ? AND position > 0 ORDER BY position DESC LIMIT 1";

const MICRO_BLOCKS_UNTIL_SQL = "SELECT COUNT(*) FROM micro_block WHERE height = ? AND position > 0 AND timestamp <= ?";

export class StoredChain {
  readonly view: TableView;
  readonly #store: StateStore;

  constructor(view: TableView, store: StateStore) {
    this.view = view;
    this.#store = store;
  }

  /** Row of the tip. */
  tip(): BlockRow {
    return this.rowAt(this.view.height);
  }

  rowAt(height: number): BlockRow {
    const row = this.view.findBlockRow(height);
    if (row === undefined) throw new Error(`no block is known at height ${height}`);
    return row;
  }

  /**
   * Height of the last block that no fork and no rollback removes, and no micro-block extends. It never falls, except
   * by a forced `ForkChoice.revertTo`.
   * @source docs/protocol/consensus-and-finality.md 3.8, 3.11
   */
  finalizedHeight(): number {
    return Math.max(this.votedHeight(), Number(this.#store.findMeta(FINALIZED_HEIGHT) ?? 1));
  }

  /**
   * Height that the current chain makes final: the same on every node that has the chain. Generators endorse it. If the
   * node was on another branch before, more may be final for this node.
   */
  votedHeight(): number {
    const { height } = this.view;
    // The tip's own voting takes effect once a block follows: until then another block may replace the tip.
    return finalizedHeight(height, this.view.storedFinalizedHeight(height - 1));
  }

  /** Number that grows when an owner rolls back a final block: data published about it before is void. */
  epoch(): number {
    return Number(this.#store.findMeta(EPOCH) ?? 0);
  }

  /** State of the tables, as readers see it. */
  state(): PublishedState {
    const { id, height, transactionCount } = this.tip();
    const signature = this.view.findHeader(height)?.signature ?? new Uint8Array();
    return {
      version: `${encodeBase58(id)}:${this.microBlockCount()}:${encodeBase58(signature.subarray(0, NAMING_BYTES))}`,
      epoch: this.epoch(),
      height,
      transactions: transactionCount,
      finalizedHeight: this.finalizedHeight(),
    };
  }

  /** Whether the tip is final: nothing extends or replaces it. */
  isTipFinal(): boolean {
    return this.view.height <= this.finalizedHeight();
  }

  /** Transactions of the block at the height, in order. */
  *transactionsAt(height: number): Iterable<Transaction> {
    const version = this.view.findHeader(height)?.header.version ?? 0;
    const { chainId } = this.view.settings;
    const parse = version >= BlockVersion.Protobuf ? parseSignedTransaction : parseTransaction;
    for (const { bytes } of this.view.transactionsAt(height)) yield parse(bytes, chainId);
  }

  /**
   * State snapshots of the tip's last transactions in wire form, by transaction id: at most `maxBytes` together. Those
   * that are not stored are missing.
   */
  stateSnapshotsOfTip(maxBytes: number): ReadonlyMap<BytesKey, Uint8Array> {
    const rows = this.#store.rows(LAST_STATE_SNAPSHOTS_SQL, this.view.height, maxBytes);
    const bytesOf = (value: StoredValue | undefined) => new Uint8Array(value as ArrayBuffer);
    return new Map(rows.map(([id, snapshot]) => [bytesKey(bytesOf(id)), bytesOf(snapshot)]));
  }

  /**
   * State snapshots of transactions of the block at the height, from position `from` up to position `to`, exclusive.
   * @returns undefined if one of them is not stored
   */
  findStateSnapshots(height: number, from: number, to: number): readonly Uint8Array[] | undefined {
    const rows = this.#store.rows(STATE_SNAPSHOTS_SQL, height, from, to);
    if (rows.some(([snapshot]) => snapshot === null)) return undefined;
    return rows.map(([snapshot]) => new Uint8Array(snapshot as ArrayBuffer));
  }

  /** The whole block at the height, as the network has it. */
  findBlock(height: number): Block | undefined {
    const header = this.view.findHeader(height);
    return header && { ...header, transactions: [...this.transactionsAt(height)] };
  }

  /** Number of micro-blocks of the tip. */
  microBlockCount(): number {
    return Number(this.#store.scalar("SELECT MAX(position) FROM micro_block WHERE height = ?", this.view.height) ?? 0);
  }

  /**
   * Number of the last form of the tip with the id, 0 for the key block alone. A state override does not change the id.
   */
  findLiquidForm(id: Uint8Array): number | undefined {
    const position = this.#store.scalar(LIQUID_FORM_SQL, this.view.height, bindCell(id));
    return position === undefined || position === null ? undefined : Number(position);
  }

  /** Time when the tip's newest micro-block was made or received, ms; undefined if the tip has none. */
  lastMicroBlockMs(): number | undefined {
    const newest = this.#store.scalar(NEWEST_MICRO_BLOCK_SQL, this.view.height);
    return newest === undefined || newest === null ? undefined : Number(newest);
  }

  /** Number of micro-blocks of the tip that were made or received up to the time. @param timestampMs inclusive */
  microBlocksUntil(timestampMs: number): number {
    return Number(this.#store.scalar(MICRO_BLOCKS_UNTIL_SQL, this.view.height, timestampMs));
  }

  /** Forms of the tip, oldest first: 0 is the key block alone. */
  liquidForms(): readonly LiquidForm[] {
    return this.#store
      .query(microBlockTable, "WHERE height = ? ORDER BY position", this.view.height)
      .map(({ totalBlockId, timestamp }) => ({ id: totalBlockId, timestampMs: timestamp }));
  }
}
