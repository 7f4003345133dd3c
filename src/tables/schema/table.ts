/**
 * Tables as data: name, key, columns and indexes are declared once. The statements of ChainState, the undo journal, the
 * outbox, the schemas of both databases and the decoders of the read model follow from them.
 */
import { type Column, type ColumnOf, keyNamesSql, sqlNameOf, type ValueOf } from "./column.ts";
import { cellSql, jsonCellSql, readSql } from "./column-sql.ts";

/** A row by field names. */
export type Row = { readonly [column: string]: unknown };

export interface Index {
  /** `column, column` in SQL. */
  readonly on: string;
  readonly isUnique?: true;
  /** Condition in SQL: other rows are not in the index. */
  readonly where?: string;
  /** The one database with the index; by default each that has the table. */
  readonly only?: "object" | "readModel";
}

/**
 * Rows of a table in a checkpoint:
 * - `all`
 * - `allOfLists`: all of a list, whose numbers depend on the way in which the node reached its state
 * - `ofItsBlocks`: by the column `height`, those of the checkpoint's blocks
 * - `ofForkableBlocks`: by the column `height`, those of blocks that a fork may still replace (each node has rows of
 *   its own there)
 * - `none`: they are not part of the chain state, or can be rebuilt
 */
export type CheckpointShare = "all" | "allOfLists" | "ofItsBlocks" | "ofForkableBlocks" | "none";

/** A table without its derived statements. */
export interface TableShape {
  readonly name: string;
  /** Description for readers of the database. */
  readonly comment: string;
  /** Fields that identify a row. */
  readonly key: readonly string[];
  readonly columns: ReadonlyMap<string, Column>;
  /** Whether ChainState has it and the publisher copies it to the read model. */
  readonly published: boolean;
  readonly inCheckpoint: CheckpointShare;
  /** Further columns of the read model only: the publisher computes their cells from the row, or leaves them NULL. */
  readonly readModelColumns: ReadonlyMap<string, Column>;
  /**
   * Whether rows are stored in order of arrival with an index for the key, instead of in the key's order: for rows of
   * hundreds of bytes with practically random keys.
   */
  readonly isAppended: boolean;
  /** A column that several rows may share a value of, used to find the last of them. */
  readonly latestBy: string | undefined;
  /**
   * Numbering of rows by SQLite, in the one column of the key. `once`: a number is never reused, whatever is removed.
   */
  readonly numbered: "again" | "once" | undefined;
  readonly indexes: ReadonlyMap<string, Index>;
}

export interface Table<R extends Row = Row> extends TableShape {
  /** Never a real value: carries the type of a row. */
  readonly row?: R;
  readonly selectSql: string;
  /** The parts of `selectSql`: columns and table, and the condition for a row's key. */
  readonly fromSql: string;
  readonly whereKeySql: string;
  /** Like `whereKeySql`, for the rows after the key, in the order of `byKeySql`. */
  readonly afterKeySql: string;
  readonly byKeySql: string;
  /** Condition and order for the last row, by key, with a value in the column `latestBy`. */
  readonly whereLatestSql: string;
  /**
   * Selects those of many values that the column `latestBy` has in any row: one parameter, a JSON array of `valueText`.
   */
  readonly knownSql: string;
  /** Like `knownSql`, for one value: a bound parameter. */
  readonly isKnownSql: string;
  /** Like `selectSql` for many rows: one parameter with all keys, a JSON array of `keyText`. */
  readonly prefetchSql: string;
  /** Writes rows: one parameter with all of them, a JSON array of `rowText`. */
  readonly writeSql: string;
  /** `writeSql` without the source of the rows: `json_each(?)`, or a source that may fail. */
  readonly writeFromSql: string;
  /**
   * Like `writeSql`, for the read model: without the unpublished columns, and with the read model's own columns, whose
   * cells follow those of the row.
   */
  readonly publishSql: string;
  /** Removes rows: one parameter with all keys, a JSON array of `keyText`. */
  readonly removeSql: string;
  /** Adds one row, with a parameter for each column except one that SQLite numbers. */
  readonly insertSql: string;
}

/** Type of a table's rows. */
export type RowOf<Of extends Table> = Of extends Table<infer R> ? R : never;

type RowOfColumns<Columns extends Readonly<Record<string, Column>>> = {
  readonly [Name in keyof Columns]: ValueOf<Columns[Name]>;
};

/** Declares a table. The order of its columns is significant. */
export function table<const Columns extends Readonly<Record<string, ColumnOf<unknown>>>>(declaration: {
  readonly name: string;
  readonly comment: string;
  readonly key: readonly (keyof Columns & string)[];
  readonly columns: Columns;
  readonly published: boolean;
  readonly inCheckpoint: CheckpointShare;
  readonly readModelColumns?: Readonly<Record<string, ColumnOf<unknown>>>;
  readonly isAppended?: true;
  readonly latestBy?: keyof Columns & string;
  readonly numbered?: "again" | "once";
  readonly indexes?: Readonly<Record<string, Index>>;
}): Table<RowOfColumns<Columns>> {
  const shape: TableShape = {
    name: declaration.name,
    comment: declaration.comment,
    key: declaration.key,
    columns: new Map(Object.entries<Column>(declaration.columns)),
    published: declaration.published,
    inCheckpoint: declaration.inCheckpoint,
    readModelColumns: new Map(Object.entries<Column>(declaration.readModelColumns ?? {})),
    isAppended: declaration.isAppended ?? false,
    latestBy: declaration.latestBy,
    numbered: declaration.numbered,
    indexes: new Map(Object.entries(declaration.indexes ?? {})),
  };
  checkLaterColumns(shape);
  return { ...shape, ...statementsOf(shape) };
}

