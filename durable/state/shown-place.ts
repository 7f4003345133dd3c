/** Up to where the read model shows the chain's transactions: those behind it are found nowhere but in ChainState. */
import type { SqlDatabase } from "./sql-database.ts";

/** A place between two transactions of the chain. */
export interface ShownPlace {
  readonly height: number;
  /** Number of transactions before it in the block at the height. */
  readonly transactions: number;
}

/** To be called when the chain was taken back: what comes behind the tip from now on is not shown. */
export function takeBackShown(sql: SqlDatabase, { height, transactions }: ShownPlace): void {
  for (const place of ["shown", "coming"])
    sql.exec(
      `UPDATE publication SET ${place}_height = ?1, ${place}_transactions = ?2
       WHERE (${place}_height, ${place}_transactions) > (?1, ?2)`,
      height,
      transactions,
    );
}
