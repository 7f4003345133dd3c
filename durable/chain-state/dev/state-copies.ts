/**
 * Copies of the chain's whole state in the object's own database: they allow a revert beyond every rollback window.
 * Only rows that differ from the present state are written and published.
 */
import { tablesOf } from "../../../src/tables/all-tables.ts";
import { forkFactTable } from "../../../src/tables/fork.ts";
import { metaTable } from "../../../src/tables/meta.ts";
import type { JsonCell, StoredValue } from "../../../src/tables/schema/cell.ts";
import { keyOfCells, keyText, rowOfCells, rowText } from "../../../src/tables/schema/row-text.ts";
import { bindKey, readKey, readRow } from "../../../src/tables/schema/stored-row.ts";
import type { Row, Table } from "../../../src/tables/schema/table.ts";
import { openForkTables } from "../fork/known-remote-state.ts";
import type { PublishedPosition } from "../state/published-position.ts";
import type { StateStore } from "../state/state-store.ts";
import { type CopiedTable, copiedTable, type PagedSql, type SizedSql } from "./copied-table.ts";
import { nonStateTables } from "./non-state-tables.ts";

/** Maximum of rows in one read. */
const READ_ROWS = 50;
/** Approximate maximum of characters of one read's rows as text; a single row may have more. */
export const READ_CHARACTERS = 500_000;

/**
 * Tables of the object that are state of the chain; on a fork also those with the state known from the live network.
 */
export const copiedTables: readonly CopiedTable[] = [...tablesOf.object, forkFactTable]
  .filter((table) => !nonStateTables.has(table))
  .map(copiedTable);

const blockCopies = copiedTables.find(({ table }) => table.name === "block") as CopiedTable;
const metaCopies = copiedTables.find(({ table }) => table === metaTable) as CopiedTable;

const COPIED_META_SQL = `SELECT value FROM ${metaCopies.name} WHERE copy_number = ? AND name = ?`;

/** Last position up to which two states have the same blocks. */
const COMMON_POSITION_SQL = `
  SELECT block.height, block.transaction_count FROM block JOIN ${blockCopies.name} AS copied
    ON copied.copy_number = ? AND copied.height = block.height AND copied.id = block.id
  ORDER BY block.height DESC LIMIT 1`;

/** The timestamp is any 64-bit number, since it was loaded. */
const TIP_SQL = `SELECT height, CAST(timestamp AS TEXT) FROM ${blockCopies.name} WHERE copy_number = ?
  ORDER BY height DESC LIMIT 1`;

/** Number of a copy's blocks between two heights, and whether the first one is the chain's. */
const BLOCKS_SQL = `
  SELECT COUNT(*), COUNT(block.height) FROM ${blockCopies.name} AS copied
    LEFT JOIN block ON block.height = ?2 AND copied.height = ?2 AND block.id = copied.id
  WHERE copied.copy_number = ?1 AND copied.height BETWEEN ?2 AND ?3`;

/** Rows of a table of a copy. */
export interface CopiedRows {
  /** Each in the form of `rowText`. */
  readonly rows: readonly string[];
  /** Key of the last row in the form of `keyText`; undefined: there are no more. */
  readonly upTo: string | undefined;
}

export class StateCopies {
  readonly #store: StateStore;

  constructor(store: StateStore) {
    this.#store = store;
  }

  /**
   * Creates the tables of copies. Those of another release are replaced by empty ones.
   * @returns whether they are new
   */
  open(): boolean {
    const { sql } = this.#store;
    openForkTables(sql);
    const found = new Map(
      this.#store.rows("SELECT name, sql FROM sqlite_master WHERE type = 'table'") as [string, string][],
    );
    if (copiedTables.every(({ name, createSql }) => found.get(name) === createSql)) return false;
    sql.transaction(() => {
      for (const { name, createSql } of copiedTables) {
        sql.exec(`DROP TABLE IF EXISTS ${name}`);
        sql.exec(createSql);
      }
    });
    return true;
  }

  /** Copies every table. */
  create(copy: number): void {
    this.#forAll(({ copySql }) => copySql, copy);
  }

  /** Deletes a copy. */
  drop(copy: number): void {
    this.#forAll(({ dropSql }) => dropSql, copy);
  }

  /**
   * Restores the tables from a copy, and writes the differences of published tables to the outbox. To be called in a
   * transaction; no rows may be cached.
   */
  restore(copy: number): void {
    for (const copied of copiedTables) {
      if (copied.table.published) this.#restorePublished(copied, copy);
      else for (const sql of [copied.removeSurplusSql, copied.writeOtherSql]) this.#store.rows(sql, copy);
    }
  }

  /** Last position that the chain has in common with a copy. */
  commonPosition(copy: number): PublishedPosition {
    const [[height, transactions] = [0, 0]] = this.#store.rows(COMMON_POSITION_SQL, copy);
    return { height: Number(height), transactions: Number(transactions) };
  }