/** The column `latestBy`. @throws Error if the table has none */
export function latestColumn({ name, columns, latestBy = "" }: Pick<TableShape, "name" | "columns" | "latestBy">): {
  readonly field: string;
  readonly column: Column;
} {
  const column = columns.get(latestBy);
  if (column === undefined) throw new Error(`rows of ${name} have no column by which the last one is found`);
  return { field: latestBy, column };
}

/** Undo records and the outbox store cells by position: later columns must follow the older ones. */
function checkLaterColumns({ name, key, columns, readModelColumns }: TableShape): void {
  for (const [field, { isNullable }] of readModelColumns)
    if (!isNullable) throw new Error(`${name}: rows of the read model may lack ${field}`);
  let isLater = false;
  for (const [field, { older }] of columns) {
    if (older !== undefined && key.includes(field))
      throw new Error(`${name}: a key cannot get the column ${field} later`);
    if (older === undefined && isLater)
      throw new Error(`${name}: ${field} stands behind a column that was added later`);
    if (older !== undefined && older.onlyInReadModel === undefined) isLater = true;
  }
}

function statementsOf(shape: TableShape): Omit<Table, keyof TableShape | "row"> {
  const { name, key, columns, readModelColumns, numbered, latestBy } = shape;
  const allFields = [...columns, ...readModelColumns].map(([field, column], index) => ({
    field,
    column,
    index,
    sql: sqlNameOf(field, column),
  }));
  const fields = allFields.slice(0, columns.size);
  const keyFields = key.map(
    (field) => fields.find((candidate) => candidate.field === field) as (typeof fields)[number],
  );
  const placeholder = ({ kind }: Column): string => (kind === "i64" ? "CAST(? AS INTEGER)" : "?");
  const select = fields.map(({ column, sql }) => readSql(sql, column)).join(", ");
  const fromSql = `SELECT ${select} FROM ${name}`;
  const whereKeySql = `WHERE ${keyFields.map(({ column, sql }) => `${sql} = ${placeholder(column)}`).join(" AND ")}`;
  const keyNames = keyNamesSql(shape);
  const keyCells = keyFields.map(({ column }, index) => jsonCellSql(column, index)).join(", ");
  const inKeysSql = `WHERE (${keyNames}) IN (SELECT ${keyCells} FROM json_each(?))`;
  const latest = fields.find(({ field }) => field === latestBy);
  const lastFirst = keyFields.map(({ sql }) => `${sql} DESC`).join(", ");
  // PERF: a row as JSON costs half as much as with bound parameters, and a thousand of them take one call. SQLite
  // parses JSON itself.
  const writeFrom = (written: typeof fields): string =>
    `INSERT OR REPLACE INTO ${name} (${written.map(({ sql }) => sql).join(", ")})
     SELECT ${written.map(({ column, index }) => jsonCellSql(column, index)).join(", ")} FROM`;
  const rowsSql = "json_each(?)";
  const inserted = numbered === undefined ? fields : fields.filter(({ field }) => !key.includes(field));
  return {
    selectSql: `${fromSql} ${whereKeySql}`,
    fromSql,
    whereKeySql,
    afterKeySql: `WHERE (${keyNames}) > (${keyFields.map(({ column }) => placeholder(column)).join(", ")})`,
    byKeySql: `ORDER BY ${keyNames}`,
    whereLatestSql:
      latest === undefined ? "" : `WHERE ${latest.sql} = ${placeholder(latest.column)} ORDER BY ${lastFirst} LIMIT 1`,
    knownSql:
      latest === undefined
        ? ""
        : `SELECT DISTINCT ${latest.sql} FROM ${name} WHERE ${latest.sql} IN (SELECT ${cellSql("value", latest.column)} FROM json_each(?))`,
    isKnownSql:
      latest === undefined
        ? ""
        : `SELECT ${latest.sql} FROM ${name} WHERE ${latest.sql} = ${placeholder(latest.column)} LIMIT 1`,
    prefetchSql: `${fromSql} ${inKeysSql}`,
    writeSql: `${writeFrom(fields)} ${rowsSql}`,
    writeFromSql: writeFrom(fields),
    publishSql: `${writeFrom(allFields.filter(({ column }) => column.unpublished === undefined))} ${rowsSql}`,
    removeSql: `DELETE FROM ${name} ${inKeysSql}`,
    insertSql: `INSERT INTO ${name} (${inserted.map(({ sql }) => sql).join(", ")})
      VALUES (${inserted.map(({ column }) => placeholder(column)).join(", ")})`,
  };
}
