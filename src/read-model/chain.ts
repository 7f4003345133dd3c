/** Table `chain`: which state the other tables show. */
import type { BlockchainSettings } from "../network/settings.ts";
import { chainTable, genesisOf, genesisText, historyFromOf, REST_OF_STATE } from "../tables/chain.ts";
import { columnsOf, type ResultRow } from "./columns.ts";
import { type Query, query, type Statement } from "./query.ts";
import { ReadModelUnavailable } from "./read-model-unavailable.ts";

const columns = columnsOf(chainTable, [
  "version",
  "epoch",
  "height",
  "finalizedHeight",
  "identity",
  "sequence",
  "isWhole",
  "progress",
]);

/** What the read model says of itself. */
export type ChainRow = ReturnType<typeof columns.read>;

/** Which state the read model shows. */
export type Chain = Omit<ChainRow, "isWhole" | "progress">;

/** What tells a chain from others that may stand in its place. */
export type ChainName = Pick<Chain, "identity" | "epoch">;

/** undefined before the first publication. */
export const chainQuery: Query<ChainRow | undefined> = query(
  `SELECT ${columns.sql} FROM chain WHERE id = 1`,
  [],
  ([row]) => row && columns.read(row),
);

/** A point query and the row of the chain as one statement. */
export interface PointWithChain<Value> extends Statement {
  readonly row: (rows: readonly ResultRow[]) => ChainRow | undefined;
  readonly value: (rows: readonly ResultRow[]) => Value;
}

/** Most of what D1 takes for a point query it takes for the statement: so one does for both. */
export function withChain<Value>({ sql, bindings, decode }: Query<Value>): PointWithChain<Value> {
  return {
    sql: `SELECT ${columns.sql}, found.* FROM chain LEFT JOIN (SELECT 1 AS is_found, asked.* FROM (${sql}) asked) found ON TRUE
     WHERE chain.id = 1`,
    bindings,
    row: chainQuery.decode,
    value: (rows) => decode(rows.filter(({ is_found }) => is_found !== null)),
  };
}

/**
 * The state that was read with the row.
 * @param settings of the chain that is to be read
 * @throws ReadModelUnavailable when the tables show no state, parts of several, or one of another chain
 */
export function readableChain(row: ChainRow | undefined, settings: Pick<BlockchainSettings, "genesis">): Chain {
  const isUnpublished = true;
  if (row === undefined) throw new ReadModelUnavailable("no state of the chain is published yet", { isUnpublished });
  const { isWhole, progress, ...chain } = row;
  if (chain.identity === "")
    throw new ReadModelUnavailable("the database is of an earlier release, and is about to be written anew", {
      isUnpublished,
    });
  if (genesisOf(chain.identity) !== genesisText(settings))
    throw new ReadModelUnavailable(`the database shows another chain: ${chain.identity}`, { isUnpublished });
  if (!isWhole)
    throw new ReadModelUnavailable("the database shows no whole state", {
      progress,
      isBetweenStates: progress === REST_OF_STATE,
    });
  return chain;
}

/**
 * Whether the block at the height never changes any more. Not even the genesis block of a chain that has no other final
 * one: such chains are thrown away and begun anew.
 */
export function isFinal(height: number, { finalizedHeight }: Chain): boolean {
  return height <= finalizedHeight && finalizedHeight > 1;
}

/** Height of the first block that the node has: 1, save of one that began with a checkpoint. */
export function firstHeight({ identity }: Pick<Chain, "identity">): number {
  return historyFromOf(identity);
}

/** Names a state of the chain; two answers with the same tag are equal. */
export function stateTag(chain: Chain): string {
  return `${chain.epoch}.${chain.version}`;
}

/** Whether what is final in the one state is in the other: a chain that was begun anew, and one from which a final block was taken by force, are others. */
export function hasSameFinal(one: ChainName, other: ChainName): boolean {
  return one.identity === other.identity && one.epoch === other.epoch;
}

/** Whether two readings have shown the same. */
export function isSameState(one: Chain, other: Chain): boolean {
  return hasSameFinal(one, other) && one.version === other.version;
}

/** Whether another state of the same read model came later. */
export function isBehind(chain: Chain, other: Chain): boolean {
  return chain.identity === other.identity && chain.sequence < other.sequence;
}
