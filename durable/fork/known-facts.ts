/** What a fork knows already: facts whose rows are in the tables, and answers that need not be asked for again. */
import { forkAnswerTable, forkFactTable, forkTables } from "../../src/tables/fork.ts";
import { createSql } from "../../src/tables/schema/schema-text.ts";
import { findRow, putRow } from "../state/plain-rows.ts";
import type { SqlDatabase } from "../state/sql-database.ts";
import type { RemoteQuestion, RemoteReply } from "./remote-node.ts";

/** Names that are kept in memory at most. */
const MAX_REMEMBERED = 50_000;

/** Makes the tables that a fork has besides, where they are not there. */
export function openForkTables(sql: SqlDatabase): void {
  for (const table of forkTables) {
    const [found] = sql.exec("SELECT 1 FROM sqlite_master WHERE name = ?", table.name).raw().toArray();
    if (found === undefined) for (const statement of createSql(table, "object")) sql.exec(statement);
  }
}

export class KnownFacts {
  readonly #sql: SqlDatabase;
  /** PERF: a rule asks for the same few facts again and again. */
  readonly #remembered = new Set<string>();

  constructor(sql: SqlDatabase) {
    this.#sql = sql;
    openForkTables(sql);
  }

  has(name: string): boolean {
    if (this.#remembered.has(name)) return true;
    if (findRow(this.#sql, forkFactTable, { name }) === undefined) return false;
    this.#remember(name);
    return true;
  }

  /** To be called in the SQLite transaction that writes the fact's rows; where that fails, `forget` is, too. */
  add(name: string): void {
    putRow(this.#sql, forkFactTable, { name });
    this.#remember(name);
  }

  /** Takes it for known, for as long as it is remembered, without a word in the tables. */
  suppose(name: string): void {
    this.#remember(name);
  }

  /** To be called when the tables may have become other ones. */
  forget(): void {
    this.#remembered.clear();
  }

  findAnswer(question: RemoteQuestion): RemoteReply | undefined {
    const row = findRow(this.#sql, forkAnswerTable, { question: questionName(question) });
    return row && { status: row.status, text: row.answer };
  }

  keepAnswer(question: RemoteQuestion, { status, text }: RemoteReply): void {
    putRow(this.#sql, forkAnswerTable, { question: questionName(question), status, answer: text });
  }

  #remember(name: string): void {
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    this.#remembered.add(name);
  }
}

function questionName({ path, body }: RemoteQuestion): string {
  return body === undefined ? path : `${path} ${body}`;
}
