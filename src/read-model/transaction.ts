/** Tables `tx` and `tx_address`: transactions of blocks, and which accounts list them. */

import type { Address } from "../crypto/identities.ts";
import { Feature } from "../network/features.ts";
import type { TransactionId } from "../protocol/transactions/transaction.ts";
import { transactionTable } from "../tables/blocks.ts";
import { flag } from "../tables/schema/column.ts";
import { type BlockKey, type BlockRange, firstHeightsOfRange, heightExpression, rangeBindings } from "./block.ts";
import { columnsOf, computed, type ResultRow } from "./columns.ts";
import { isLatestOf, latestPlace } from "./latest-transaction.ts";
import { type Query, query } from "./query.ts";
import { blobList, byPlace, place, wantedAt } from "./wanted.ts";

const placeColumns = columnsOf(transactionTable, ["height", "position", "status", "spentComplexity"]);
const isAfterBlockV5 = computed(
  "after_block_v5",
  flag,
  `EXISTS (SELECT 1 FROM feature WHERE id = ${Feature.BlockV5} AND activation_height <= tx.height)`,
);
export const placeSql = `${placeColumns.sql}, ${isAfterBlockV5.sql}`;

/** Where a transaction stands on the chain and how it ended. */
export type TransactionPlace = ReturnType<typeof placeColumns.read> & {
  /** Whether feature 15 was active at the height. */
  readonly isAfterBlockV5: boolean;
};

export function placeOf(row: ResultRow): TransactionPlace {
  return { ...placeColumns.read(row), isAfterBlockV5: isAfterBlockV5.read(row) };
}

/** Whether the block is of version 5, with protobuf transactions; the genesis block never is. */
export function isInBlockV5({ height, isAfterBlockV5 }: TransactionPlace): boolean {
  return isAfterBlockV5 && height > 1;
}

export interface StoredTransaction extends TransactionPlace {
  /** As in the block: legacy binary before version 5, else protobuf. */
  readonly bytes: Uint8Array;
  /** Of calls, where it is known and was asked for: what they did. */
  readonly callRecord?: Uint8Array | undefined;
}

const bytesColumn = columnsOf(transactionTable, ["bytes"]);
const recordColumn = columnsOf(transactionTable, ["callRecord"]);
const transactionSql = `${placeSql}, ${bytesColumn.sql}`;
const recordedSql = `${transactionSql}, ${recordColumn.sql}`;
/** Rows above the tip belong to a step that is still being published. */
export const isPublished = "tx.height <= (SELECT height FROM chain)";
const recordBytes = "ifnull(length(tx.call_record), 0)";

function transactionOf(row: ResultRow): StoredTransaction {
  return { ...placeOf(row), ...bytesColumn.read(row) };
}

function recordedOf(row: ResultRow): StoredTransaction {
  return { ...transactionOf(row), ...recordColumn.read(row) };
}

/** Transactions of a block, in order. */
export function transactionsOfBlockQuery(key: BlockKey): Query<readonly StoredTransaction[]> {
  const { sql, bindings } = heightExpression(key);
  return query(
    `SELECT ${transactionSql} FROM tx WHERE height = ${sql} AND ${isPublished} ORDER BY position`,
    bindings,
    (rows) => rows.map(transactionOf),
  );
}

/** Transactions of the blocks that `firstHeadersQuery` finds, by block. */
export function transactionsOfFirstBlocksQuery(
  range: BlockRange,
  limitBytes: number,
): Query<ReadonlyMap<number, readonly StoredTransaction[]>> {
  return query(
    `SELECT ${transactionSql} FROM tx WHERE height IN (${firstHeightsOfRange}) ORDER BY height, position`,
    [...rangeBindings(range), limitBytes],
    (rows) => Map.groupBy(rows.map(transactionOf), ({ height }) => height),
  );
}

export function transactionQuery(id: TransactionId): Query<StoredTransaction | undefined> {
  return query(
    `SELECT ${recordedSql} FROM tx WHERE ${isLatestOf("?1")} AND ${isPublished}`,
    [id],
    ([row]) => row && recordedOf(row),
  );
}

