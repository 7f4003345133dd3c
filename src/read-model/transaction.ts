/** Tables `tx` and `tx_address`: transactions of blocks, and which accounts list them. */
import type { Address } from "../crypto/identities.ts";
import type { TransactionId, TransactionStatus } from "../protocol/transactions/transaction.ts";
import { type BlockKey, type BlockRange, firstHeightsOfRange, heightExpression, rangeBindings } from "./block.ts";
import { type BlobText, blob, blobList, blobsOf, bytesOf } from "./column.ts";
import { type Query, query } from "./query.ts";

/** Where a transaction stands on the chain and how it ended. */
export interface TransactionPlace {
  readonly height: number;
  readonly position: number;
  readonly status: TransactionStatus;
  readonly spentComplexity: number;
  /** Whether feature 15 was active at the height. */
  readonly isAfterBlockV5: boolean;
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

const statuses = ["succeeded", "failed", "elided"] as const satisfies readonly TransactionStatus[];

interface PlaceRow {
  readonly height: number;
  readonly position: number;
  readonly status: number;
  readonly spent_complexity: number;
  readonly after_block_v5: number;
}
interface TransactionRow extends PlaceRow {
  readonly bytes: BlobText;
  readonly call_record?: BlobText | null;
}
const placeColumns = `tx.height AS height, tx.position AS position, tx.status AS status,
  tx.spent_complexity AS spent_complexity,
  EXISTS (SELECT 1 FROM feature WHERE id = 15 AND activation_height <= tx.height) AS after_block_v5`;
/** Rows above the tip belong to a step that is still being published. */
const isPublished = "tx.height <= (SELECT height FROM chain)";
const transactionColumns = `${placeColumns}, ${blob("tx.bytes", "bytes")}`;
const recordColumn = blob("tx.call_record", "call_record");
const recordBytes = "ifnull(length(tx.call_record), 0)";

function placeOf(row: PlaceRow): TransactionPlace {
  return {
    height: row.height,
    position: row.position,
    status: statuses[row.status] ?? "succeeded",
    spentComplexity: row.spent_complexity,
    isAfterBlockV5: row.after_block_v5 === 1,
  };
}
function transactionOf(row: TransactionRow): StoredTransaction {
  return { ...placeOf(row), bytes: bytesOf(row.bytes), callRecord: recordOf(row) };
}
function recordOf({ call_record: record }: Pick<TransactionRow, "call_record">): Uint8Array | undefined {
  return record === undefined || record === null ? undefined : bytesOf(record);
}

/** Transactions of a block, in order. */
export function transactionsOfBlockQuery(key: BlockKey): Query<readonly StoredTransaction[]> {
  const { sql, bindings } = heightExpression(key);
  return query<TransactionRow, readonly StoredTransaction[]>(
    `SELECT ${transactionColumns} FROM tx WHERE height = ${sql} AND ${isPublished} ORDER BY position`,
    bindings,
    (rows) => rows.map(transactionOf),
  );
}

/** Transactions of the blocks that `firstHeadersQuery` finds, by block. */
export function transactionsOfFirstBlocksQuery(
  range: BlockRange,
  limitBytes: number,
): Query<ReadonlyMap<number, readonly StoredTransaction[]>> {
  return query<TransactionRow, ReadonlyMap<number, readonly StoredTransaction[]>>(
    `SELECT ${transactionColumns} FROM tx WHERE height IN (${firstHeightsOfRange}) ORDER BY height, position`,
    [...rangeBindings(range), limitBytes],
    (rows) => Map.groupBy(rows.map(transactionOf), ({ height }) => height),
  );
}

export function transactionQuery(id: TransactionId): Query<StoredTransaction | undefined> {
  return query<TransactionRow, StoredTransaction | undefined>(
    `SELECT ${transactionColumns}, ${recordColumn} FROM tx WHERE id = ?1 AND ${isPublished}`,
    [id],
    ([row]) => row && transactionOf(row),
  );
}

/** A transaction of a list too long to be read at once has a place, but no bytes yet. */
export type FoundTransaction = Omit<StoredTransaction, "bytes"> & { readonly bytes: Uint8Array | undefined };

/**
 * Transactions by id, in the order of the ids; undefined for ids that are not on the chain.
 * @param limitBytes bytes are given for the first transactions that have at most so many together; for the first one in
 *   any case
 */
export function transactionsQuery(
  ids: readonly Uint8Array[],
  limitBytes: number,
): Query<readonly (FoundTransaction | undefined)[]> {
  type Row = PlaceRow & {
    readonly place: number;
    readonly bytes: BlobText | null;
    readonly call_record: BlobText | null;
  };
  return query<Row, readonly (FoundTransaction | undefined)[]>(
    `WITH found AS (
       SELECT wanted.place AS place, tx.id AS id, sum(length(tx.bytes) + ${recordBytes}) OVER (ORDER BY wanted.place) AS total_bytes,
         row_number() OVER (ORDER BY wanted.place) AS number
       FROM ${blobsOf("?1")} wanted JOIN tx ON tx.id = wanted.value
       WHERE ${isPublished}
     )
     SELECT place, ${placeColumns}, CASE WHEN total_bytes <= ?2 OR number = 1 THEN hex(tx.bytes) END AS bytes,
       CASE WHEN total_bytes <= ?2 OR number = 1 THEN hex(tx.call_record) END AS call_record
     FROM found JOIN tx ON tx.id = found.id`,
    [blobList(ids), limitBytes],
    (rows) => {
      const found: (FoundTransaction | undefined)[] = ids.map(() => undefined);
      for (const row of rows) {
        const bytes = row.bytes === null ? undefined : bytesOf(row.bytes);
        // `hex` gives nothing as no bytes.
        found[row.place] = { ...placeOf(row), bytes, callRecord: row.call_record ? recordOf(row) : undefined };
      }
      return found;
    },
  );
}

/** Where transactions stand, in the order of the ids; undefined for ids that are not on the chain. */
export function placesQuery(ids: readonly Uint8Array[]): Query<readonly (TransactionPlace | undefined)[]> {
  return query<PlaceRow & { readonly place: number }, readonly (TransactionPlace | undefined)[]>(
    `SELECT wanted.place AS place, ${placeColumns} FROM ${blobsOf("?1")} wanted JOIN tx ON tx.id = wanted.value
     WHERE ${isPublished}`,
    [blobList(ids)],
    (rows) => {
      const found: (TransactionPlace | undefined)[] = ids.map(() => undefined);
      for (const row of rows) found[row.place] = placeOf(row);
      return found;
    },
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
  const [id, place] = after instanceof Uint8Array ? [after, undefined] : [undefined, after];
  return query<TransactionRow, readonly StoredTransaction[]>(
    `WITH page AS (
       SELECT listed.height AS height, listed.position AS position, length(tx.bytes) + ${recordBytes} AS size_bytes
       FROM tx_address listed JOIN tx ON tx.height = listed.height AND tx.position = listed.position
       WHERE listed.address = ?1 AND ${isPublished} AND (listed.height, listed.position) < (
         ifnull(?4, ifnull((SELECT height FROM tx WHERE id = ?6), 2147483647)),
         ifnull(?5, ifnull((SELECT position FROM tx WHERE id = ?6), 0))
       )
       ORDER BY listed.height DESC, listed.position DESC LIMIT ?2
     ), measured AS (
       SELECT height, position, sum(size_bytes) OVER newest_first AS total_bytes, row_number() OVER newest_first AS place
       FROM page WINDOW newest_first AS (ORDER BY height DESC, position DESC)
     )
     SELECT ${transactionColumns}, ${recordColumn} FROM measured
     JOIN tx ON tx.height = measured.height AND tx.position = measured.position
     WHERE total_bytes <= ?3 OR place = 1 ORDER BY place`,
    [address, limit, limitBytes, place?.height ?? null, place?.position ?? null, id ?? null],
    (rows) => rows.map(transactionOf),
  );
}
