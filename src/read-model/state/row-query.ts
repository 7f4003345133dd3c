/** Row queries of a view of the state on the published tables. */
import { bytesKey } from "../../crypto/bytes.ts";
import { parseBlock } from "../../protocol/blocks/parse-block.ts";
import { type BlockRow, blockTable } from "../../tables/blocks.ts";
import { dataEntryTable } from "../../tables/data-entries.ts";
import type { StoredValue } from "../../tables/schema/cell.ts";
import { bindKey } from "../../tables/schema/stored-row.ts";
import type { Row, Table } from "../../tables/schema/table.ts";
import { columnsOf, type ResultRow, type Selection } from "../columns.ts";
import { type Query, query, withRemoteKeys } from "../query.ts";
import type { KnownRows } from "./known-rows.ts";
import { remoteKeysOfRows, remoteKeysOfScalar } from "./remote-keys-of-rows.ts";

/** An account with fewer data entries is fetched in full at the first query for an unknown entry. */
const WHOLE_ACCOUNT_ENTRIES = 200;

export interface RowQuery {
  /** Queries with the same name have the same result. */
  readonly name: string;
  /** PERF: built only if the result is not cached; usually it is. */
  readonly query: () => Query<readonly ResultRow[]>;
  /** Stores a result. */
  readonly store: (rows: readonly ResultRow[], known: KnownRows) => void;
}

/** Rows of a table. @param tail SQL after `FROM table` */
export function rowsQuery(table: Table, tail: string, bindings: readonly StoredValue[], chainId: number): RowQuery {
  const name = nameOf(`${table.name} ${tail}`, bindings);
  return {
    name,
    query: () =>
      withRemoteKeys(
        () => remoteKeysOfRows(table, bindings),
        rawQuery(`SELECT ${publishedColumns(table).sql} FROM ${table.name} ${tail}`, bindings),
      ),
    store: (rows, known) =>
      known.store(
        name,
        rows.map((row) => rowOf(table, row, chainId)),
        cellBytesOf(rows),
      ),
  };
}

/** First column of the first row. */
export function scalarQuery(sql: string, bindings: readonly StoredValue[]): RowQuery {
  const name = nameOf(sql, bindings);
  return {
    name,
    query: () => withRemoteKeys(() => remoteKeysOfScalar(sql, bindings), rawQuery(sql, bindings)),
    store: (rows, known) =>
      known.store(
        name,
        rows.map((row) => Object.values(row)[0]),
        cellBytesOf(rows),
      ),
  };
}

/** An entry of an account's data. @param key bound: address and key of the entry */
export function entryRowQuery(key: readonly StoredValue[], chainId: number): RowQuery {
  return rowsQuery(dataEntryTable, dataEntryTable.whereKeySql, key, chainId);
}

/** All data entries of an account, if there are few. */
export function accountEntriesQuery(address: StoredValue, chainId: number): RowQuery {
  const name = nameOf("entries", [address]);
  return {
    name,
    query: () =>
      rawQuery(
        `SELECT ${publishedColumns(dataEntryTable).sql} FROM ${dataEntryTable.name} WHERE address = ? LIMIT ${WHOLE_ACCOUNT_ENTRIES}`,
        [address],
      ),
    store: (rows, known) => {
      for (const row of rows) {
        const key = bindKey(dataEntryTable, publishedColumns(dataEntryTable).read(row));
        entryRowQuery(key, chainId).store([row], known);
      }
      if (rows.length < WHOLE_ACCOUNT_ENTRIES) known.markWhole(name);
    },
  };
}

function rawQuery(sql: string, bindings: readonly StoredValue[]): Query<readonly ResultRow[]> {
  const bound = bindings.map((cell) => (cell instanceof ArrayBuffer ? new Uint8Array(cell) : cell));
  return query(sql, bound, (rows) => rows);
}

function rowOf(table: Table, result: ResultRow, chainId: number): Row {
  const row = publishedColumns(table).read(result);
  return table === (blockTable as Table) ? withHitSource(row as BlockRow, chainId) : row;
}

/**
 * Adds the hit source, which the read model lacks: it is the VRF output, or before version 5 the header's generation
 * signature.
 */
function withHitSource(row: BlockRow, chainId: number): BlockRow {
  const hitSource = row.vrf ?? parseBlock(row.header, chainId).header.generationSignature;
  return { ...row, hitSource };
}

const columnsByTable = new Map<Table, Selection<Row>>();

/** Every column of the table; unpublished ones have the value that the table declares. */
function publishedColumns(table: Table): Selection<Row> {
  let columns = columnsByTable.get(table);
  if (columns === undefined) {
    const fields = [...table.columns];
    const published = fields.flatMap(([field, column]) => (column.unpublished === undefined ? [field] : []));
    const { sql, read } = columnsOf(table, published);
    const absent = Object.fromEntries(
      fields.flatMap(([field, { unpublished }]) =>
        unpublished === undefined ? [] : [[field, unpublished.inReadModel]],
      ),
    );
    columns = { sql, read: (row) => ({ ...read(row), ...absent }) };
    columnsByTable.set(table, columns);
  }
  return columns;
}

/** Name of a query. Each value has its length in it, so that two different queries never have the same name. */
function nameOf(sql: string, bindings: readonly StoredValue[]): string {
  let name = sql;
  for (const cell of bindings) {
    const text = cell instanceof ArrayBuffer ? bytesKey(new Uint8Array(cell)) : String(cell);
    const kind = cell instanceof ArrayBuffer ? "blob" : cell === null ? "null" : typeof cell;
    name += `|${kind} ${text.length} ${text}`;
  }
  return name;
}

const numberBytes = 8;

function cellBytesOf(rows: readonly ResultRow[]): number {
  let sizeBytes = 0;
  for (const row of rows)
    for (const cell of Object.values(row)) sizeBytes += typeof cell === "string" ? cell.length : numberBytes;
  return sizeBytes;
}