/** A transaction of a list too long to be read at once has a place, but no bytes yet. */
export type FoundTransaction = Omit<StoredTransaction, "bytes"> & { readonly bytes: Uint8Array | undefined };

const firstContents = columnsOf(transactionTable, ["bytes", "callRecord"]).when("total_bytes <= ?2 OR number = 1");

/**
 * Transactions by id, in the order of the ids; undefined for ids that are not on the chain.
 * @param limitBytes bytes are given for the first transactions that have at most so many together; for the first one in
 *   any case
 */
export function transactionsQuery(
  ids: readonly Uint8Array[],
  limitBytes: number,
): Query<readonly (FoundTransaction | undefined)[]> {
  return query(
    `WITH found AS (
       SELECT wanted.place AS place, tx.height AS height, tx.position AS position, sum(length(tx.bytes) + ${recordBytes}) OVER (ORDER BY wanted.place) AS total_bytes,
         row_number() OVER (ORDER BY wanted.place) AS number
       FROM ${wantedAt("?1")} JOIN tx ON ${isLatestOf("wanted.value")}
       WHERE ${isPublished}
     )
     SELECT ${place.sql}, ${placeSql}, ${firstContents.sql} FROM found
     JOIN tx ON tx.height = found.height AND tx.position = found.position`,
    [blobList(ids), limitBytes],
    (rows) => byPlace(ids, rows, foundOf, undefined),
  );
}

function foundOf(row: ResultRow): FoundTransaction {
  const { bytes, callRecord } = firstContents.find(row) ?? {};
  return { ...placeOf(row), bytes, callRecord };
}

/** Where transactions stand, in the order of the ids; undefined for ids that are not on the chain. */
export function placesQuery(ids: readonly Uint8Array[]): Query<readonly (TransactionPlace | undefined)[]> {
  return query(
    `SELECT ${place.sql}, ${placeSql} FROM ${wantedAt("?1")} JOIN tx ON ${isLatestOf("wanted.value")} WHERE ${isPublished}`,
    [blobList(ids)],
    (rows) => byPlace(ids, rows, placeOf, undefined),
  );
}

/** A page of an account's transactions, newest first. */
export interface AddressPage {
  readonly address: Address;
  /** At most so many transactions. */
  readonly limit: number;
  /** Only what is older than this one; an id that is not on the chain is as good as none. */
  readonly after: TransactionId | { readonly height: number; readonly position: number } | undefined;
}

/** @param limitBytes the page ends before the transaction that would pass so many bytes; the first one is there in any case */
export function transactionsOfAddressQuery(
  { address, limit, after }: AddressPage,
  limitBytes: number,
): Query<readonly StoredTransaction[]> {
  const [id, before] = after instanceof Uint8Array ? [after, undefined] : [undefined, after];
  return query(
    `WITH page AS (
       SELECT listed.height AS height, listed.position AS position, length(tx.bytes) + ${recordBytes} AS size_bytes
       FROM tx_address listed JOIN tx ON tx.height = listed.height AND tx.position = listed.position
       WHERE listed.address = ?1 AND ${isPublished} AND (listed.height, listed.position) < (
         ifnull(?4, ifnull((SELECT height FROM ${latestPlace("?6")}), 2147483647)),
         ifnull(?5, ifnull((SELECT position FROM ${latestPlace("?6")}), 0))
       )
       ORDER BY listed.height DESC, listed.position DESC LIMIT ?2
     ), measured AS (
       SELECT height, position, sum(size_bytes) OVER newest_first AS total_bytes, row_number() OVER newest_first AS place
       FROM page WINDOW newest_first AS (ORDER BY height DESC, position DESC)
     )
     SELECT ${recordedSql} FROM measured
     JOIN tx ON tx.height = measured.height AND tx.position = measured.position
     WHERE total_bytes <= ?3 OR place = 1 ORDER BY place`,
    [address, limit, limitBytes, before?.height ?? null, before?.position ?? null, id ?? null],
    (rows) => rows.map(recordedOf),
  );
}
