/** Tables `tx` and `tx_address`: transactions of blocks, and the accounts that list them. */

import type { Address } from "../crypto/identities.ts";
import { Feature } from "../network/features.ts";
import { accountStateKey, bodyStateKey, idStateKey, type RemoteStateKey } from "../network/remote-state-key.ts";
import type { TransactionId, TransactionStatus } from "../protocol/transactions/transaction.ts";
import { TransactionType } from "../protocol/transactions/transaction-type.ts";
import { transactionJsonColumn, transactionTable } from "../tables/blocks.ts";
import { flag } from "../tables/schema/column.ts";
import { type BlockKey, type BlockRange, firstHeightsOfRange, heightExpression, rangeBindings } from "./block.ts";
import { columnsOf, computed, type ResultRow, type Selection } from "./columns.ts";
import { isLatestOf, latestLocation } from "./latest-transaction.ts";
import { leaseColumns, type StoredLease } from "./lease.ts";
import { oneOf, point, type Query, query, withRemoteKeys } from "./query.ts";
import { blobList, byKeyIndex, keyIndex, requestedKeysAt } from "./requested-keys.ts";
import { ownedAliases, withLease } from "./transaction-joins.ts";

const locationColumns = columnsOf(transactionTable, ["height", "position", "status", "spentComplexity"]);
const isAfterBlockV5 = computed(
  "after_block_v5",
  flag,
  `ifnull(tx.height >= (SELECT activation_height FROM feature WHERE id = ${Feature.BlockV5}), 0)`,
);
export const locationSql = `${locationColumns.sql}, ${isAfterBlockV5.sql}`;

/** Location of a transaction on the chain, and its status. */
export type TransactionLocation = ReturnType<typeof locationColumns.read> & {
  /** Whether feature 15 was active at the height. */
  readonly isAfterBlockV5: boolean;
};

export function locationOf(row: ResultRow): TransactionLocation {
  return { ...locationColumns.read(row), isAfterBlockV5: isAfterBlockV5.read(row) };
}

/** Whether the block is of version 5, with protobuf transactions; the genesis block never is. */
export function isInBlockV5({ height, isAfterBlockV5 }: TransactionLocation): boolean {
  return isAfterBlockV5 && height > 1;
}

/** Source of a transaction's JSON: stored JSON, if the read model has it, or its bytes. */
export interface TransactionContents {
  /** JSON without location and status. */
  readonly json: string | undefined;
  /**
   * Bytes as in the block: legacy binary before version 5, else protobuf. Present only if the JSON lacks something that
   * is shown.
   */
  readonly bytes: Uint8Array | undefined;
}

export interface StoredTransaction extends TransactionLocation, TransactionContents {
  readonly type: number;
  /** Record of a call's effects, if known. */
  readonly callRecord: Uint8Array | undefined;
  /** Lease that it created or cancelled: see `withLease`. */
  readonly lease: StoredLease | undefined;
  /** Aliases of the listing account among its recipients: see `ownedAliases`. */
  readonly ownedAliases?: readonly string[] | undefined;
}

/** A transaction in the list of its block. */
export interface BlockTransaction extends TransactionContents {
  readonly status: TransactionStatus;
}

/** Types whose responses need data from the bytes. */
const lookedInto = [
  TransactionType.Lease,
  TransactionType.LeaseCancel,
  TransactionType.MassTransfer,
  TransactionType.Ethereum,
].join(", ");
/** Whether a list of transactions with locations needs the bytes. */
const isLookedInto = `(tx.json IS NULL OR tx.type IN (${lookedInto}))`;

const typeColumn = columnsOf(transactionTable, ["type"]);
const bytesColumn = columnsOf(transactionTable, ["bytes"]);
const recordColumn = columnsOf(transactionTable, ["callRecord"]);

/** @param isRead condition on the row: other rows are not read @param hasBytes condition for reading the bytes */
function contents(isRead: string, hasBytes: string): Selection<TransactionContents> {
  const json = computed("tx.json", transactionJsonColumn, `iif(${isRead}, tx.json, NULL)`);
  const bytes = bytesColumn.when(`${isRead} AND ${hasBytes}`);
  return {
    sql: `${json.sql}, ${bytes.sql}`,
    read: (row) => ({ json: json.read(row), bytes: bytes.find(row)?.bytes }),
  };
}

const always = "1";
const statusColumn = columnsOf(transactionTable, ["status"]);
const heightColumn = columnsOf(transactionTable, ["height"]);
const inBlock = contents(always, "tx.json IS NULL");
const inBlockSql = `${statusColumn.sql}, ${inBlock.sql}`;
const withLocation = contents(always, isLookedInto);
const withLocationSql = `${locationSql}, ${typeColumn.sql}, ${withLocation.sql}, ${recordColumn.sql}, ${leaseColumns.sql}`;
/** Rows above the tip belong to a commit that is still being published. */
export const isPublished = "tx.height <= (SELECT height FROM chain)";
/** Approximate size of a transaction in a list with locations. */
const listedBytes = `ifnull(octet_length(tx.json), 0) + iif(${isLookedInto}, length(tx.bytes), 0) + ifnull(length(tx.call_record), 0)`;

