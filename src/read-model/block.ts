/** Table `block`: headers with what follows from them. */
import type { Address } from "../crypto/identities.ts";
import type { BlockId } from "../protocol/blocks/block.ts";
import { type BlobText, blob, bytesOf, type I64Text, i64, i64Of } from "./column.ts";
import { type Query, query } from "./query.ts";

/** Amounts are wavelets. */
export interface StoredHeader {
  readonly height: number;
  /** The block's bytes without its transactions. */
  readonly bytes: Uint8Array;
  readonly sizeBytes: number;
  readonly transactionCount: number;
  readonly totalFee: bigint;
  /** Before boost; undefined before feature 14. */
  readonly reward: bigint | undefined;
  /** From which height on feature 23 is in force, undefined while it is not decided. */
  readonly boostHeight: number | undefined;
  /** Boost included. */
  readonly rewardShares: readonly (readonly [address: Address, share: bigint])[];
  readonly vrf: Uint8Array | undefined;
}

interface HeaderRow {
  readonly height: number;
  readonly header: BlobText;
  readonly size_bytes: number;
  readonly transaction_count: number;
  readonly total_fee: I64Text;
  readonly reward: I64Text | null;
  readonly boost_height: number | null;
  readonly reward_shares: BlobText;
  readonly vrf: BlobText | null;
}
const headerColumns = [
  "height",
  blob("header"),
  "size_bytes",
  "transaction_count",
  i64("total_fee"),
  i64("reward"),
  "(SELECT activation_height FROM feature WHERE id = 23) AS boost_height",
  blob("reward_shares"),
  blob("vrf"),
].join(", ");

/** Address (26 bytes) and amount (8 bytes). */
const shareSize = 34;
const addressSize = 26;

function sharesOf(bytes: Uint8Array): StoredHeader["rewardShares"] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: bytes.length / shareSize }, (_, index) => {
    const start = index * shareSize;
    return [bytes.subarray(start, start + addressSize) as Address, view.getBigInt64(start + addressSize)] as const;
  });
}

function headerOf(row: HeaderRow): StoredHeader {
  return {
    height: row.height,
    bytes: bytesOf(row.header),
    sizeBytes: row.size_bytes,
    transactionCount: row.transaction_count,
    totalFee: i64Of(row.total_fee),
    reward: row.reward === null ? undefined : i64Of(row.reward),
    boostHeight: row.boost_height ?? undefined,
    rewardShares: sharesOf(bytesOf(row.reward_shares)),
    vrf: row.vrf === null ? undefined : bytesOf(row.vrf),
  };
}

const firstHeader = ([row]: readonly HeaderRow[]) => row && headerOf(row);

/** Rows above the tip belong to a step that is still being published. */
const isPublished = "height <= (SELECT height FROM chain)";

/** Which block is meant. */
export type BlockKey = { readonly height: number } | { readonly id: BlockId } | "tip";

/** Expression of the height that a key stands for, and its binding. */
export function heightExpression(key: BlockKey): { readonly sql: string; readonly bindings: (number | Uint8Array)[] } {
  if (key === "tip") return { sql: "(SELECT height FROM chain)", bindings: [] };
  if ("id" in key) return { sql: "(SELECT height FROM block WHERE id = ?1)", bindings: [key.id] };
  return { sql: "?1", bindings: [key.height] };
}

export function headerQuery(key: BlockKey): Query<StoredHeader | undefined> {
  const { sql, bindings } = heightExpression(key);
  return query<HeaderRow, StoredHeader | undefined>(
    `SELECT ${headerColumns} FROM block WHERE height = ${sql} AND ${isPublished}`,
    bindings,
    firstHeader,
  );
}

/** A range of heights; 0 stands for the tip. `generator` keeps only the blocks of one account. */
export interface BlockRange {
  readonly from: number;
  readonly to: number;
  readonly generator?: Address;
}

/** Condition on `block` that a range makes, with placeholders 1 to 3. */
const inRange = `height BETWEEN iif(?1 = 0, (SELECT height FROM chain), ?1)
  AND (SELECT iif(?2 = 0, height, min(?2, height)) FROM chain) AND (?3 IS NULL OR generator = ?3)`;
export function rangeBindings({ from, to, generator }: BlockRange): [number, number, Uint8Array | null] {
  return [from, to, generator ?? null];
}

export function headersQuery(range: BlockRange): Query<readonly StoredHeader[]> {
  return query<HeaderRow, readonly StoredHeader[]>(
    `SELECT ${headerColumns} FROM block WHERE ${inRange} ORDER BY height`,
    rangeBindings(range),
    (rows) => rows.map(headerOf),
  );
}

