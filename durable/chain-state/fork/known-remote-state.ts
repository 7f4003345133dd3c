/** Known remote state of a fork: keys whose rows are in the tables, and stored responses. */
import { forkAnswerTable, forkFactTable, forkTables } from "../../../src/tables/fork.ts";
import { createSql } from "../../../src/tables/schema/schema-text.ts";
import { findRow, putRow } from "../../sql/plain-rows.ts";
import type { SqlDatabase } from "../../sql/sql-database.ts";
import type { RemoteRequest, RemoteResponse } from "./remote-node.ts";

/** Maximum of names in memory. */
const MAX_REMEMBERED = 50_000;

/** Creates the additional tables of a fork, if they are missing. */
export function openForkTables(sql: SqlDatabase): void {
  for (const table of forkTables) {
    const [found] = sql.exec("SELECT 1 FROM sqlite_master WHERE name = ?", table.name).raw().toArray();
    if (found === undefined) for (const statement of createSql(table, "object")) sql.exec(statement);
  }
}

export class KnownRemoteState {
  readonly #sql: SqlDatabase;
  /** PERF: a rule reads the same few keys repeatedly. */
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

  /** To be called in the SQLite transaction that writes the rows; if it fails, `forget` must follow. */
  add(name: string): void {
    putRow(this.#sql, forkFactTable, { name });
    this.#remember(name);
  }

  /** Takes the key for known while it is in memory, without a row in the tables. */
  assume(name: string): void {
    this.#remember(name);
  }

  /** To be called when the tables may have changed. */
  forget(): void {
    this.#remembered.clear();
  }

  findResponse(request: RemoteRequest): RemoteResponse | undefined {
    const row = findRow(this.#sql, forkAnswerTable, { question: requestName(request) });
    return row && { status: row.status, text: row.answer };
  }

  storeResponse(request: RemoteRequest, { status, text }: RemoteResponse): void {
    putRow(this.#sql, forkAnswerTable, { question: requestName(request), status, answer: text });
  }

  #remember(name: string): void {
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    this.#remembered.add(name);
  }
}

function requestName({ path, body }: RemoteRequest): string {
  return body === undefined ? path : `${path} ${body}`;
}
