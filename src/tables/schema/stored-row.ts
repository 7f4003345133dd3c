/** Conversion of rows to and from SQLite, value by value. */
import { bindValue, readValue, type StoredValue, StoredValueError } from "./cell.ts";
import { type Column, sqlNameOf } from "./column.ts";
import { latestColumn, type Row, type Table } from "./table.ts";

/** Decodes a row from the values of `selectSql`. @throws StoredValueError */
export function readRow<R extends Row>(of: Table<R>, values: readonly StoredValue[]): R {
  const row: Record<string, unknown> = {};
  let index = 0;
  for (const [field, column] of of.columns) row[field] = readField(of, field, column, values[index++]);
  // Each field has the type of its column.
  return row as R;
}

/** Decodes the key columns from their values, in the key's order. @throws StoredValueError */
export function readKey<R extends Row>(of: Table<R>, values: readonly StoredValue[]): Partial<R> {
  const key = of.key.map((field, index) => [
    field,
    readField(of, field, of.columns.get(field) as Column, values[index]),
  ]);
  return Object.fromEntries(key) as Partial<R>;
}

/** Key values of a row, for `selectSql`. */
export function bindKey(of: Table, row: Row): StoredValue[] {
  return of.key.map((field) => bindValue(row[field], of.columns.get(field) as Column));
}

/** Value of a row's column `latestBy`, for `whereLatestSql`. */
export function bindLatest(of: Table, row: Row): StoredValue {
  const { field, column } = latestColumn(of);
  return bindValue(row[field], column);
}

/** Values of a row, for `insertSql`. */
export function bindRow(of: Table, row: Row): StoredValue[] {
  const inserted = [...of.columns].filter(([field]) => of.numbered === undefined || !of.key.includes(field));
  return inserted.map(([field, column]) => bindValue(row[field], column));
}

function readField({ name }: Table, field: string, column: Column, stored: StoredValue | undefined): unknown {
  try {
    return readValue(stored ?? null, column);
  } catch (cause) {
    throw new StoredValueError(name, sqlNameOf(field, column), stored, cause);
  }
}
