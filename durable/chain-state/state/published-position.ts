/** Up to where the read model shows the chain's transactions: those behind it are found nowhere but in ChainState. */
import type { SqlDatabase } from "../../sql/sql-database.ts";

/** A place between two transactions of the chain. */
export interface PublishedPosition {
  readonly height: number;
  /** Number of transactions before it in the block at the height. */
  readonly transactions: number;
}

/** Whether one place comes after another. */
export function isAfter(place: PublishedPosition, other: PublishedPosition): boolean {
  return place.height === other.height ? place.transactions > other.transactions : place.height > other.height;
}

/** To be called when the chain was taken back: what comes behind the tip from now on is not shown. */
export function rollBackPublished(sql: SqlDatabase, { height, transactions }: PublishedPosition): void {
  for (const table of ["publication", "sent_batch"])
    sql.exec(
      `UPDATE ${table} SET shown_height = ?1, shown_transactions = ?2
       WHERE (shown_height, shown_transactions) > (?1, ?2)`,
      height,
      transactions,
    );
}
