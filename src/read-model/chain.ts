/** Table `chain`: the state that the other tables show. */
import type { BlockchainSettings } from "../network/settings.ts";
import { chainTable, genesisOf, genesisText, historyFromOf, PARTIAL_STATE } from "../tables/chain.ts";
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

/** Row of `chain`: the state, and whether it is complete. */
export type ChainRow = ReturnType<typeof columns.read>;

/** A state of the read model. */
export type Chain = Omit<ChainRow, "isWhole" | "progress">;

/** Identity of a chain among others that may replace it. */
export type ChainName = Pick<Chain, "identity" | "epoch">;

/** Undefined before the first publication. */
export const chainQuery: Query<ChainRow | undefined> = query(
  `SELECT ${columns.sql} FROM chain WHERE id = 1`,
  [],
  ([row]) => row && columns.read(row),
);

/** A point query and the row of `chain` as one statement. */
export interface PointWithChain<Value> extends Statement {
  readonly row: (rows: readonly ResultRow[]) => ChainRow | undefined;
  readonly value: (rows: readonly ResultRow[]) => Value;
}

/** Joins a point query with the row of `chain`: most of the cost of a point query in D1 is per statement. */
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
 * Returns the state of a reading.
 * @param settings settings of the expected chain
 * @throws ReadModelUnavailable if the tables show no state, a partial one, or one of another chain
 */
export function readableChain(row: ChainRow | undefined, settings: Pick<BlockchainSettings, "genesis">): Chain {
  const isUnpublished = true;
  if (row === undefined) throw new ReadModelUnavailable("no state of the chain is published yet", { isUnpublished });
  const { isWhole, progress, ...chain } = row;
  if (chain.identity === "")
    throw new ReadModelUnavailable("the database is of an earlier release, and is about to be rewritten", {
      isUnpublished,
    });
  if (genesisOf(chain.identity) !== genesisText(settings))
    throw new ReadModelUnavailable(`the database shows another chain: ${chain.identity}`, { isUnpublished });
  if (!isWhole)
    throw new ReadModelUnavailable("the database shows no whole state", {
      progress,
      isBetweenStates: progress === PARTIAL_STATE,
    });
  return chain;
}

/**
 * Whether the block at the height never changes any more. A genesis block without another final block does not count:
 * such chains may be dropped and started again.
 */
export function isFinal(height: number, { finalizedHeight }: Chain): boolean {
  return height <= finalizedHeight && finalizedHeight > 1;
}

/** Height of the node's first block: 1, except for a chain that began with a checkpoint. */
export function firstHeight({ identity }: Pick<Chain, "identity">): number {
  return historyFromOf(identity);
}

/** Tag of a state; two responses with the same tag are equal. */
export function stateTag(chain: Chain): string {
  return `${chain.epoch}.${chain.version}`;
}

/**
 * Whether the final blocks of one state are in the other. They are not after a restart of the chain, or after the owner
 * rolled back a final block.
 */
export function hasSameFinal(one: ChainName, other: ChainName): boolean {
  return one.identity === other.identity && one.epoch === other.epoch;
}

/** Whether two readings show the same state. */
export function isSameState(one: Chain, other: Chain): boolean {
  return hasSameFinal(one, other) && one.version === other.version;
}

/** Whether the other state belongs to the same read model and is newer. */
export function isOlderThan(chain: Chain, other: Chain): boolean {
  return chain.identity === other.identity && chain.sequence < other.sequence;
}
