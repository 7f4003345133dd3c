/** Table `block`: headers with derived data. */

import type { Address } from "../crypto/identities.ts";
import { Feature } from "../network/features.ts";
import {
  ancestorStateKey,
  bodyStateKey,
  headerStateKey,
  heightStateKey,
  idStateKey,
  type RemoteStateKey,
  timeStateKey,
} from "../network/remote-state-key.ts";
import type { BlockId } from "../protocol/blocks/block.ts";
import { blockTable } from "../tables/blocks.ts";
import { i64, int, nullable } from "../tables/schema/column.ts";
import { columnsOf, computed, type ResultRow } from "./columns.ts";
import { type Query, query, withRemoteKeys } from "./query.ts";

const columns = columnsOf(blockTable, [
  "height",
  "header",
  "sizeBytes",
  "transactionCount",
  "totalFee",
  "reward",
  "rewardShares",
  "vrf",
]);
const boostHeight = computed(
  "boost_height",
  nullable(int),
  `(SELECT activation_height FROM feature WHERE id = ${Feature.BoostBlockReward})`,
);
const headerSql = `${columns.sql}, ${boostHeight.sql}`;

/** Amounts are wavelets. */
export type StoredHeader = ReturnType<typeof columns.read> & {
  /** Activation height of feature 23, undefined while it is not approved. */
  readonly boostHeight: number | undefined;
};

function headerOf(row: ResultRow): StoredHeader {
  return { ...columns.read(row), boostHeight: boostHeight.read(row) };
}

const firstHeader = ([row]: readonly ResultRow[]) => row && headerOf(row);

/** Rows above the tip belong to a commit that is still being published. */
const isPublished = "height <= (SELECT height FROM chain)";

/** Key of a block. An id may also be one that the tip had before its last micro-blocks. */
export type BlockKey = { readonly height: number } | { readonly id: BlockId } | "tip";

/**
 * Height of the block whose id, now or with fewer micro-blocks, is the first placeholder. Ids with fewer micro-blocks
 * are found until another block follows. NULL if there is none.
 * @source Waves: state/BlockchainUpdaterImpl.scala heightOf, state/NgState.scala contains
 */
const heightOfId = `(SELECT height FROM block WHERE id = ?1
  UNION ALL SELECT height FROM micro_block
  WHERE height = (SELECT height FROM chain) AND total_block_id = ?1 LIMIT 1)`;

/** SQL expression of the height for a key, and its binding. */
export function heightExpression(key: BlockKey | "finalized"): {
  readonly sql: string;
  readonly bindings: (number | Uint8Array)[];
} {
  if (key === "tip") return { sql: "(SELECT height FROM chain)", bindings: [] };
  if (key === "finalized") return { sql: "(SELECT finalized_height FROM chain)", bindings: [] };
  if ("id" in key) return { sql: heightOfId, bindings: [key.id] };
  return { sql: "?1", bindings: [key.height] };
}

/** Remote state keys of a block. */
function remoteKeysOfBlock(key: BlockKey | "finalized"): readonly RemoteStateKey[] {
  if (typeof key === "string") return [];
  return "id" in key ? [idStateKey("block", key.id)] : [headerStateKey(key.height)];
}

/** Maximum of blocks in one request for a range; the interface has the same limit. */
const MAX_RANGE = 100;

/** Remote state keys of a range; 0 means the tip. */
function remoteKeysOfRange({ from, to }: BlockRange): readonly RemoteStateKey[] {
  if (from === 0 || (to !== 0 && to < from)) return [];
  const last = Math.min(to === 0 ? from + MAX_RANGE : to, from + MAX_RANGE);
  return Array.from({ length: last - from + 1 }, (_, index) => headerStateKey(from + index));
}

export function headerQuery(key: BlockKey | "finalized"): Query<StoredHeader | undefined> {
  const { sql, bindings } = heightExpression(key);
  return withRemoteKeys(
    () => remoteKeysOfBlock(key),
    query(`SELECT ${headerSql} FROM block WHERE height = ${sql} AND ${isPublished}`, bindings, firstHeader),
  );
}

/** A range of heights; 0 means the tip. `generator` selects the blocks of one account. */
export interface BlockRange {
  readonly from: number;
  readonly to: number;
  readonly generator?: Address;
}

/** SQL condition on `block` for a range, with placeholders 1 to 3. */
const inRange = `height BETWEEN iif(?1 = 0, (SELECT height FROM chain), ?1)
  AND (SELECT iif(?2 = 0, height, min(?2, height)) FROM chain) AND (?3 IS NULL OR generator = ?3)`;
export function rangeBindings({ from, to, generator }: BlockRange): [number, number, Uint8Array | null] {
  return [from, to, generator ?? null];
}

export function headersQuery(range: BlockRange): Query<readonly StoredHeader[]> {
  return withRemoteKeys(
    () => remoteKeysOfRange(range),
    query(`SELECT ${headerSql} FROM block WHERE ${inRange} ORDER BY height`, rangeBindings(range), (rows) =>
      rows.map(headerOf),
    ),
  );
}

/**
 * Heights of the first blocks of a range up to a total size in bytes; the first one in any case. A subquery for `IN`,
 * with placeholders 1 to 4: those of the range, and the limit.
 */
export const firstHeightsOfRange = `SELECT height FROM (
    SELECT height, sum(size_bytes) OVER (ORDER BY height) AS total_bytes, row_number() OVER (ORDER BY height) AS place
    FROM block WHERE ${inRange}
  ) WHERE total_bytes <= ?4 OR place = 1`;

