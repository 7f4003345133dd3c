/**
 * Blocks that left the chain, while they may still come back: a branch that grows again is not asked for twice. They are
 * kept beside the chain's own rows, neither journaled nor published, and are bounded in number and size.
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

/** Two branches as deep as forks may be. */
const MAX_BLOCKS = 2 * maxForkDepth;
/** Most blocks have some kB. A branch that comes back is parsed: that takes about ten times as much of 128 MB. */
const MAX_BYTES = 4 * 2 ** 20;
/**
 * A block has 1 MB at most, before feature 3 some more; snapshots of a light node are kept with it or not at all. The rest of the
 * value is for what else is in the row.
 */
const MAX_BLOCK_BYTES = platformLimits.valueBytes - 100_000;

const table = branchBlockTable;

export interface StoredBranchBlock {
  readonly block: Block;
  /** As in a snapshot file; undefined: its transactions are run when it comes back. */
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
   * The kept blocks from above the chain up to the one that is named, lowest first; none where one is missing.
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
   * Keeps a block that leaves the chain. Those of a branch come highest first: they also go first when there are too
   * many, since nothing can be done with what stands above a gap.
   * @returns the block's transactions, read when they are gone through
   */
  store(
    block: Block & { readonly height: number; readonly snapshots?: Uint8Array | undefined },
  ): Iterable<Transaction> {
    const { id, height, snapshots } = block;
    const bytes = encodeBlock(block, this.#chainId);
    if (bytes.length + (snapshots?.length ?? 0) > MAX_BLOCK_BYTES) return block.transactions;
    this.remove([block]);
    // Not as JSON, which doubles bytes: a full block would pass what a value may have.
    insertRow(this.#store.sql, table, { id, height, bytes, leftAt: this.newest() + 1, snapshots });
    return { [Symbol.iterator]: () => (this.find(id)?.block.transactions ?? []).values() };
  }

  /** Number of the block that left last, 0 for none. */
  newest(): number {
    return Number(this.#store.scalar("SELECT MAX(left_at) FROM branch_block") ?? 0);
  }

  /** Lets go blocks that are final or too many. @param spared those that left after this one stay, however many */
  trim(finalizedHeight: number, spared = Number.MAX_SAFE_INTEGER): void {
    this.#store.rows("DELETE FROM branch_block WHERE height <= ? AND left_at <= ?", finalizedHeight, spared);
    this.#store.rows(DROP_OLDEST_SQL, MAX_BLOCKS, MAX_BYTES, spared);
  }

  /** Lets go every block above the height. */
  removeAbove(height: number): void {
    this.#store.rows("DELETE FROM branch_block WHERE height > ?", height);
  }

  /** Lets go blocks that came back into the chain. */
  remove(blocks: readonly Pick<Block, "id">[]): void {
    for (const parameter of parameters(blocks.map(({ id }) => keyText(table, { id }))))
      this.#store.rows(table.removeSql, parameter);
  }
}

/** Those that left first, as far as there are more than ?1, or more than ?2 bytes of them; none after ?3. */
const DROP_OLDEST_SQL = `
  DELETE FROM branch_block WHERE left_at <= ?3 AND left_at IN (
    SELECT left_at FROM (
      SELECT left_at, ROW_NUMBER() OVER newest AS place, SUM(LENGTH(bytes) + COALESCE(LENGTH(snapshots), 0)) OVER newest AS total
      FROM branch_block WINDOW newest AS (ORDER BY left_at DESC)
    ) WHERE place > ?1 OR total > ?2
  )`;
