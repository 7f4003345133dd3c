/** Position up to which the read model shows the chain's transactions: later ones are only in ChainState. */
import type { SqlDatabase } from "../../sql/sql-database.ts";

/** Position between two transactions of the chain. */
export interface PublishedPosition {
  readonly height: number;
  /** Number of transactions before it in the block at the height. */
  readonly transactions: number;
}

/** Whether one position comes after another. */
export function isAfter(position: PublishedPosition, other: PublishedPosition): boolean {
  return position.height === other.height ? position.transactions > other.transactions : position.height > other.height;
}

/** Lowers published positions to the tip after a rollback: transactions that follow the tip are not shown yet. */
export function rollBackPublished(sql: SqlDatabase, { height, transactions }: PublishedPosition): void {
  for (const table of ["publication", "sent_batch"])
    sql.exec(
      `UPDATE ${table} SET shown_height = ?1, shown_transactions = ?2
       WHERE (shown_height, shown_transactions) > (?1, ?2)`,
      height,
      transactions,
    );
}