function inBlockOf(row: ResultRow): BlockTransaction {
  return { ...statusColumn.read(row), ...inBlock.read(row) };
}

function withLocationOf(row: ResultRow): StoredTransaction {
  const own = { ...locationOf(row), ...typeColumn.read(row), ...withLocation.read(row), ...recordColumn.read(row) };
  return { ...own, lease: leaseColumns.find(row) };
}

function remoteKeysOfBody(key: BlockKey): readonly RemoteStateKey[] {
  if (key === "tip") return [bodyStateKey("tip")];
  return "id" in key ? [idStateKey("bodyOf", key.id)] : [bodyStateKey(key.height)];
}

/** Transactions of a block, in order. */
export function transactionsOfBlockQuery(key: BlockKey): Query<readonly BlockTransaction[]> {
  const { sql, bindings } = heightExpression(key);
  return withRemoteKeys(
    () => remoteKeysOfBody(key),
    query(`SELECT ${inBlockSql} FROM tx WHERE height = ${sql} AND ${isPublished} ORDER BY position`, bindings, (rows) =>
      rows.map(inBlockOf),
    ),
  );
}

/** Bytes of a block's transactions, in order. */
export function transactionBytesOfBlockQuery(height: number): Query<readonly Uint8Array[]> {
  return withRemoteKeys(
    () => [bodyStateKey(height)],
    query(
      `SELECT ${bytesColumn.sql} FROM tx WHERE height = ?1 AND ${isPublished} ORDER BY position`,
      [height],
      (rows) => rows.map((row) => bytesColumn.read(row).bytes),
    ),
  );
}

/** Transactions of the blocks that `firstHeadersQuery` finds, by height. */
export function transactionsOfFirstBlocksQuery(
  range: BlockRange,
  limitBytes: number,
): Query<ReadonlyMap<number, readonly BlockTransaction[]>> {
  return withRemoteKeys(
    () => [bodyStateKey(range.from)],
    query(
      `SELECT ${heightColumn.sql}, ${inBlockSql} FROM tx WHERE height IN (${firstHeightsOfRange}) ORDER BY height, position`,
      [...rangeBindings(range), limitBytes],
      (rows) => {
        const byHeight = Map.groupBy(rows, (row) => heightColumn.read(row).height);
        return new Map([...byHeight].map(([height, ofBlock]) => [height, ofBlock.map(inBlockOf)]));
      },
    ),
  );
}

export function transactionQuery(id: TransactionId): Query<StoredTransaction | undefined> {
  const single = point(
    `SELECT ${withLocationSql} FROM tx ${withLease} WHERE ${isLatestOf("?1")} AND ${isPublished}`,
    [id],
    (row) => row && withLocationOf(row),
  );
  return withRemoteKeys(() => [idStateKey("transaction", id)], oneOf(wholeTransactionsQuery, id, single));
}

/** A few transactions by id, each in full, in the order of the ids. */
export function wholeTransactionsQuery(
  ids: readonly TransactionId[],
): Query<readonly (StoredTransaction | undefined)[]> {
  return withRemoteKeys(
    () => ids.map((id) => idStateKey("transaction", id)),
    query(
      `SELECT ${keyIndex.sql}, ${withLocationSql} FROM ${requestedKeysAt("?1")} JOIN tx ON ${isLatestOf("wanted.value")} ${withLease}
     WHERE ${isPublished}`,
      [blobList(ids)],
      (rows) => byKeyIndex(ids, rows, withLocationOf, undefined),
    ),
  );
}

/** A transaction of a list; beyond the read limit it has only its location. */
export type FoundTransaction = StoredTransaction & { readonly isRead: boolean };

/**
 * Selects transactions that are read in full if a condition on their row holds; the others have only their location.
 */
function foundWhere(isRead: string): Selection<FoundTransaction> {
  const flagOf = computed("is_read", flag, isRead);
  const own = contents(isRead, isLookedInto);
  const record = recordColumn.when(isRead);
  return {
    sql: `${locationSql}, ${typeColumn.sql}, ${flagOf.sql}, ${own.sql}, ${record.sql}, ${leaseColumns.sql}`,
    read: (row) => {
      const stored = { ...locationOf(row), ...typeColumn.read(row), ...own.read(row), ...record.read(row) };
      return { ...stored, lease: leaseColumns.find(row), isRead: flagOf.read(row) };
    },
  };
}

/** Selection for rows of the table `found`, which has a running total of their sizes. */
const firstFound = foundWhere("(total_bytes <= ?2 OR total_bytes = size_bytes)");

/**
 * Transactions by id, in the order of the ids; undefined for ids that are not on the chain.
 * @param limitBytes limit of the total size of transactions read in full; the first one is read in any case
 */
