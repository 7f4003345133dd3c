/**
 * Tables as data: name, key, columns and indexes stand once. The statements of ChainState, the undo journal, the outbox,
 * the schemas of both databases and the decoders of the read model follow from them.
 */
import { type Column, type ColumnOf, keyNamesSql, sqlNameOf, type ValueOf } from "./column.ts";
import { cellSql, jsonCellSql, readSql } from "./column-sql.ts";

/** A row by the names of its columns, as the code sees it. */
export type Row = { readonly [column: string]: unknown };

export interface Index {
  /** `column, column` in SQL. */
  readonly on: string;
  readonly isUnique?: true;
  /** Condition in SQL: other rows are not in the index. */
  readonly where?: string;
  /** The one database that has it; by default each that has the table. */
  readonly only?: "object" | "readModel";
}

/**
 * Which of a table's rows a checkpoint carries: `all`; all of a list (`allOfLists`), whose numbers follow the way on which the node has
 * come to its state; by the column `height` those of the blocks that it carries (`ofItsBlocks`), or of
 * those that a fork may still replace (`ofForkableBlocks`: rows that each node has of its own way there); or `none`: they are no state
 * of the chain, or are made anew.
 */
export type CheckpointShare = "all" | "allOfLists" | "ofItsBlocks" | "ofForkableBlocks" | "none";

/** A table without the statements that follow. */
export interface TableShape {
  readonly name: string;
  /** For who reads the database. */
  readonly comment: string;
  /** Fields that identify a row. */
  readonly key: readonly string[];
  readonly columns: ReadonlyMap<string, Column>;
  /** Whether ChainState has it and the publisher copies it to the read model. */
  readonly published: boolean;
  readonly inCheckpoint: CheckpointShare;
  /**
   * Columns behind the others that the read model alone has: the publisher makes their cells of the row, and where it makes
   * none they are NULL.
   */
  readonly readModelColumns: ReadonlyMap<string, Column>;
  /**
   * Rows stand in the order in which they come, with an index for the key, instead of in the key's order: for rows of
   * hundreds of bytes whose keys are as good as random.
   */
  readonly isAppended: boolean;
  /** A column of which several rows may hold the same value, and by which the last of them is looked for. */
  readonly latestBy: string | undefined;
  /** SQLite numbers the rows itself, in the one column of the key. `once`: no number comes twice, whatever is removed. */
  readonly numbered: "again" | "once" | undefined;
  readonly indexes: ReadonlyMap<string, Index>;
}

export interface Table<R extends Row = Row> extends TableShape {
  /** Never a real value: carries the type of a row. */
  readonly row?: R;
  readonly selectSql: string;
  /** The parts of `selectSql`: what is read from where, and the condition that names a row by its key. */
  readonly fromSql: string;
  readonly whereKeySql: string;
  /** As `whereKeySql`, for the rows behind the one with the key, in the order of `byKeySql`. */
  readonly afterKeySql: string;
  readonly byKeySql: string;
  /** Condition and order of the last row, in the order of the key, that holds a value in the column `latestBy`. */
  readonly whereLatestSql: string;
  /** Which of many values the column `latestBy` holds in any row: one parameter, a JSON array of `valueText`. */
  readonly knownSql: string;
  /** As `knownSql`, for one value: a bound parameter. */
  readonly isKnownSql: string;
  /** As `selectSql` for many rows: one parameter holds all keys, a JSON array of `keyText`. */
  readonly prefetchSql: string;
  /** Writes rows: one parameter holds them all, a JSON array of `rowText`. */
  readonly writeSql: string;
  /** `writeSql` up to what makes rows of the parameter: `json_each(?)`, or what refuses to. */
  readonly writeFromSql: string;
  /**
   * As `writeSql`, for the read model: leaves the unpublished columns out, and takes the cells of those that it alone has from
   * behind the row's own.
   */
  readonly publishSql: string;
  /** Removes rows: one parameter holds all keys, a JSON array of `keyText`. */
  readonly removeSql: string;
  /** Adds one row, a parameter for each of its columns; without a column that SQLite numbers. */
  readonly insertSql: string;
}

