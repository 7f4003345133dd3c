/**
 * A table of the object and the table that holds copies of it, each under a number. Copies are made, compared and written
 * back by SQLite: rows pass through memory only where they are to be published.
 */
import { metaTable } from "../../src/tables/meta.ts";
import { keyNamesSql, sqlNameOf } from "../../src/tables/schema/column.ts";
import { jsonCellSql, readSql, sizeSql, sqlTypes } from "../../src/tables/schema/column-sql.ts";
import type { Table } from "../../src/tables/schema/table.ts";
import { keptMeta } from "./kept-tables.ts";

/** A question whose answer is read page by page. */
export interface PagedSql {
  /** The first rows, in the order of the key. ?: number of the copy; how many at most. */
  readonly first: string;
  /** Those behind a key. ?: its cells; then as `first`. */
  readonly next: string;
}

/** Rows, and beforehand of each how many characters its cells have as text, about and at most. */
export interface SizedSql extends PagedSql {
  readonly sizes: PagedSql;
}

export interface CopiedTable {
  readonly table: Table;
  /** Name of the table with the copies. */
  readonly name: string;
  readonly createSql: string;
  /** Copies all rows. ?: number of the copy. */
  readonly takeSql: string;
  /** Adds rows to a copy. ?: its number, and a JSON array of `rowText`. */
  readonly addSql: string;
  /** Forgets a copy. ?: its number. */
  readonly dropSql: string;
  /** Keys of rows that the copy has not. */
  readonly gone: PagedSql;
  /** Rows of the copy that the table has not or has otherwise. */
  readonly other: SizedSql;
  /** Rows of the copy. */
  readonly rows: SizedSql;
  /** Takes the rows of `gone` out of the table, and writes those of `other` to it. ?: number of the copy. */
  readonly removeGoneSql: string;
  readonly writeOtherSql: string;
}

export function copiedTable(table: Table): CopiedTable {
  const { columns, key } = table;
  const own = table.name;
  const name = `dev_copy_${own}`;
  const fields = [...columns].map(([field, column]) => ({ field, column, sql: sqlNameOf(field, column) }));
  const names = fields.map(({ sql }) => sql).join(", ");
  const keys = keyNamesSql(table);
  const isSameKey = fields
    .filter(({ field }) => key.includes(field))
    .map(({ sql }) => `${name}.${sql} = ${own}.${sql}`)
    .join(" AND ");
  const isSame = fields.map(({ sql }) => `${name}.${sql} IS ${own}.${sql}`).join(" AND ");
  // What the database says of itself is not all of the state.
  const isState = table === metaTable ? `name NOT IN (${keptMeta.map((kept) => `'${kept}'`).join(", ")})` : "TRUE";
  const isGone = `${isState} AND NOT EXISTS (SELECT 1 FROM ${name} WHERE copy_number = ? AND ${isSameKey})`;
  const isOther = `copy_number = ? AND NOT EXISTS (SELECT 1 FROM ${own} WHERE ${isSameKey} AND ${isSame})`;
  const paged = (select: string, condition: string): PagedSql => ({
    first: `${select} WHERE ${condition} ${table.byKeySql} LIMIT ?`,
    next: `${select} ${table.afterKeySql} AND ${condition} ${table.byKeySql} LIMIT ?`,
  });
  const selectKeys = `SELECT ${fields
    .filter(({ field }) => key.includes(field))
    .map(({ sql, column }) => readSql(sql, column))
    .join(", ")} FROM ${own}`;
  const selectRows = `SELECT ${fields.map(({ sql, column }) => readSql(sql, column)).join(", ")} FROM ${name}`;
  const selectSizes = `SELECT ${fields.map(({ sql, column }) => sizeSql(sql, column)).join(" + ")} FROM ${name}`;
  const sized = (condition: string): SizedSql => ({
    ...paged(selectRows, condition),
    sizes: paged(selectSizes, condition),
  });
  return {
    table,
    name,
    createSql: `CREATE TABLE ${name} (copy_number INTEGER, ${fields
      .map(({ sql, column }) => `${sql} ${sqlTypes[column.kind]}`)
      .join(", ")}, PRIMARY KEY (copy_number, ${keys})) WITHOUT ROWID`,
    takeSql: `INSERT INTO ${name} (copy_number, ${names}) SELECT ?, ${names} FROM ${own} WHERE ${isState}`,
    addSql: `INSERT INTO ${name} (copy_number, ${names})
      SELECT ?, ${fields.map(({ column }, index) => jsonCellSql(column, index)).join(", ")} FROM json_each(?)`,
    dropSql: `DELETE FROM ${name} WHERE copy_number = ?`,
    gone: paged(selectKeys, isGone),
    other: sized(isOther),
    rows: sized("copy_number = ?"),
    removeGoneSql: `DELETE FROM ${own} WHERE ${isGone}`,
    writeOtherSql: `INSERT OR REPLACE INTO ${own} (${names}) SELECT ${names} FROM ${name} WHERE ${isOther}`,
  };
}