export function transactionsQuery(
  ids: readonly Uint8Array[],
  limitBytes: number,
): Query<readonly (FoundTransaction | undefined)[]> {
  return withRemoteKeys(
    () => ids.map((id) => idStateKey("transaction", id)),
    query(
      `WITH listed AS (
       SELECT wanted.place AS place, tx.height AS height, tx.position AS position, ${listedBytes} AS size_bytes
       FROM ${requestedKeysAt("?1")} JOIN tx ON ${isLatestOf("wanted.value")}
       WHERE ${isPublished}
     ), found AS (
       SELECT place, height, position, size_bytes, sum(size_bytes) OVER (ORDER BY place) AS total_bytes FROM listed
     )
     SELECT ${keyIndex.sql}, ${firstFound.sql}
     FROM found JOIN tx ON tx.height = found.height AND tx.position = found.position ${withLease}`,
      [blobList(ids), limitBytes],
      (rows) => byKeyIndex(ids, rows, firstFound.read, undefined),
    ),
  );
}

/** Locations of transactions, in the order of the ids; undefined for ids that are not on the chain. */
export function locationsQuery(ids: readonly Uint8Array[]): Query<readonly (TransactionLocation | undefined)[]> {
  return withRemoteKeys(
    () => ids.map((id) => idStateKey("transaction", id)),
    query(
      `SELECT ${keyIndex.sql}, ${locationSql} FROM ${requestedKeysAt("?1")} JOIN tx ON ${isLatestOf("wanted.value")} WHERE ${isPublished}`,
      [blobList(ids)],
      (rows) => byKeyIndex(ids, rows, locationOf, undefined),
    ),
  );
}

/** A page of an account's transactions, newest first. */
export interface AddressPage {
  readonly address: Address;
  /** Maximum of transactions. */
  readonly limit: number;
  /** Only transactions older than this one; ignored if the id is not on the chain. */
  readonly after: TransactionId | { readonly height: number; readonly position: number } | undefined;
}

/** SQL condition on `tx_address listed JOIN tx`, with placeholders 1 and 4 to 6. */
const isOfPage = `listed.address = ?1 AND ${isPublished} AND (listed.height, listed.position) < (
         ifnull(?4, ifnull((SELECT height FROM ${latestLocation("?5")}), 2147483647)),
         ifnull(?6, ifnull((SELECT position FROM ${latestLocation("?5")}), 0))
       )`;
const ofAddress = "tx_address listed JOIN tx ON tx.height = listed.height AND tx.position = listed.position";
const newestOfPage = "ORDER BY listed.height DESC, listed.position DESC LIMIT ?3";
const owned = ownedAliases("?1");

function pageQuery(
  sql: string,
  { address, limit, after }: AddressPage,
  limitBytes: number,
  found: Selection<FoundTransaction>,
): Query<readonly FoundTransaction[]> {
  const [id, before] = after instanceof Uint8Array ? [after, undefined] : [undefined, after];
  return query(
    sql,
    [address, limitBytes, limit, before?.height ?? null, id ?? null, before?.position ?? null],
    // The rows come in this order, but SQLite guarantees it only with a further sort.
    (rows) => rows.map((row) => ({ ...found.read(row), ownedAliases: owned.read(row) })).toSorted(newestFirst),
  );
}

/**
 * Transactions of a page, in its order, read as far as in `transactionsQuery`. Cost: five rows for each, since their
 * total size is computed first.
 * @param limitBytes limit of the total size of transactions read in full
 */
export function transactionsOfAddressQuery(page: AddressPage, limitBytes: number): Query<readonly FoundTransaction[]> {
  const sql = `WITH page AS (
       SELECT listed.height AS height, listed.position AS position, ${listedBytes} AS size_bytes
       FROM ${ofAddress} WHERE ${isOfPage} ${newestOfPage}
     ), found AS (
       SELECT height, position, size_bytes, sum(size_bytes) OVER (ORDER BY height DESC, position DESC) AS total_bytes
       FROM page
     )
     SELECT ${firstFound.sql}, ${owned.sql}
     FROM found JOIN tx ON tx.height = found.height AND tx.position = found.position ${withLease}`;
  return withRemoteKeys(
    () => [accountStateKey("transactions", page.address)],
    pageQuery(sql, page, limitBytes, firstFound),
  );
}

const smallFound = foundWhere(`${listedBytes} <= ?2`);

/**
 * Transactions of a page, in its order. Those larger than their equal share of the limit are not read in full. Cost:
 * the row of the list and that of the transaction for each.
 * @param limitBytes limit for all of them together
 */
export function smallTransactionsOfAddressQuery(
  page: AddressPage,
  limitBytes: number,
): Query<readonly FoundTransaction[]> {
  const sql = `SELECT ${smallFound.sql}, ${owned.sql} FROM ${ofAddress} ${withLease} WHERE ${isOfPage} ${newestOfPage}`;
  const share = Math.floor(limitBytes / Math.max(page.limit, 1));
  return withRemoteKeys(() => [accountStateKey("transactions", page.address)], pageQuery(sql, page, share, smallFound));
}

function newestFirst(left: TransactionLocation, right: TransactionLocation): number {
  return right.height - left.height || right.position - left.position;
}
