/**
 * Columns as data: stored form and type of their values. SQLite passes integers to JavaScript as doubles, so a 64-bit
 * amount (`i64`) is bound as decimal text with CAST(? AS INTEGER) and read with CAST(column AS TEXT); it is stored as
 * an INTEGER that sorts and sums exactly.
 */

/**
 * Storage class: raw bytes, text, an integer below 2^53 (heights, counts, codes), or a 64-bit integer (`bigint` in
 * JavaScript).
 */
export type CellKind = "blob" | "text" | "int" | "i64";

/** A value in stored form, exact. NULL is not a cell. */
export type Cell = Uint8Array | string | number | bigint;

export interface Column {
  readonly kind: CellKind;
  /** Name in SQL, if it is not the field's name in snake case. */
  readonly sqlName?: string;
  /** Converts a value to its cell, if they differ. */
  readonly encode?: (value: unknown) => Cell;
  /** Converts a cell to its value. @throws Error with the reason */
  readonly decode?: (cell: Cell) => unknown;
  /** Meaning of the cells, for readers of the database. */
  readonly meaning?: string;
  /** Whether long values are stored as base64 in JSON, and so in the tables. */
  readonly isLong?: true;
  /** Whether the column may hold NULL (undefined in a row). */
  readonly isNullable?: true;
  /** Whether cells must be unique. */
  readonly isUnique?: true;
  /** A condition that SQLite checks, e.g. `id = 1`. */
  readonly check?: string;
  /** Stored only in ChainState: the publisher omits it, and rows from the read model have this value. */
  readonly unpublished?: { readonly inReadModel: unknown };
  /** Value in rows older than the column. */
  readonly older?: { readonly value: unknown; readonly onlyInReadModel?: true };
}

declare const valueType: unique symbol;

/** A column with the type of its values. */
export interface ColumnOf<Value> extends Column {
  /** Never present: carries the type. */
  readonly [valueType]: Value;
}

export type ValueOf<Of extends Column> = Of extends ColumnOf<infer Value> ? Value : never;

/** The only place that assigns a type to a column. */
function column<Value>(declaration: Column): ColumnOf<Value> {
  return declaration as ColumnOf<Value>;
}

export const text = column<string>({ kind: "text" });
export const int = column<number>({ kind: "int" });
export const i64 = column<bigint>({ kind: "i64" });

/** Raw bytes with a type of their own for the compiler. */
export function bytes<Kind extends Uint8Array = Uint8Array>(): ColumnOf<Kind> {
  return column({ kind: "blob" });
}

/** Raw bytes that may exceed half of the maximum size of a row: as hex they would not fit into one. */
export function longBytes(): ColumnOf<Uint8Array> {
  return column({ kind: "blob", isLong: true });
}

/** Bytes that encode another value. @param meaning their format */
export function encodedBytes<Value>(
  encode: (value: Value) => Uint8Array,
  decode: (bytes: Uint8Array) => Value,
  meaning: string,
): ColumnOf<Value> {
  return column({
    kind: "blob",
    encode: encode as (value: unknown) => Cell,
    decode: decode as (cell: Cell) => Value,
    meaning,
  });
}

/** A boolean. */
export const flag = column<boolean>({
  kind: "int",
  encode: (value) => {
    if (typeof value !== "boolean") throw new Error(`${value} is neither true nor false`);
    return value ? 1 : 0;
  },
  decode: (cell) => {
    if (cell !== 0 && cell !== 1) throw new Error("neither 0 nor 1");
    return cell === 1;
  },
  meaning: "0 no, 1 yes",
});

/** One of a closed set, stored as its index in the list: new values go to the end. */
export function oneOf<const Value extends string>(values: readonly Value[]): ColumnOf<Value> {
  const codes = new Map<unknown, number>(values.map((value, code) => [value, code]));
  return column({
    kind: "int",
    encode: (value) => known(codes.get(value), values),
    decode: (cell) => known(values[cell as number], values),
    meaning: values.map((value, code) => `${code} ${value}`).join(", "),
  });
}

/** One of a closed set, stored as text. */
export function oneOfTexts<const Value extends string>(values: readonly Value[]): ColumnOf<Value> {
  const check = (value: unknown) => {
    const found = values.find((candidate) => candidate === value);
    return known(found, values);
  };
  return column({ kind: "text", encode: check, decode: check, meaning: values.join(", ") });
}

function known<T>(value: T | undefined, values: readonly string[]): T {
  if (value === undefined) throw new Error(`none of ${values.join(", ")}`);
  return value;
}

/** An integer that may exceed 64 bits: the volumes of the oldest assets of mainnet do, and scores. */
export const bigDecimal = column<bigint>({
  kind: "text",
  encode: (value) => String(value),
  decode: (cell) => {
    if (!/^-?\d+$/.test(cell as string)) throw new Error("no decimal number");
    return BigInt(cell as string);
  },
  meaning: "a decimal number: it may pass 64 bits",
});

export function nullable<Value>(of: ColumnOf<Value>): ColumnOf<Value | undefined> {
  return { ...of, isNullable: true };
}

export function unique<Value>(of: ColumnOf<Value>): ColumnOf<Value> {
  return { ...of, isUnique: true };
}

export function checked<Value>(of: ColumnOf<Value>, condition: string): ColumnOf<Value> {
  return { ...of, check: condition };
}

/** @param sqlName name in SQL */
export function named<Value>(sqlName: string, of: ColumnOf<Value>): ColumnOf<Value> {
  return { ...of, sqlName };
}

/** @param inReadModel value in rows from the read model: their readers do not use it */
export function unpublished<Value>(of: ColumnOf<Value>, inReadModel: NoInfer<Value>): ColumnOf<Value> {
  return { ...of, unpublished: { inReadModel } };
}

/**
 * A column that a later version of the schema added: it follows the older ones.
 * @param older value in older rows: in tables, undo records and the outbox
 */
export function addedLater<Value>(of: ColumnOf<Value>, older: NoInfer<Value>): ColumnOf<Value> {
  return { ...of, older: { value: older } };
}

/** A column that the read model got after its first rows, while ChainState has always had it. */
export function publishedLater<Value>(of: ColumnOf<Value>, older: NoInfer<Value>): ColumnOf<Value> {
  return { ...of, older: { value: older, onlyInReadModel: true } };
}

/** Name of the column in SQL: `leaseIn` is `lease_in`. */
export function sqlNameOf(field: string, { sqlName }: Column): string {
  return sqlName ?? field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** SQL list of a table's key columns. */
export function keyNamesSql({
  key,
  columns,
}: {
  readonly key: readonly string[];
  readonly columns: ReadonlyMap<string, Column>;
}): string {
  return key.map((field) => sqlNameOf(field, columns.get(field) as Column)).join(", ");
}
