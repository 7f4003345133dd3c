/**
 * Tables of a candidate chain: rows that differ from the chain's are in tables of their own, all others are read from
 * the chain's tables, which are never written. Statements of the chain's components run with table names replaced.
 * @see docs/decisions/0074-candidate-chain.md
 */
import { stateTables } from "../../../src/tables/all-tables.ts";
import { outboxTable, STATE_MARK, undoTable } from "../../../src/tables/journal.ts";
import { metaTable } from "../../../src/tables/meta.ts";
import type { StoredValue } from "../../../src/tables/schema/cell.ts";
import { type Column, keyNamesSql, sqlNameOf } from "../../../src/tables/schema/column.ts";
import { jsonCellSql, sqlTypes } from "../../../src/tables/schema/column-sql.ts";
import { parameters } from "../../../src/tables/schema/row-text.ts";
import { createSql, isInKeyOrder } from "../../../src/tables/schema/schema-text.ts";
import type { Table } from "../../../src/tables/schema/table.ts";
import type { SqlDatabase } from "../../sql/sql-database.ts";
import type { CommitPosition } from "./state-store.ts";

/** Table of the chain, with statements about its counterpart in the candidate. */
interface CandidateTable {
  readonly table: Table;
  /** Name of the table with the rows that differ and the keys of rows that are gone. */
  readonly own: string;
  readonly createSql: readonly string[];
  /** All rows of the candidate, in parentheses. */
  readonly rowsSql: string;
  /** Marks rows as gone. ?: JSON array of `keyText` */
  readonly markGoneSql: string;
  /** Indexes of the keys whose rows do not differ. ?: JSON array of `keyText` */
  readonly unchangedSql: string;
  /** Moves the rows into the chain's table: removals, then rows. */
  readonly moveInSql: readonly string[];
}

const candidateTables = [...stateTables, undoTable].map(candidateTable);
/** Named values; only the one named in `moveIn` goes to the chain. */
const candidateMeta = candidateTable(metaTable);
const all = [...candidateTables, candidateMeta];
const byName = new Map(all.map((each) => [each.table.name, each]));
const byRemoval = new Map(all.map((each) => [each.table.removeSql, each]));
/** Outbox of the candidate; the chain's outbox is not read. */
const outboxName = ownName(outboxTable.name);

const NAMED_TABLE = /\b(FROM|JOIN|INSERT INTO|INTO)\s+([a-z_0-9]+)\b(\s+AS\s+[a-z_0-9]+)?/g;
const ANY_CHANGE = /^\s*(DELETE|UPDATE|REPLACE|DROP|CREATE|ALTER)\b/i;

export class CandidateDatabase implements SqlDatabase {
  readonly #sql: SqlDatabase;
  readonly #statements = new Map<string, string>();

  /** @param sql the chain's database */
  constructor(sql: SqlDatabase) {
    this.#sql = sql;
  }

  get isThere(): boolean {
    return this.#sql.exec("SELECT 1 FROM sqlite_master WHERE name = ?", outboxName).raw().toArray().length > 0;
  }

  /** Creates the tables: the candidate then equals the chain. */
  create(): void {
    for (const statement of all.flatMap((each) => each.createSql)) this.#sql.exec(statement);
    for (const statement of createSql({ ...outboxTable, name: outboxName }, "object")) this.#sql.exec(statement);
  }

