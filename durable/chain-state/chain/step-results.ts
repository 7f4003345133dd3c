/** Results of long steps of partly validated blocks. Stored results survive a reset of the object. */
import { type StepResultRow, stepResultTable } from "../../../src/tables/step-results.ts";
import { findRow } from "../../sql/plain-rows.ts";
import type { SqlDatabase } from "../../sql/sql-database.ts";
import { TemporaryTable } from "../state/temporary-table.ts";

/** Maximum number of results: twice as many as one call of complexity 52,000 has; with the longest results 40 MB. */
const MAX_RESULTS = 20_000;

export class StepResults {
  readonly #sql: SqlDatabase;
  readonly #maxResults: number;
  readonly #table: TemporaryTable<StepResultRow>;

  /** Continues with the results that an earlier instance left in the database. */
  constructor(sql: SqlDatabase, maxResults = MAX_RESULTS) {
    this.#sql = sql;
    this.#maxResults = maxResults;
    this.#table = new TemporaryTable(sql, stepResultTable);
  }

  find(step: Uint8Array): Uint8Array | undefined {
    return this.#table.isThere ? findRow(this.#sql, stepResultTable, { step })?.result : undefined;
  }

  /** Adds results of steps that have none yet. Beyond the maximum the oldest ones are dropped. */
  add(results: Iterable<{ readonly step: Uint8Array; readonly result: Uint8Array }>): void {
    this.#table.transaction(() => {
      for (const { step, result } of results) this.#table.add({ step, number: this.#table.last + 1, result });
      const leaving = this.#table.last - this.#maxResults;
      if (leaving > 0) this.#table.query(`DELETE FROM ${stepResultTable.name} WHERE number <= ?`, leaving);
    });
  }

  clear(): void {
    this.#table.drop();
  }
}
