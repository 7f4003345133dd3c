/**
 * Tables as data: name, key and columns stand once, and reading, writing, the undo journal and the publisher follow.
 *
 * Column codec: SQLite hands integers to JavaScript as doubles, so a 64-bit amount (`i64`) is bound as decimal text with
 * CAST(? AS INTEGER) and read with CAST(column AS TEXT); stored it stays an INTEGER that sorts and sums exactly.
 */
import { decodeHex } from "../../crypto/hex.ts";

export type ColumnKind =
  /** Raw bytes. */
  | "blob"
  | "text"
  /** Number that stays below 2^53: heights, counts, flags. */
  | "int"
  /** 64-bit integer as bigint. */
  | "i64";

export interface Column {
  readonly kind: ColumnKind;
  /** Whether the column may hold NULL (undefined in a row). */
  readonly nullable?: true;
  /** Kept in ChainState alone: the publisher leaves it out. */
  readonly unpublished?: true;
}

/** What SQLite takes and gives. */
export type StoredValue = ArrayBuffer | string | number | null;
export type Cell = Uint8Array | string | number | bigint | undefined;
/** A row by column name, as the code sees it. */
export type Row = { readonly [column: string]: Cell };

export interface Table<R extends Row = Row> {
  /** Never a real value: carries the type of a row. */
  readonly row?: R;
  readonly name: string;
  readonly key: readonly string[];
  readonly columns: ReadonlyMap<string, Column>;
  /** Whether the publisher copies it to the read model. */
  readonly published: boolean;
  readonly createSql: readonly string[];
  readonly selectSql: string;
  /** The parts of `selectSql`: what is read from where, and the condition that names a row by its key. */
  readonly fromSql: string;
  readonly whereKeySql: string;
  /** As `selectSql` for many rows: one parameter holds all keys, a JSON array of `keyText`. */
  readonly prefetchSql: string;
  /** Writes rows: one parameter holds them all, a JSON array of `rowText`. */
  readonly writeSql: string;
  /** As `writeSql`, for the read model: leaves the unpublished columns out. */
  readonly publishSql: string;
  /** Removes rows: one parameter holds all keys, a JSON array of `keyText`. */
  readonly removeSql: string;
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Name of the column in SQL: `leaseIn` is `lease_in`. */
export const columnSql = snakeCase;

const sqlType = { blob: "BLOB", text: "TEXT", int: "INTEGER", i64: "INTEGER" } as const;

/** Expression that reads the column without losing digits. */
export function readExpression(name: string, column: Column): string {
  return column.kind === "i64" ? `CAST(${snakeCase(name)} AS TEXT)` : snakeCase(name);
}

/**
 * Declares a table. Its columns are the fields of the row type, in the order given; the first `key` fields identify a row.
 * @param isAppended rows stand in the order in which they come, with an index for the key, instead of in the key's order:
 *   for rows of hundreds of bytes whose keys are as good as random
 * @param indexes further indexes as `column, column` lists in SQL names; `unique ` before it makes it unique
 */
export function table<R extends Row>(declaration: {
  name: string;
  key: readonly (keyof R & string)[];
  columns: Readonly<Record<keyof R & string, ColumnKind | Column>>;
  published: boolean;
  isAppended?: true;
  indexes?: Readonly<Record<string, string>>;
}): Table<R> {
  const columns = new Map<string, Column>();
  for (const [name, column] of Object.entries(declaration.columns))
    columns.set(name, typeof column === "string" ? { kind: column } : column);
  const names = [...columns.keys()];
  const { name, key } = declaration;
  const definitions = names.map((column) => {
    const { kind, nullable } = columns.get(column) as Column;
    return `${snakeCase(column)} ${sqlType[kind]}${nullable ? "" : " NOT NULL"}`;
  });
  const place = (column: string): string =>
    (columns.get(column) as Column).kind === "i64" ? "CAST(? AS INTEGER)" : "?";
  const whereKeySql = `WHERE ${key.map((column) => `${snakeCase(column)} = ${place(column)}`).join(" AND ")}`;
  const select = names.map((column) => readExpression(column, columns.get(column) as Column)).join(", ");
  const fromSql = `SELECT ${select} FROM ${name}`;
  const keyNames = key.map(snakeCase).join(", ");
  const keyCells = key.map((column, index) => jsonCell(columns.get(column) as Column, index)).join(", ");
  const onlyIntegerKey = key.length === 1 && columns.get(key[0] as string)?.kind === "int";
  const layout = onlyIntegerKey || declaration.isAppended ? "" : " WITHOUT ROWID";
  return {
    name,
    key,
    columns,
    published: declaration.published,
    createSql: [
      `CREATE TABLE ${name} (${definitions.join(", ")}, PRIMARY KEY (${keyNames}))${layout}`,
      ...Object.entries(declaration.indexes ?? {}).map(([index, on]) => {
        const unique = on.startsWith("unique ");
        return `CREATE ${unique ? "UNIQUE " : ""}INDEX ${index} ON ${name} (${unique ? on.slice(7) : on})`;
      }),
    ],
    selectSql: `${fromSql} ${whereKeySql}`,
    fromSql,
    whereKeySql,
    prefetchSql: `SELECT ${select} FROM ${name} WHERE (${keyNames}) IN (SELECT ${keyCells} FROM json_each(?))`,
    writeSql: writeRowsSql(name, columns, () => true),
    publishSql: writeRowsSql(name, columns, ({ unpublished }) => !unpublished),
    removeSql: `DELETE FROM ${name} WHERE (${keyNames}) IN (SELECT ${keyCells} FROM json_each(?))`,
  };
}

/**
 * PERF: a row as JSON costs half of what it costs as bound parameters, and a thousand of them one call. SQLite takes JSON
 * apart itself.
 */
function writeRowsSql(
  name: string,
  columns: ReadonlyMap<string, Column>,
  isWritten: (column: Column) => boolean,
): string {
  const written = [...columns]
    .map(([column, kind], index) => ({ column, kind, index }))
    .filter(({ kind }) => isWritten(kind));
  const names = written.map(({ column }) => snakeCase(column)).join(", ");
  const cells = written.map(({ kind, index }) => jsonCell(kind, index)).join(", ");
  return `INSERT OR REPLACE INTO ${name} (${names}) SELECT ${cells} FROM json_each(?)`;
}

function jsonCell({ kind }: Column, index: number): string {
  const cell = `value ->> ${index}`;
  if (kind === "blob") return `unhex(${cell})`;
  return kind === "i64" ? `CAST(${cell} AS INTEGER)` : cell;
}

/** The value as SQLite takes it. */
export function bindCell(cell: Cell): StoredValue {
  if (cell === undefined) return null;
  if (typeof cell === "bigint") return cell.toString();
  if (cell instanceof Uint8Array) {
    const { buffer, byteOffset, byteLength } = cell;
    return (
      byteOffset === 0 && byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)
    ) as ArrayBuffer;
  }
  return cell;
}

/** The value as the code sees it. */
export function readCell(stored: StoredValue, kind: ColumnKind): Cell {
  if (stored === null) return undefined;
  if (kind === "i64") return BigInt(stored as string);
  if (kind === "blob") return new Uint8Array(stored as ArrayBuffer);
  return stored as string | number;
}

/** A row out of the values of `selectSql`. */
export function readRow<R extends Row>(of: Table<R>, values: readonly StoredValue[]): R {
  const row: Record<string, Cell> = {};
  let index = 0;
  for (const [name, { kind }] of of.columns) row[name] = readCell(values[index++] as StoredValue, kind);
  return row as R;
}

/** Key values of a row, for `selectSql`. */
export function bindKey(of: Table, row: Row): StoredValue[] {
  return of.key.map((name) => bindCell(row[name]));
}

/** A cell as JSON keeps it exactly: bytes as hex, 64-bit integers as decimal text. */
export type JsonCell = string | number | null;

export function cellFromJson(json: JsonCell, kind: ColumnKind): Cell {
  if (json === null) return undefined;
  if (kind === "i64") return BigInt(json);
  if (kind === "blob") return decodeHex(json as string);
  return json;
}