/**
 * Heights of the first blocks of a range that have at most so many bytes together; the first one in any case.
 * A subquery for `IN`, with placeholders 1 to 4: those of the range, and the limit.
 */
export const firstHeightsOfRange = `SELECT height FROM (
    SELECT height, sum(size_bytes) OVER (ORDER BY height) AS total_bytes, row_number() OVER (ORDER BY height) AS place
    FROM block WHERE ${inRange}
  ) WHERE total_bytes <= ?4 OR place = 1`;

export interface FirstHeaders {
  readonly headers: readonly StoredHeader[];
  /** Whether the whole range is there. */
  readonly isAll: boolean;
}

export function firstHeadersQuery(range: BlockRange, limitBytes: number): Query<FirstHeaders> {
  return query<HeaderRow & { readonly blocks_of_range: number }, FirstHeaders>(
    `SELECT ${headerColumns}, (SELECT count(*) FROM block WHERE ${inRange}) AS blocks_of_range
     FROM block WHERE height IN (${firstHeightsOfRange}) ORDER BY height`,
    [...rangeBindings(range), limitBytes],
    (rows) => ({ headers: rows.map(headerOf), isAll: rows.length === (rows[0]?.blocks_of_range ?? 0) }),
  );
}

/** Height of a block, undefined for one that is not on the chain. */
export function heightQuery(id: BlockId): Query<number | undefined> {
  return query<{ readonly height: number }, number | undefined>(
    `SELECT height FROM block WHERE id = ?1 AND ${isPublished}`,
    [id],
    ([row]) => row?.height,
  );
}

/** How far a block is from the one so many below it, or from the first one. */
export interface BlockDistance {
  readonly blocks: number;
  readonly ms: bigint;
}

export function distanceQuery(id: BlockId, blocks: number): Query<BlockDistance | undefined> {
  return query<{ readonly blocks: number; readonly ms: I64Text }, BlockDistance | undefined>(
    `SELECT upper.height - lower.height AS blocks, ${i64("upper.timestamp - lower.timestamp", "ms")}
     FROM block upper JOIN block lower ON lower.height = max(upper.height - ?2, 1)
     WHERE upper.id = ?1 AND upper.${isPublished}`,
    [id, blocks],
    ([row]) => row && { blocks: row.blocks, ms: i64Of(row.ms) },
  );
}

/** The highest block that is not younger. @param timestampMs since the epoch */
export function heightAtTimeQuery(timestampMs: bigint): Query<number | undefined> {
  return query<{ readonly height: number }, number | undefined>(
    `SELECT height FROM block WHERE timestamp <= CAST(?1 AS INTEGER) AND ${isPublished} ORDER BY timestamp DESC LIMIT 1`,
    [String(timestampMs)],
    ([row]) => row?.height,
  );
}

/** Timestamp of the tip, milliseconds. */
export const tipTimestampQuery: Query<bigint | undefined> = query<{ readonly ms: I64Text }, bigint | undefined>(
  `SELECT ${i64("timestamp", "ms")} FROM block WHERE height = (SELECT height FROM chain)`,
  [],
  ([row]) => row && i64Of(row.ms),
);

/** Reward of one block, wavelets. */
export interface BlockReward {
  /** Before boost; undefined before feature 14. */
  readonly reward: bigint | undefined;
  /** All WAVES that there are after the block. */
  readonly totalWaves: bigint;
}

export function rewardQuery(key: BlockKey): Query<BlockReward | undefined> {
  const { sql, bindings } = heightExpression(key);
  return query<{ readonly reward: I64Text | null; readonly waves_amount: I64Text }, BlockReward | undefined>(
    `SELECT ${i64("reward")}, ${i64("waves_amount")} FROM block WHERE height = ${sql}`,
    bindings,
    ([row]) =>
      row && { reward: row.reward === null ? undefined : i64Of(row.reward), totalWaves: i64Of(row.waves_amount) },
  );
}

/** Votes about the block reward: how many blocks of a range want more or less. Negative votes are none. */
export interface RewardVotes {
  readonly increase: number;
  readonly decrease: number;
}

/** @param range `reward` is what the votes are compared with, wavelets */
export function rewardVotesQuery(range: { from: number; to: number; reward: bigint }): Query<RewardVotes> {
  return query<RewardVotes, RewardVotes>(
    `SELECT count(*) FILTER (WHERE reward_vote > CAST(?3 AS INTEGER)) AS increase,
       count(*) FILTER (WHERE reward_vote BETWEEN 0 AND CAST(?3 AS INTEGER) - 1) AS decrease
     FROM block WHERE height BETWEEN ?1 AND ?2`,
    [range.from, range.to, String(range.reward)],
    ([row]) => row ?? { increase: 0, decrease: 0 },
  );
}
