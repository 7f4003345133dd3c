/** The schema of a database in canonical form: equal schemas are equal texts, however their statements were written. */
import type { DatabaseSync } from "node:sqlite";

/** Tables of SQLite itself and of the platform. */
const foreign = /^(sqlite_|_cf_)/;

/** Tables and indexes by name. */
export type Schema = ReadonlyMap<string, string>;

export function schemaOf(database: DatabaseSync): Schema {
  const rows = database.prepare("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name").all();
  const own = rows.filter(({ name }) => !foreign.test(String(name)));
  return new Map(own.map(({ name, sql }) => [String(name), normalSql(String(sql))]));
}

/**
 * The statement without comments and redundant spaces; the key of a table follows its columns. A key column is never
 * NULL, with or without a declaration: files of the first version had none.
 */
export function normalSql(sql: string): string {
  const plain = sql
    .replace(/\/\*[\s\S]*?\*\/|--[^\n]*/g, " ")
    .replace(/\s+/g, " ")
    .replace(/ ?([(),]) ?/g, "$1")
    .trim();
  const table = /^CREATE TABLE (\w+)\((.*)\)(WITHOUT ROWID)?$/.exec(plain);
  if (table === null) return plain;
  const [, name, content = "", layout = ""] = table;
  const definitions = definitionsOf(content);
  const constraint = definitions.find((definition) => definition.startsWith("PRIMARY KEY("));
  const inline = definitions.find((definition) => / PRIMARY KEY(?! AUTOINCREMENT)/.test(definition));
  const key = constraint ?? (inline === undefined ? undefined : `PRIMARY KEY(${columnOf(inline)})`);
  const keyColumns = key === undefined ? [] : key.slice("PRIMARY KEY(".length, -1).split(",");
  const columns = definitions
    .filter((definition) => definition !== constraint)
    .map((definition) => {
      const isKey = keyColumns.includes(columnOf(definition)) || definition.includes(" PRIMARY KEY AUTOINCREMENT");
      return isKey ? definition.replace(/ PRIMARY KEY(?! AUTOINCREMENT)/, "").replace(" NOT NULL", "") : definition;
    });
  return `CREATE TABLE ${name}(${[...columns, ...(key === undefined ? [] : [key])].join(", ")})${layout}`;
}

/** Splits at commas outside parentheses. */
export function definitionsOf(content: string): string[] {
  return content.split(/,(?![^(]*\))/).map((definition) => definition.trim());
}

function columnOf(definition: string): string {
  return definition.slice(0, definition.indexOf(" "));
}
