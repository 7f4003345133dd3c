/** Table `chain`: which state the other tables show. */
import { chainTable } from "../tables/chain.ts";
import { columnsOf } from "./columns.ts";
import { type Query, query } from "./query.ts";

const columns = columnsOf(chainTable, ["version", "epoch", "height"]);

/** Which state the read model shows. */
export type Chain = ReturnType<typeof columns.read>;

/** How far a fork may reach back: a block so far below the tip is final (before feature 25). */
export const maxForkDepth = 100;

/** undefined before the first publication. */
export const chainQuery: Query<Chain | undefined> = query(
  `SELECT ${columns.sql} FROM chain WHERE id = 1`,
  [],
  ([row]) => row && columns.read(row),
);

export function isFinal(height: number, chain: Chain): boolean {
  return height <= chain.height - maxForkDepth;
}

/** Names a state of the chain; two answers with the same tag are equal. */
export function stateTag(chain: Chain): string {
  return `${chain.epoch}.${chain.version}`;
}
