/**
 * Blocks that were judged to their end in a branch that weighs less so far than the chain: until it weighs more they are not in the
 * chain, and each call writes them again, but does not judge them again. They survive a reset of the object.
 * @see docs/decisions/0071-judging-in-portions.md
 */
import type { BlockId } from "../../src/protocol/blocks/block.ts";
import { finishedBlockTable } from "../../src/tables/finished-blocks.ts";
import { bindCell, type StoredValue } from "../../src/tables/schema/cell.ts";
import type { RowChange } from "../../src/tables/schema/row-change.ts";
import { createSql } from "../../src/tables/schema/schema-text.ts";
import { insertRow, queryRows } from "../state/plain-rows.ts";
import { changesOfText, changesTexts } from "../state/row-changes-text.ts";
import type { StateStore } from "../state/state-store.ts";

/** Of one branch: 140,000 rows, written in 9 s, which leaves a call some of its portion. */
const MAX_CHARACTERS = 32 * 1024 * 1024;
/** One that a block by itself stands on, and one of an extension. */
const MAX_BRANCHES = 2;

/** The branch has more to write before it weighs more than the chain than one call may write. */
export class BranchTooLong extends Error {
  override readonly name = "BranchTooLong";
}

/** Blocks of a branch that one call has judged to their end. */
export class FinishedPart {
  readonly blocks: { readonly id: BlockId; readonly texts: readonly string[] }[] = [];
  readonly #store: StateStore;
  readonly #maxCharacters: number;
  #characters = 0;

  constructor(store: StateStore, maxCharacters: number) {
    this.#store = store;
    this.#maxCharacters = maxCharacters;
  }

  /** Beyond what a branch may have nothing more is taken: memory is bounded, too. @param rows all that the block's step writes */
  take(id: BlockId, rows: readonly RowChange[]): void {
    if (this.#characters > this.#maxCharacters) return;
    const texts = changesTexts(this.#store.tables, rows);
    for (const { length } of texts) this.#characters += length;
    this.blocks.push({ id, texts });
  }
}

const { name } = finishedBlockTable;

export class FinishedBlocks {
  readonly #store: StateStore;
  readonly #maxCharacters: number;
  /** Of the block that was added last; undefined: there is no table. */
  #last: number | undefined;

  /** Goes on with what an earlier one on the same database has left. @param maxCharacters of the rows of one branch */
  constructor(store: StateStore, maxCharacters = MAX_CHARACTERS) {
    this.#store = store;
    this.#maxCharacters = maxCharacters;
    const [found] = this.#rows("SELECT 1 FROM sqlite_master WHERE name = ?", name);
    if (found !== undefined) this.#last = Number(this.#rows(`SELECT MAX(number) FROM ${name}`)[0]?.[0] ?? 0);
  }

  /** An empty one. */
  part(): FinishedPart {
    return new FinishedPart(this.#store, this.#maxCharacters);
  }

  /** Rows of the block's step, in their order. */
  find(id: BlockId): readonly RowChange[] | undefined {
    if (this.#last === undefined) return undefined;
    const pieces = queryRows(this.#store.sql, finishedBlockTable, "WHERE id = ? ORDER BY piece", bindCell(id));
    if (pieces.length === 0) return undefined;
    return pieces.flatMap(({ changes }) => changesOfText(this.#store.tables, changes));
  }

  /**
   * Adds blocks that have not been added. The branch that grew before the last one leaves.
   * @param branch id of its first block
   * @throws BranchTooLong
   */
  add(branch: BlockId, { blocks }: FinishedPart): void {
    if (blocks.length === 0) return;
    let last = this.#last ?? 0;
    this.#store.sql.transaction(() => {
      if (this.#last === undefined) this.#makeTable();
      for (const { id, texts } of blocks) {
        last += 1;
        const row = { id, branch, number: last };
        for (const [piece, changes] of texts.entries())
          insertRow(this.#store.sql, finishedBlockTable, { ...row, piece, changes });
      }
      this.#rows(DROP_OLDEST_SQL, MAX_BRANCHES);
    });
    this.#last = last;
    const [[characters] = []] = this.#rows(
      `SELECT SUM(LENGTH(changes)) FROM ${name} WHERE branch = ?`,
      bindCell(branch),
    );
    if (Number(characters) <= this.#maxCharacters) return;
    this.forget(branch);
    throw new BranchTooLong(`it weighs less than the chain for ${characters} characters of rows`);
  }

  /** To be called when the branch is in the chain, or refused. */
  forget(branch: BlockId): void {
    if (this.#last === undefined) return;
    this.#rows(`DELETE FROM ${name} WHERE branch = ?`, bindCell(branch));
    if (this.#rows(`SELECT 1 FROM ${name} LIMIT 1`).length > 0) return;
    this.#rows(`DROP TABLE ${name}`);
    this.#last = undefined;
  }

  #rows(query: string, ...bindings: StoredValue[]): (readonly StoredValue[])[] {
    return this.#store.sql
      .exec(query, ...bindings)
      .raw()
      .toArray();
  }

  #makeTable(): void {
    for (const statement of createSql(finishedBlockTable, "object")) this.#store.sql.exec(statement);
  }
}

const DROP_OLDEST_SQL = `
  DELETE FROM ${name} WHERE branch NOT IN (
    SELECT branch FROM ${name} GROUP BY branch ORDER BY MAX(number) DESC LIMIT ?)`;
