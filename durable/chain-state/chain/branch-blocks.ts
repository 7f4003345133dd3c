/**
 * Blocks that left the chain, while they may still return: a branch that grows again is not requested twice. They are
 * stored beside the chain's own rows, neither journaled nor published, and are bounded in number and size.
 */
import { bytesKey } from "../../../src/crypto/bytes.ts";
import { platformLimits } from "../../../src/platform/limits.ts";
import type { Block, BlockId } from "../../../src/protocol/blocks/block.ts";
import { encodeBlock, parseBlock } from "../../../src/protocol/blocks/parse-block.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { maxForkDepth } from "../../../src/rules/finality/finalized-height.ts";
import { branchBlockTable } from "../../../src/tables/branch-blocks.ts";
import { keyText, parameters } from "../../../src/tables/schema/row-text.ts";
import { insertRow } from "../../sql/plain-rows.ts";
import type { StateStore } from "../state/state-store.ts";

/** Maximum number of blocks: two branches of the maximum fork depth. */
const MAX_BLOCKS = 2 * maxForkDepth;
/**
 * Maximum size of all blocks and snapshots. Most blocks have some kB. A branch that returns is parsed, which takes
 * about ten times as much of the 128 MB.
 */
const MAX_BYTES = 4 * 2 ** 20;
/**
 * Maximum size of a block with its snapshots. A block has 1 MB at most, before feature 3 some more; a light node stores
 * it with its snapshots or not at all. The rest of the value is for the other columns of the row.
 */
const MAX_BLOCK_BYTES = platformLimits.valueBytes - 100_000;

const table = branchBlockTable;

export interface StoredBranchBlock {
  readonly block: Block;
  /** Record as in a snapshot file; undefined: the transactions are run when the block returns to the chain. */
  readonly snapshots: Uint8Array | undefined;
}

export class BranchBlocks {
  readonly #store: StateStore;
  readonly #chainId: number;

  constructor(store: StateStore, chainId: number) {
    this.#store = store;
    this.#chainId = chainId;
  }

  find(id: Uint8Array): StoredBranchBlock | undefined {
    const row = this.#store.find(table, { id: id as BlockId });
    return row && { block: parseBlock(row.bytes, this.#chainId), snapshots: row.snapshots };
  }

  /**
   * Stored blocks from above the chain up to the one with the id, lowest first; none if one is missing.
   * @param isInChain whether the chain has the block
   */
  pathTo(id: Uint8Array, isInChain: (id: Uint8Array) => boolean): readonly StoredBranchBlock[] {
    const path: StoredBranchBlock[] = [];
    const seen = new Set<string>();
    for (let next = id; !isInChain(next); ) {
      const kept = seen.has(bytesKey(next)) ? undefined : this.find(next);
      if (kept === undefined) return [];
      seen.add(bytesKey(next));
      path.unshift(kept);
      next = kept.block.header.reference;
    }
    return path;
  }

  /**
   * Stores a block that leaves the chain. The blocks of a branch come highest first. Beyond the maximum they are
   * dropped in the same order, since blocks above a gap are of no use.
   * @returns the block's transactions, read from the table on iteration
   */
  store(
    block: Block & { readonly height: number; readonly snapshots?: Uint8Array | undefined },
  ): Iterable<Transaction> {
    const { id, height, snapshots } = block;
    const bytes = encodeBlock(block, this.#chainId);
    if (bytes.length + (snapshots?.length ?? 0) > MAX_BLOCK_BYTES) return block.transactions;
    this.remove([block]);
    // Not as JSON, which doubles bytes: a full block would exceed the maximum size of a value.
    insertRow(this.#store.sql, table, { id, height, bytes, leftAt: this.newest() + 1, snapshots });
    return { [Symbol.iterator]: () => (this.find(id)?.block.transactions ?? []).values() };
  }

  /** Number of the block that left the chain last, 0 if there is none. */
  newest(): number {
    return Number(this.#store.scalar("SELECT MAX(left_at) FROM branch_block") ?? 0);
  }

  /** Drops blocks that are final or too many. @param spared blocks that left after this one stay, however many */
  trim(finalizedHeight: number, spared = Number.MAX_SAFE_INTEGER): void {
    this.#store.rows("DELETE FROM branch_block WHERE height <= ? AND left_at <= ?", finalizedHeight, spared);
    this.#store.rows(DROP_OLDEST_SQL, MAX_BLOCKS, MAX_BYTES, spared);
  }

  /** Drops all blocks above the height. */
  removeAbove(height: number): void {
    this.#store.rows("DELETE FROM branch_block WHERE height > ?", height);
  }

  /** Drops blocks that have returned to the chain. */
  remove(blocks: readonly Pick<Block, "id">[]): void {
    for (const parameter of parameters(blocks.map(({ id }) => keyText(table, { id }))))
      this.#store.rows(table.removeSql, parameter);
  }
}

/** Drops the blocks that left first beyond ?1 blocks or ?2 bytes; none of those that left after number ?3. */
const DROP_OLDEST_SQL = `
  DELETE FROM branch_block WHERE left_at <= ?3 AND left_at IN (
    SELECT left_at FROM (
      SELECT left_at, ROW_NUMBER() OVER newest AS place, SUM(LENGTH(bytes) + COALESCE(LENGTH(snapshots), 0)) OVER newest AS total
      FROM branch_block WINDOW newest AS (ORDER BY left_at DESC)
    ) WHERE place > ?1 OR total > ?2
  )`;
