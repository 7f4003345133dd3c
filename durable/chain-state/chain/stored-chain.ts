/** The chain as the tables hold it: blocks, the micro-blocks of the tip, their transactions. Reads only. */
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

/** Name of the value that the store keeps once the tip has been higher than it is. */
export const FINALIZED_HEIGHT = "finalizedHeight";

/** Name of the value that the store keeps of `StoredChain.epoch`. */
export const EPOCH = "epoch";

/** Of a signature, to tell it from others of the same header: each is made with other random numbers. */
const NAMING_BYTES = 6;

/** A form that the tip has had: the key block alone, or with its first micro-blocks. */
export interface LiquidForm {
  /** Total block id. */
  readonly id: BlockId;
  /** When it was made or received. */
  readonly timestampMs: number;
}

/** Lengths are summed first, so that no longer ones are read. */
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
   * Height of the last block that no fork and no rollback takes back, and no micro-block extends. It never falls, save by
   * `ForkChoice.revertTo` on purpose.
   * @source docs/protocol/consensus-and-finality.md 3.8, 3.11
   */
  finalizedHeight(): number {
    return Math.max(this.votedHeight(), Number(this.#store.findMeta(FINALIZED_HEIGHT) ?? 1));
  }

  /**
   * What the chain as it is makes final: the same on every node that has it, and what generators endorse. Once the node was on another
   * branch, more may be final for it.
   */
  votedHeight(): number {
    const { height } = this.view;
    // What the tip's own voting finalizes it does once a block follows: until then another one may take its place.
    return finalizedHeight(height, this.view.storedFinalizedHeight(height - 1));
  }

  /** Grows when a final block is taken back on purpose: what was said of it before holds no more. */
  epoch(): number {
    return Number(this.#store.findMeta(EPOCH) ?? 0);
  }

  /** What the tables show, as readers know it. */
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

  /** Whether the tip is as it will always be: nothing extends it and nothing takes its place. */
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
   * Change sets of the tip's last transactions in wire form, by their ids: as many as have so many bytes together. Those that
   * are not kept are missing.
   */
  stateSnapshotsOfTip(maxBytes: number): ReadonlyMap<BytesKey, Uint8Array> {
    const rows = this.#store.rows(LAST_STATE_SNAPSHOTS_SQL, this.view.height, maxBytes);
    const bytesOf = (value: StoredValue | undefined) => new Uint8Array(value as ArrayBuffer);
    return new Map(rows.map(([id, snapshot]) => [bytesKey(bytesOf(id)), bytesOf(snapshot)]));
  }

  /**
   * Change sets of transactions of the block at the height, from a place on, up to another one.
   * @returns undefined where one of them is not kept
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

  /** Number of the tip's form with that id, 0 being the key block alone: the last one, since an edit leaves the id as it is. */
  findLiquidForm(id: Uint8Array): number | undefined {
    const position = this.#store.scalar(LIQUID_FORM_SQL, this.view.height, bindCell(id));
    return position === undefined || position === null ? undefined : Number(position);
  }

  /** When the tip's newest micro-block was made or received, ms; undefined: it has none. */
  lastMicroBlockMs(): number | undefined {
    const newest = this.#store.scalar(NEWEST_MICRO_BLOCK_SQL, this.view.height);
    return newest === undefined || newest === null ? undefined : Number(newest);
  }

  /** Micro-blocks of the tip that were made or received by then. @param timestampMs inclusive */
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
