/**
 * Marks in the outbox with the state of the chain that the tables show after them. The read model may stop at a mark,
 * and readers then see its state: a mark follows every change of the chain.
 */
import { outboxTable, STATE_MARK } from "../../../src/tables/journal.ts";
import { insertRow, queryRows } from "../../sql/plain-rows.ts";
import type { SqlDatabase } from "../../sql/sql-database.ts";
import { isAfter, type PublishedPosition } from "./published-position.ts";

export interface PublishedState {
  /**
   * Tip's block id (base58), number of its micro-blocks, and first bytes of its signature: after a rollback a block
   * with the same id may come again with another signature.
   */
  readonly version: string;
  readonly epoch: number;
  readonly height: number;
  /** Number of the tip's transactions. */
  readonly transactions: number;
  /** Height of the last final block. */
  readonly finalizedHeight: number;
}

/** Marks the state that the tables show. */
export function markState(sql: SqlDatabase, state: PublishedState): void {
  insertRow(sql, outboxTable, { tableNumber: STATE_MARK, removes: false, rows: JSON.stringify(state) });
}

/** @param entry of the outbox @returns undefined if the entry has rows */
export function markedState(entry: {
  readonly tableNumber: number;
  readonly rows: string;
}): PublishedState | undefined {
  return entry.tableNumber === STATE_MARK ? (JSON.parse(entry.rows) as PublishedState) : undefined;
}

/**
 * Drops the marks after a position, once the chain was rolled back to it: states of removed blocks need not be shown
 * any more. Each of the remaining states follows the one before it, as in the chain.
 */
export function dropMarksAfter(sql: SqlDatabase, position: PublishedPosition): void {
  for (;;) {
    const [newest] = queryRows(sql, outboxTable, "WHERE table_number = ? ORDER BY seq DESC LIMIT 1", STATE_MARK);
    const state = newest && markedState(newest);
    if (newest === undefined || state === undefined || !isAfter(state, position)) return;
    sql.exec("DELETE FROM outbox WHERE seq = ?", newest.seq);
  }
}