  drop(): void {
    dropCandidate(this.#sql);
  }

  exec(query: string, ...bindings: StoredValue[]): ReturnType<SqlDatabase["exec"]> {
    return this.#sql.exec(this.#statement(query), ...bindings);
  }

  transaction<T>(run: () => T): T {
    return this.#sql.transaction(run);
  }

  /** Subset of the keys whose rows do not differ from the chain's so far. @param keys as `keyText` */
  unchanged({ name }: Table, keys: readonly string[]): ReadonlySet<string> {
    const { unchangedSql } = byName.get(name) as CandidateTable;
    const unchanged = new Set<string>();
    let first = 0;
    for (const parameter of parameters(keys)) {
      const { length } = JSON.parse(parameter) as readonly unknown[];
      for (const [index] of this.#sql.exec(unchangedSql, parameter).raw().toArray())
        unchanged.add(keys[first + Number(index)] as string);
      first += length;
    }
    return unchanged;
  }

  /** Hides the chain's undo records at a height from the candidate. @param step only records after this step */
  hideUndo({ height, step }: CommitPosition): void {
    this.#sql.exec(HIDE_UNDO_SQL, height, step);
  }

  /** Moves the rows into the chain's tables. @param metaName name of the value that goes with them */
  moveIn(metaName: string): void {
    for (const { moveInSql } of candidateTables) for (const statement of moveInSql) this.#sql.exec(statement);
    this.#sql.exec(MOVE_META_SQL, metaName);
    // Without marks: the states in between are not published.
    this.#sql.exec(MOVE_OUTBOX_SQL);
  }

  #statement(query: string): string {
    let statement = this.#statements.get(query);
    if (statement === undefined) {
      statement = byRemoval.get(query)?.markGoneSql ?? rewritten(query);
      this.#statements.set(query, statement);
    }
    return statement;
  }
}

/** Drops the tables of a candidate, if there are any. */
export function dropCandidate(sql: SqlDatabase): void {
  for (const name of [...all.map(({ own }) => own), outboxName]) sql.exec(`DROP TABLE IF EXISTS ${name}`);
}

/** Statement of the chain as one about the candidate. @throws Error if it would change the chain's tables */
function rewritten(query: string): string {
  if (ANY_CHANGE.test(query)) throw new Error(`a candidate has no such statement: ${query}`);
  return query.replace(NAMED_TABLE, (text, word: string, name: string, alias = ` AS ${name}`) => {
    if (name === outboxTable.name) return `${word} ${outboxName}`;
    const found = byName.get(name);
    if (found === undefined) return text;
    if (word === "INTO") return `INTO ${found.own}`;
    // The row may replace a mark that it is gone.
    return word === "INSERT INTO" ? `INSERT OR REPLACE INTO ${found.own}` : `${word} ${found.rowsSql}${alias}`;
  });
}

function ownName(name: string): string {
  return `candidate_${name}`;
}

function candidateTable(table: Table): CandidateTable {
  const { name, key, columns, indexes } = table;
  const own = ownName(name);
  const fields = [...columns].map(([field, column]) => ({ field, column, sql: sqlNameOf(field, column) }));
  const names = fields.map(({ sql }) => sql).join(", ");
  const keys = keyNamesSql(table);
  const keyColumns = key.map((field) => columns.get(field) as Column);
  const keySqls = key.map((field, index) => sqlNameOf(field, keyColumns[index] as Column));
  const keyCells = keyColumns.map((column, index) => jsonCellSql(column, index));
  const isSameRow = keySqls.map((sql) => `own.${sql} = ${name}.${sql}`).join(" AND ");
  // Named by number, since columns may have the names of `json_each`, e.g. `key`.
  const given = keyCells.map((cell, index) => `${cell} AS cell_${index}`).join(", ");
  const isGiven = keySqls.map((sql, index) => `own.${sql} = given.cell_${index}`).join(" AND ");
  // Without constraints: rows that are gone have only a key.
  const definitions = fields.map(({ sql, column }) => `${sql} ${sqlTypes[column.kind]}`);
  const uniqueFields = fields.filter(({ column }) => column.isUnique);
  const objectIndexes = [...indexes].filter(([, { only }]) => only !== "readModel");
  return {
    table,
    own,
    createSql: [
      `CREATE TABLE ${own} (${definitions.join(", ")}, is_gone INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (${keys}))${
        isInKeyOrder(table) ? " WITHOUT ROWID" : ""
      }`,
      ...uniqueFields.map(({ sql }) => `CREATE INDEX ${own}_by_${sql} ON ${own} (${sql})`),
      ...objectIndexes.map(([index, { on, where }]) => {
        const condition = where === undefined ? "" : ` WHERE ${where}`;
        return `CREATE INDEX ${ownName(index)} ON ${own} (${on})${condition}`;
      }),
    ],
    rowsSql: `(SELECT ${names} FROM ${name} WHERE NOT EXISTS (SELECT 1 FROM ${own} AS own WHERE ${isSameRow})
      UNION ALL SELECT ${names} FROM ${own} WHERE is_gone = 0)`,
    markGoneSql: `INSERT OR REPLACE INTO ${own} (${keys}, is_gone) SELECT ${keyCells.join(", ")}, 1 FROM json_each(?)`,
    unchangedSql: `SELECT number FROM (SELECT key AS number, ${given} FROM json_each(?)) AS given
      WHERE NOT EXISTS (SELECT 1 FROM ${own} AS own WHERE ${isGiven})`,
    moveInSql: [
      `DELETE FROM ${name} WHERE (${keys}) IN (SELECT ${keys} FROM ${own} WHERE is_gone = 1)`,
      `INSERT OR REPLACE INTO ${name} (${names}) SELECT ${names} FROM ${own} WHERE is_gone = 0`,
    ],
  };
}

const undoName = ownName(undoTable.name);
const HIDE_UNDO_SQL = `
  INSERT OR IGNORE INTO ${undoName} (height, step, part, is_gone)
  SELECT height, step, part, 1 FROM ${undoTable.name} WHERE height = ? AND step > ?`;
const MOVE_META_SQL = `
  INSERT OR REPLACE INTO ${metaTable.name} (name, value)
  SELECT name, value FROM ${candidateMeta.own} WHERE name = ? AND is_gone = 0`;
const MOVE_OUTBOX_SQL = `
  INSERT INTO ${outboxTable.name} (table_number, removes, rows)
  SELECT table_number, removes, rows FROM ${outboxName} WHERE table_number <> ${STATE_MARK} ORDER BY seq`;