  /** Last block of a copy; undefined if it has none. */
  tipOf(copy: number): { readonly height: number; readonly timestampMs: number } | undefined {
    const [tip] = this.#store.rows(TIP_SQL, copy);
    return tip && { height: Number(tip[0]), timestampMs: Number(tip[1]) };
  }

  /** Whether a copy has every block between two heights, and the first of them is the chain's. */
  hasBlocks(copy: number, fromHeight: number, toHeight: number): boolean {
    const [[count, sameAtFirst] = [0, 0]] = this.#store.rows(BLOCKS_SQL, copy, fromHeight, toHeight);
    return count === toHeight - fromHeight + 1 && sameAtFirst === 1;
  }

  /** Value in a copy's metadata. */
  findMeta(copy: number, name: string): string | undefined {
    const [[value] = []] = this.#store.rows(COPIED_META_SQL, copy, name);
    return value as string | undefined;
  }

  /**
   * Next rows of a table, in the order of the key.
   * @param after `keyText` of the row before them
   * @param characters approximate maximum; there is always at least one row
   */
  read(copy: number, { table, rows }: CopiedTable, after: string | undefined, characters: number): CopiedRows {
    const key = after === undefined ? undefined : keyOfCells(table, JSON.parse(after) as JsonCell[]);
    const page = this.#sizedPage(table, key, rows, copy, characters);
    const found = page.rows.map((values) => readRow(table, values));
    const last = page.isLast ? undefined : found.at(-1);
    return { rows: found.map((row) => rowText(table, row)), upTo: last && keyText(table, last) };
  }

  /**
   * Adds rows to a copy.
   * @param rows JSON array of `rowText`
   * @throws StoredValueError, TypeError, the database's error: no valid rows of the table, or already present
   */
  add(copy: number, { table, addSql }: CopiedTable, rows: readonly JsonCell[][]): void {
    for (const row of rows) rowOfCells(table, row);
    this.#store.rows(addSql, copy, JSON.stringify(rows));
  }

  #forAll(sqlOf: (table: CopiedTable) => string, copy: number): void {
    this.#store.sql.transaction(() => {
      for (const copied of copiedTables) this.#store.rows(sqlOf(copied), copy);
    });
  }

  /** Removals come first: a new row may take the value of a removed one in a unique index. */
  #restorePublished({ table, surplus, other }: CopiedTable, copy: number): void {
    const goneKeys = (after: Row | undefined): Page => {
      const rows = this.#page(table, after, surplus, copy, READ_ROWS);
      return { rows, isLast: rows.length < READ_ROWS };
    };
    for (const keys of pages(goneKeys, (values) => readKey(table, values) as Row))
      this.#write(keys.map((row) => ({ table, row, removed: true as const })));
    const otherRows = (after: Row | undefined) => this.#sizedPage(table, after, other, copy, READ_CHARACTERS);
    for (const rows of pages(otherRows, (values) => readRow(table, values)))
      this.#write(rows.map((row) => ({ table, row })));
  }

  #write(changes: Parameters<StateStore["gatherUnjournaled"]>[0]): void {
    this.#store.gatherUnjournaled(changes);
    this.#store.flush();
  }

  /** Reads as many of the next rows as fit into the number of characters, and at least one. */
  #sizedPage(table: Table, after: Row | undefined, sql: SizedSql, copy: number, characters: number): Page {
    const sizes = this.#page(table, after, sql.sizes, copy, READ_ROWS).map(([size]) => Number(size));
    let [size = 0] = sizes;
    let count = Math.min(1, sizes.length);
    for (; count < sizes.length; count++) {
      size += sizes[count] as number;
      if (size > characters) break;
    }
    // PERF: if no row differs, the table is not compared a second time.
    const rows = count === 0 ? [] : this.#page(table, after, sql, copy, count);
    return { rows, isLast: count === sizes.length && count < READ_ROWS };
  }

  #page(table: Table, after: Row | undefined, { first, next }: PagedSql, copy: number, atMost: number) {
    return after === undefined
      ? this.#store.rows(first, copy, atMost)
      : this.#store.rows(next, ...bindKey(table, after), copy, atMost);
  }
}

interface Page {
  readonly rows: readonly (readonly StoredValue[])[];
  readonly isLast: boolean;
}

/** Pages in sequence. */
function* pages(
  pageAfter: (after: Row | undefined) => Page,
  read: (values: readonly StoredValue[]) => Row,
): Iterable<readonly Row[]> {
  for (let last: Row | undefined, isAll = false; !isAll; ) {
    const { rows, isLast } = pageAfter(last);
    const found = rows.map(read);
    if (found.length > 0) yield found;
    isAll = isLast;
    last = found.at(-1);
  }
}
