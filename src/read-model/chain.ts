/** Table `chain`: which state the other tables show. */
import { chainTable } from "../tables/chain.ts";
import { columnsOf } from "./columns.ts";
import { type Query, query } from "./query.ts";

const columns = columnsOf(chainTable, ["version", "epoch", "height", "finalizedHeight"]);

/** Which state the read model shows. */
export type Chain = ReturnType<typeof columns.read>;

/** undefined before the first publication. */
export const chainQuery: Query<Chain | undefined> = query(
  `SELECT ${columns.sql} FROM chain WHERE id = 1`,
  [],
  ([row]) => row && columns.read(row),
);

/**
 * Whether the block at the height never changes any more. Not even the genesis block of a chain that has no other final
 * one: such chains are thrown away and begun anew.
 */
export function isFinal(height: number, { finalizedHeight }: Chain): boolean {
  return height <= finalizedHeight && finalizedHeight > 1;
}

/** Names a state of the chain; two answers with the same tag are equal. */
export function stateTag(chain: Chain): string {
  return `${chain.epoch}.${chain.version}`;
}
