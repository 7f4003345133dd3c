/** Results of long steps of blocks that are judged in part: what is written survives a reset of the object. */
import { createSql } from "../../src/tables/schema/schema-text.ts";
import { stepResultTable } from "../../src/tables/step-results.ts";
import { findRow, insertRow } from "../state/plain-rows.ts";
import type { SqlDatabase } from "../state/sql-database.ts";

/** Twice as many as one call of 52,000 has; with the longest results 40 MB. */
const MAX_RESULTS = 20_000;

export class StepResults {
  readonly #sql: SqlDatabase;
  readonly #maxResults: number;
  /** Number of the last one; undefined: there is no table. */
  #last: number | undefined;

  /** Goes on with what an earlier one on the same database has left. */
  constructor(sql: SqlDatabase, maxResults = MAX_RESULTS) {
    this.#sql = sql;
    this.#maxResults = maxResults;
    const { name } = stepResultTable;
    const [found] = sql.exec("SELECT 1 FROM sqlite_master WHERE name = ?", name).raw().toArray();
    if (found === undefined) return;
    const [[last] = []] = sql.exec(`SELECT MAX(number) FROM ${name}`).raw().toArray();
    this.#last = Number(last ?? 0);
  }

  find(step: Uint8Array): Uint8Array | undefined {
    return this.#last === undefined ? undefined : findRow(this.#sql, stepResultTable, { step })?.result;
  }

  /** Adds results of steps that have none yet. The oldest ones leave where there are too many. */
  add(results: Iterable<{ readonly step: Uint8Array; readonly result: Uint8Array }>): void {
    this.#sql.transaction(() => {
      for (const { step, result } of results) {
        if (this.#last === undefined) this.#makeTable();
        this.#last = (this.#last ?? 0) + 1;
        insertRow(this.#sql, stepResultTable, { step, number: this.#last, result });
      }
      if (this.#last !== undefined && this.#last > this.#maxResults)
        this.#sql.exec(`DELETE FROM ${stepResultTable.name} WHERE number <= ?`, this.#last - this.#maxResults);
    });
  }

  clear(): void {
    if (this.#last === undefined) return;
    this.#sql.exec(`DROP TABLE ${stepResultTable.name}`);
    this.#last = undefined;
  }

  #makeTable(): void {
    for (const statement of createSql(stepResultTable, "object")) this.#sql.exec(statement);
  }
}
