/**
 * Data of the chain for other nodes: ids of blocks, blocks as bytes, their state snapshots. They are read from the
 * tables and only parsed where necessary.
 * @source Waves: history/History.scala, state/NgState.scala (forgeBlock)
 */
import type { BlockId } from "../../../src/protocol/blocks/block.ts";
import { joinBlock, splitBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { encodeBlockSnapshot } from "../../../src/protocol/messages/block-snapshot.ts";
import { type BlockRow, blockTable } from "../../../src/tables/blocks.ts";
import type { StoredValue } from "../../../src/tables/schema/cell.ts";
import type { StateStore } from "../state/state-store.ts";
import type { StoredChain } from "./stored-chain.ts";

/** A block, or an earlier form of the tip. */
interface Form {
  readonly row: BlockRow;
  /** Number of transactions before the last micro-block of the form; undefined if there is none. */
  readonly transactionsBefore?: number | undefined;
}

export class ServedBlocks {
  readonly #stored: StoredChain;
  readonly #store: StateStore;

  constructor(stored: StoredChain, store: StateStore) {
    this.#stored = stored;
    this.#store = store;
  }

  /** Ids of the last blocks, newest first, down to the last final one: no branch may begin below it. */
  lastIds(count: number): Uint8Array[] {
    return this.#store
      .rows(
        "SELECT id FROM block WHERE height >= ? ORDER BY height DESC LIMIT ?",
        this.#stored.finalizedHeight(),
        count,
      )
      .map(([id]) => bytesOf(id));
  }

  /**
   * Id of the block that has the first known one of the ids, and the ids of at most `count` blocks after it, upwards.
   * @returns no ids if the chain has none of the given ones
   */
  idsAfter(ids: readonly Uint8Array[], count: number): Uint8Array[] {
    const { view } = this.#stored;
    for (const id of ids) {
      const isOfTip = () => this.#stored.findLiquidForm(id) !== undefined;
      const height = view.findHeightOf(id as BlockId) ?? (isOfTip() ? view.height : undefined);
      if (height === undefined) continue;
      const rows = this.#store.rows(
        "SELECT id FROM block WHERE height >= ? ORDER BY height LIMIT ?",
        height,
        count + 1,
      );
      return rows.map(([found]) => bytesOf(found));
    }
    return [];
  }

  /** Block, or earlier form of the tip, in the format of its version. */
  findBlock(id: Uint8Array): Uint8Array | undefined {
    const form = this.#findForm(id);
    if (form === undefined) return undefined;
    const { height, header, transactionCount } = form.row;
    const { chainId } = this.#stored.view.settings;
    const transactions = this.#store
      .rows("SELECT bytes FROM tx WHERE height = ? AND position < ? ORDER BY position", height, transactionCount)
      .map(([bytes]) => bytesOf(bytes));
    return joinBlock({ ...splitBlock(header, chainId), transactions }, chainId);
  }

  /** Payload of the message `blockSnapshot`. */
  findSnapshot(id: Uint8Array): Uint8Array | undefined {
    const form = this.#findForm(id);
    return form && this.#snapshot(id, form.row, 0);
  }

  /** Payload of the message `microBlockSnapshot`. */
  findMicroBlockSnapshot(totalId: Uint8Array): Uint8Array | undefined {
    const form = this.#findForm(totalId);
    if (form?.transactionsBefore === undefined) return undefined;
    return this.#snapshot(totalId, form.row, form.transactionsBefore);
  }

  /** @returns undefined if one of the state snapshots is not stored */
  #snapshot(id: Uint8Array, { height, transactionCount }: BlockRow, from: number): Uint8Array | undefined {
    const snapshots = this.#stored.findStateSnapshots(height, from, transactionCount);
    return snapshots && encodeBlockSnapshot({ blockId: id as BlockId, snapshots });
  }

  #findForm(id: Uint8Array): Form | undefined {
    const { view } = this.#stored;
    const height = view.findHeightOf(id as BlockId);
    if (height !== undefined && height < view.height) {
      // Not through the view, which would cache it.
      const row = this.#store.find(blockTable, { height });
      return row && { row };
    }
    const tip = this.#stored.tip();
    const number = this.#stored.findLiquidForm(id);
    if (number === undefined) return height === undefined ? undefined : { row: tip };
    const row = this.#rowOfForm(number);
    return { row, transactionsBefore: number === 0 ? undefined : this.#rowOfForm(number - 1).transactionCount };
  }

  /** Row of the tip in the form with the number: the next micro-block has overwritten it. */
  #rowOfForm(number: number): BlockRow {
    const tip = this.#stored.tip();
    if (number === this.#stored.microBlockCount()) return tip;
    const overwritten = this.#store.overwrittenBy({ height: tip.height, step: number + 1 });
    const row = overwritten.find(({ table }) => table === blockTable)?.earlier;
    if (row === undefined) throw new Error(`a micro-block of height ${tip.height} has overwritten no block`);
    return row as BlockRow;
  }
}

function bytesOf(value: StoredValue | undefined): Uint8Array {
  return new Uint8Array(value as ArrayBuffer);
}