export interface FirstHeaders {
  readonly headers: readonly StoredHeader[];
  /** Whether the headers cover the whole range. */
  readonly isAll: boolean;
}

const blocksOfRange = computed("blocks_of_range", int, `(SELECT count(*) FROM block WHERE ${inRange})`);

export function firstHeadersQuery(range: BlockRange, limitBytes: number): Query<FirstHeaders> {
  return withRemoteKeys(
    () => [...remoteKeysOfRange(range), bodyStateKey(range.from)],
    query(
      `SELECT ${headerSql}, ${blocksOfRange.sql}
     FROM block WHERE height IN (${firstHeightsOfRange}) ORDER BY height`,
      [...rangeBindings(range), limitBytes],
      (rows) => ({
        headers: rows.map(headerOf),
        isAll: rows.length === (rows[0] === undefined ? 0 : blocksOfRange.read(rows[0])),
      }),
    ),
  );
}

const height = columnsOf(blockTable, ["height"]);

/** Height of a block, undefined if it is not on the chain. */
export function heightQuery(id: BlockId): Query<number | undefined> {
  return withRemoteKeys(
    () => [idStateKey("block", id)],
    query(
      `SELECT ${height.sql} FROM block WHERE height = ${heightOfId} AND ${isPublished}`,
      [id],
      ([row]) => row && height.read(row).height,
    ),
  );
}

/** Distance of a block to its n-th ancestor, or to the first block. */
export interface BlockDistance {
  readonly blocks: number;
  readonly ms: bigint;
}

const distance = {
  blocks: computed("blocks", int, "upper.height - lower.height"),
  ms: computed("ms", i64, "upper.timestamp - lower.timestamp"),
};

export function distanceQuery(id: BlockId, blocks: number): Query<BlockDistance | undefined> {
  return withRemoteKeys(
    () => [ancestorStateKey(id, blocks)],
    query(
      `SELECT ${distance.blocks.sql}, ${distance.ms.sql}
     FROM block upper JOIN block lower ON lower.height = max(upper.height - ?2, 1)
     WHERE upper.height = ${heightOfId} AND upper.${isPublished}`,
      [id, blocks],
      ([row]) => row && { blocks: distance.blocks.read(row), ms: distance.ms.read(row) },
    ),
  );
}

/** Height of the last block at or before a time. @param timestampMs since the epoch */
export function heightAtTimeQuery(timestampMs: bigint): Query<number | undefined> {
  return withRemoteKeys(
    () => [timeStateKey(timestampMs)],
    query(
      `SELECT ${height.sql} FROM block WHERE timestamp <= CAST(?1 AS INTEGER) AND ${isPublished}
     ORDER BY timestamp DESC LIMIT 1`,
      [String(timestampMs)],
      ([row]) => row && height.read(row).height,
    ),
  );
}

const timestamp = columnsOf(blockTable, ["timestamp"]);

/** Timestamp of the tip, milliseconds. */
export const tipTimestampQuery: Query<bigint | undefined> = query(
  `SELECT ${timestamp.sql} FROM block WHERE height = (SELECT height FROM chain)`,
  [],
  ([row]) => row && timestamp.read(row).timestamp,
);

const finalized = columnsOf(blockTable, ["finalizedHeight"]);

/** Height finalized by votes once the block has a successor; undefined for a height without a block. */
export function finalizedAtQuery(height: number): Query<number | undefined> {
  return withRemoteKeys(
    () => [headerStateKey(height)],
    query(
      `SELECT ${finalized.sql} FROM block WHERE height = ?1 AND ${isPublished}`,
      [height],
      ([row]) => row && finalized.read(row).finalizedHeight,
    ),
  );
}

const id = columnsOf(blockTable, ["id"]);

/** Id of the tip. */
export const tipIdQuery: Query<BlockId | undefined> = query(
  `SELECT ${id.sql} FROM block WHERE height = (SELECT height FROM chain)`,
  [],
  ([row]) => row && id.read(row).id,
);

const reward = columnsOf(blockTable, ["reward", "wavesAmount"]);

/** Reward of a block, before boost, and the WAVES in existence after it; wavelets. */
export type BlockReward = ReturnType<typeof reward.read>;

export function rewardQuery(key: BlockKey): Query<BlockReward | undefined> {
  const { sql, bindings } = heightExpression(key);
  return withRemoteKeys(
    () => (typeof key === "object" && "height" in key ? [heightStateKey(key.height)] : remoteKeysOfBlock(key)),
    query(`SELECT ${reward.sql} FROM block WHERE height = ${sql}`, bindings, ([row]) => row && reward.read(row)),
  );
}

/** Votes on the block reward: numbers of blocks in a range that want more or less. Negative votes do not count. */
export interface RewardVotes {
  readonly increase: number;
  readonly decrease: number;
}

const noVotes: RewardVotes = { increase: 0, decrease: 0 };
const votes = {
  increase: computed("increase", int, "count(*) FILTER (WHERE reward_vote > CAST(?3 AS INTEGER))"),
  decrease: computed("decrease", int, "count(*) FILTER (WHERE reward_vote BETWEEN 0 AND CAST(?3 AS INTEGER) - 1)"),
};

/** @param range `reward`: amount that the votes are compared with, wavelets */
export function rewardVotesQuery(range: { from: number; to: number; reward: bigint }): Query<RewardVotes> {
  return query(
    `SELECT ${votes.increase.sql}, ${votes.decrease.sql} FROM block WHERE height BETWEEN ?1 AND ?2`,
    [range.from, range.to, String(range.reward)],
    ([row]) => (row ? { increase: votes.increase.read(row), decrease: votes.decrease.read(row) } : noVotes),
  );
}
