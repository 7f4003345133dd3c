/** Difference between a database's schema and the declared tables, as the statements of the next migration. */
import { columnSql, columnsIn, createSql, type Database } from "../../../src/tables/schema/schema-text.ts";
import type { TableShape } from "../../../src/tables/schema/table.ts";
import { definitionsOf, normalSql, type Schema } from "./schema-of.ts";

/**
 * @param tables all declared tables of the database
 * @returns empty if it is as declared
 * @throws Error if columns were changed or removed: no statement does that, and rows must be moved by hand
 */
export function missingStatements(schema: Schema, tables: readonly TableShape[], database: Database): string[] {
  const declared = tables.map((table) => ({ table, statements: createSql(table, database) }));
  const names = new Set(declared.flatMap(({ statements }) => statements.map(nameOf)));
  const dropped = [...schema].filter(([name]) => !names.has(name)).map(([name, sql]) => dropSql(name, sql));
  const made = declared.flatMap(({ table, statements: [create = "", ...indexes] }) => {
    const found = schema.get(table.name);
    if (found === undefined) return [create, ...indexes];
    return [
      ...addedColumns(table, found, create, database),
      ...indexes.flatMap((index) => {
        const known = schema.get(nameOf(index));
        if (known === undefined) return [index];
        return known === normalSql(index) ? [] : [dropSql(nameOf(index), known), index];
      }),
    ];
  });
  return [...dropped, ...made];
}

function addedColumns(table: TableShape, found: string, create: string, database: Database): string[] {
  const [before, after] = [columnsOf(found), columnsOf(normalSql(create))];
  const isPrefix = before.every((column, index) => column === after[index]);
  if (!isPrefix)
    throw new Error(`table ${table.name} is\n${found}\nand declared as\n${normalSql(create)}\nno column can be added`);
  return columnsIn(table, database)
    .slice(before.length)
    .map(([field, column]) => `ALTER TABLE ${table.name} ADD COLUMN ${columnSql(table, field, column, database)}`);
}

/** Column definitions of a table in the form of `normalSql`. */
function columnsOf(create: string): string[] {
  const content = create.slice(create.indexOf("(") + 1, create.lastIndexOf(")"));
  return definitionsOf(content).filter((definition) => !definition.startsWith("PRIMARY KEY("));
}

function nameOf(statement: string): string {
  return /^CREATE (?:TABLE|(?:UNIQUE )?INDEX) (\w+)/.exec(statement)?.[1] ?? "";
}

function dropSql(name: string, sql: string): string {
  return `DROP ${sql.startsWith("CREATE TABLE") ? "TABLE" : "INDEX"} ${name}`;
}
