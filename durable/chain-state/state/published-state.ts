/**
 * Which state of the chain the tables show behind a place in the outbox. Where one is marked the read model may stop, and
 * readers see that state: a mark stands behind every change of the chain.
 */
import { outboxTable, STATE_MARK } from "../../../src/tables/journal.ts";
import { insertRow, queryRows } from "../../sql/plain-rows.ts";
import type { SqlDatabase } from "../../sql/sql-database.ts";
import { isAfter, type PublishedPosition } from "./published-position.ts";

export interface PublishedState {
  /**
   * Tip's block id (base58), number of its micro-blocks, and how its signature begins: after a rollback a block of the same id may
   * come anew, signed anew.
   */
  readonly version: string;
  readonly epoch: number;
  readonly height: number;
  /** Number of the tip's transactions. */
  readonly transactions: number;
  /** Height of the last final block. */
  readonly finalizedHeight: number;
}

/** Says that the tables show the state. */
export function markState(sql: SqlDatabase, state: PublishedState): void {
  insertRow(sql, outboxTable, { tableNumber: STATE_MARK, removes: false, rows: JSON.stringify(state) });
}

/** @param entry an outbox entry @returns undefined where it is rows */
export function markedState(entry: {
  readonly tableNumber: number;
  readonly rows: string;
}): PublishedState | undefined {
  return entry.tableNumber === STATE_MARK ? (JSON.parse(entry.rows) as PublishedState) : undefined;
}

/**
 * To be called when the chain was taken back: states of blocks that are gone need not be shown any more. Of what is left
 * each one stands on the one before, as the chain does.
 */
export function dropMarksAfter(sql: SqlDatabase, place: PublishedPosition): void {
  for (;;) {
    const [newest] = queryRows(sql, outboxTable, "WHERE table_number = ? ORDER BY seq DESC LIMIT 1", STATE_MARK);
    const state = newest && markedState(newest);
    if (newest === undefined || state === undefined || !isAfter(state, place)) return;
    sql.exec("DELETE FROM outbox WHERE seq = ?", newest.seq);
  }
}
