/**
 * Blocks that left the chain, while they may still come back: a branch that grows again is not asked for twice. They are
 * kept beside the chain's own rows, neither journaled nor published, and are bounded in number and size.
 */
import { bytesKey } from "../../src/crypto/bytes.ts";
import type { Block, BlockId } from "../../src/protocol/blocks/block.ts";
import { encodeBlock, parseBlock } from "../../src/protocol/blocks/parse-block.ts";
import { maxForkDepth } from "../../src/rules/finality/finalized-height.ts";
import { branchBlockTable } from "../../src/tables/branch-blocks.ts";
import { keyText, parameters, rowText } from "../../src/tables/schema/row-text.ts";
import type { StateStore } from "../state/state-store.ts";

/** Two branches as deep as forks may be. */
const MAX_BLOCKS = 2 * maxForkDepth;
/** A block has 1 MB at most; most have some kB. */
const MAX_BYTES = 32 * 2 ** 20;

const table = branchBlockTable;

export class BranchBlocks {
  readonly #store: StateStore;
  readonly #chainId: number;

  constructor(store: StateStore, chainId: number) {
    this.#store = store;
    this.#chainId = chainId;
  }

  find(id: Uint8Array): Block | undefined {
    const row = this.#store.find(branchBlockTable, { id: id as BlockId });
    return row && parseBlock(row.bytes, this.#chainId);
  }

  /**
   * The kept blocks from above the chain up to the one that is named, lowest first; none where one is missing.
   * @param isInChain whether the chain has the block
   */
  pathTo(id: Uint8Array, isInChain: (id: Uint8Array) => boolean): readonly Block[] {
    const path: Block[] = [];
    const seen = new Set<string>();
    for (let next = id; !isInChain(next); ) {
      const block = seen.has(bytesKey(next)) ? undefined : this.find(next);
      if (block === undefined) return [];
      seen.add(bytesKey(next));
      path.unshift(block);
      next = block.header.reference;
    }
    return path;
  }

  /** Keeps blocks that leave the chain, and lets go those that are too deep, too old or too many. */
  keep(blocks: readonly (Block & { readonly height: number })[], finalizedHeight: number): void {
    let leftAt = Number(this.#store.scalar("SELECT MAX(left_at) FROM branch_block") ?? 0);
    const rows = blocks.map((block) => {
      const bytes = encodeBlock(block, this.#chainId);
      return rowText(table, { id: block.id, height: block.height, bytes, leftAt: ++leftAt });
    });
    for (const parameter of parameters(rows)) this.#store.rows(table.writeSql, parameter);
    this.#store.rows("DELETE FROM branch_block WHERE height <= ?", finalizedHeight);
    this.#store.rows(DROP_OLDEST_SQL, MAX_BLOCKS, MAX_BYTES);
  }

  /** Lets go blocks that came back into the chain. */
  remove(blocks: readonly Block[]): void {
    for (const parameter of parameters(blocks.map(({ id }) => keyText(table, { id }))))
      this.#store.rows(table.removeSql, parameter);
  }
}

/** Those that left first, as far as there are more than ?1, or more than ?2 bytes of them. */
const DROP_OLDEST_SQL = `
  DELETE FROM branch_block WHERE left_at IN (
    SELECT left_at FROM (
      SELECT left_at, ROW_NUMBER() OVER newest AS place, SUM(LENGTH(bytes)) OVER newest AS total
      FROM branch_block WINDOW newest AS (ORDER BY left_at DESC)
    ) WHERE place > ?1 OR total > ?2
  )`;
