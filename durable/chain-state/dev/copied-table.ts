/**
 * Table of the object and the table with its copies, each under a number. SQLite itself makes, compares and restores
 * the copies: rows pass through memory only to be published.
 */
import { metaTable } from "../../../src/tables/meta.ts";
import { keyNamesSql, sqlNameOf } from "../../../src/tables/schema/column.ts";
import { jsonCellSql, readSql, sizeSql, sqlTypes } from "../../../src/tables/schema/column-sql.ts";
import type { Table } from "../../../src/tables/schema/table.ts";
import { nonStateMeta } from "./non-state-tables.ts";

/** Query that is read page by page. */
export interface PagedSql {
  /** First rows, in the order of the key. ?: number of the copy; limit. */
  readonly first: string;
  /** Rows after a key. ?: cells of the key; then as `first`. */
  readonly next: string;
}

/** Query of rows, with a query of their sizes: approximate maximum of the characters of a row's cells as text. */
export interface SizedSql extends PagedSql {
  readonly sizes: PagedSql;
}

export interface CopiedTable {
  readonly table: Table;
  /** Name of the table with the copies. */
  readonly name: string;
  readonly createSql: string;
  /** Copies all rows. ?: number of the copy. */
  readonly copySql: string;
  /** Adds rows to a copy. ?: number of the copy, and a JSON array of `rowText`. */
  readonly addSql: string;
  /** Deletes a copy. ?: number of the copy. */
  readonly dropSql: string;
  /** Keys of rows that are missing in the copy. */
  readonly surplus: PagedSql;
  /** Rows of the copy that are missing in the table, or differ. */
  readonly other: SizedSql;
  /** Rows of the copy. */
  readonly rows: SizedSql;
  /** Removes the rows of `gone` from the table, and writes those of `other` to it. ?: number of the copy. */
  readonly removeSurplusSql: string;
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
  // Some metadata of the database is not part of the state.
  const isState =
    table === metaTable ? `name NOT IN (${nonStateMeta.map((metaName) => `'${metaName}'`).join(", ")})` : "TRUE";
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
    copySql: `INSERT INTO ${name} (copy_number, ${names}) SELECT ?, ${names} FROM ${own} WHERE ${isState}`,
    addSql: `INSERT INTO ${name} (copy_number, ${names})
      SELECT ?, ${fields.map(({ column }, index) => jsonCellSql(column, index)).join(", ")} FROM json_each(?)`,
    dropSql: `DELETE FROM ${name} WHERE copy_number = ?`,
    surplus: paged(selectKeys, isGone),
    other: sized(isOther),
    rows: sized("copy_number = ?"),
    removeSurplusSql: `DELETE FROM ${own} WHERE ${isGone}`,
    writeOtherSql: `INSERT OR REPLACE INTO ${own} (${names}) SELECT ${names} FROM ${name} WHERE ${isOther}`,
  };
}
