/** SQL statements that create the tables. */
import type { Column } from "./column.ts";
import { keyNamesSql, sqlNameOf } from "./column.ts";
import { literalSql, sqlTypes } from "./column-sql.ts";
import type { TableShape } from "./table.ts";

/** ChainState's own database, or the read model. */
export type Database = "object" | "readModel";

/** Statements that create the table and its indexes. */
export function createSql(table: TableShape, database: Database): string[] {
  const { name, comment } = table;
  const definitions = columnsIn(table, database).map(([field, column]) => columnSql(table, field, column, database));
  // A number that is never reused must be declared with its column.
  if (table.numbered !== "once") definitions.push(`PRIMARY KEY (${keyNamesSql(table)})`);
  const lines = definitions.map((definition) => `  ${definition}`).join(",\n");
  const indexes = [...table.indexes].filter(([, { only }]) => only === undefined || only === database);
  return [
    `CREATE TABLE ${name} (${commentSql(comment)}\n${lines}\n)${isInKeyOrder(table) ? " WITHOUT ROWID" : ""}`,
    ...indexes.map(([index, { on, isUnique, where }]) => {
      const condition = where === undefined ? "" : ` WHERE ${where}`;
      return `CREATE ${isUnique ? "UNIQUE " : ""}INDEX ${index} ON ${name} (${on})${condition}`;
    }),
  ];
}

/** Columns of the table in the database, in their order. */
export function columnsIn(
  { columns, readModelColumns }: Pick<TableShape, "columns" | "readModelColumns">,
  database: Database,
): readonly (readonly [field: string, column: Column])[] {
  if (database === "object") return [...columns];
  return [...[...columns].filter(([, { unpublished }]) => unpublished === undefined), ...readModelColumns];
}

/** Column definition for CREATE TABLE and ALTER TABLE ADD COLUMN. */
export function columnSql(
  { key, numbered }: Pick<TableShape, "key" | "numbered">,
  field: string,
  column: Column,
  database: Database,
): string {
  const { kind, isNullable, isUnique, check, older, meaning } = column;
  const hasOlderRows = older !== undefined && (database === "readModel" || !older.onlyInReadModel);
  const parts = [
    sqlNameOf(field, column),
    sqlTypes[kind],
    key.includes(field) && numbered === "once" && "PRIMARY KEY AUTOINCREMENT",
    !isNullable && "NOT NULL",
    isUnique && "UNIQUE",
    check !== undefined && `CHECK (${check})`,
    hasOlderRows && `DEFAULT ${literalSql(older.value, column)}`,
    meaning !== undefined && commentSql(meaning),
  ];
  return parts.filter((part) => typeof part === "string").join(" ");
}

/** Whether rows are stored in the order of the key, instead of under a number from SQLite. */
export function isInKeyOrder({ key, columns, isAppended }: TableShape): boolean {
  const isNumber = key.length === 1 && columns.get(key[0] as string)?.kind === "int";
  return !isNumber && !isAppended;
}

function commentSql(text: string): string {
  return `/* ${text.replaceAll("*/", "* /")} */`;
}