/** The type of a table's rows. */
export type RowOf<Of extends Table> = Of extends Table<infer R> ? R : never;

type RowOfColumns<Columns extends Readonly<Record<string, Column>>> = {
  readonly [Name in keyof Columns]: ValueOf<Columns[Name]>;
};

/** Declares a table. Its columns come in the order given. */
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

/** The column `latestBy`. @throws Error when the table has none */
export function latestColumn({ name, columns, latestBy = "" }: Pick<TableShape, "name" | "columns" | "latestBy">): {
  readonly field: string;
  readonly column: Column;
} {
  const column = columns.get(latestBy);
  if (column === undefined) throw new Error(`rows of ${name} have no column by which the last one is found`);
  return { field: latestBy, column };
}

/** Undo records and the outbox hold cells by position: what comes later stands at the end. */
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
  const place = ({ kind }: Column): string => (kind === "i64" ? "CAST(? AS INTEGER)" : "?");
  const select = fields.map(({ column, sql }) => readSql(sql, column)).join(", ");
  const fromSql = `SELECT ${select} FROM ${name}`;
  const whereKeySql = `WHERE ${keyFields.map(({ column, sql }) => `${sql} = ${place(column)}`).join(" AND ")}`;
  const keyNames = keyNamesSql(shape);
  const keyCells = keyFields.map(({ column }, index) => jsonCellSql(column, index)).join(", ");
  const inKeysSql = `WHERE (${keyNames}) IN (SELECT ${keyCells} FROM json_each(?))`;
  const latest = fields.find(({ field }) => field === latestBy);
  const lastFirst = keyFields.map(({ sql }) => `${sql} DESC`).join(", ");
  // PERF: a row as JSON costs half of what it costs as bound parameters, and a thousand of them one call. SQLite takes
  // JSON apart itself.
  const writeFrom = (written: typeof fields): string =>
    `INSERT OR REPLACE INTO ${name} (${written.map(({ sql }) => sql).join(", ")})
     SELECT ${written.map(({ column, index }) => jsonCellSql(column, index)).join(", ")} FROM`;
  const rowsSql = "json_each(?)";
  const inserted = numbered === undefined ? fields : fields.filter(({ field }) => !key.includes(field));
  return {
    selectSql: `${fromSql} ${whereKeySql}`,
    fromSql,
    whereKeySql,
    afterKeySql: `WHERE (${keyNames}) > (${keyFields.map(({ column }) => place(column)).join(", ")})`,
    byKeySql: `ORDER BY ${keyNames}`,
    whereLatestSql:
      latest === undefined ? "" : `WHERE ${latest.sql} = ${place(latest.column)} ORDER BY ${lastFirst} LIMIT 1`,
    knownSql:
      latest === undefined
        ? ""
        : `SELECT DISTINCT ${latest.sql} FROM ${name} WHERE ${latest.sql} IN (SELECT ${cellSql("value", latest.column)} FROM json_each(?))`,
    isKnownSql:
      latest === undefined
        ? ""
        : `SELECT ${latest.sql} FROM ${name} WHERE ${latest.sql} = ${place(latest.column)} LIMIT 1`,
    prefetchSql: `${fromSql} ${inKeysSql}`,
    writeSql: `${writeFrom(fields)} ${rowsSql}`,
    writeFromSql: writeFrom(fields),
    publishSql: `${writeFrom(allFields.filter(({ column }) => column.unpublished === undefined))} ${rowsSql}`,
    removeSql: `DELETE FROM ${name} ${inKeysSql}`,
    insertSql: `INSERT INTO ${name} (${inserted.map(({ sql }) => sql).join(", ")})
      VALUES (${inserted.map(({ column }) => place(column)).join(", ")})`,
  };
}
