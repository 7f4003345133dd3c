/** Partial validation results of blocks. They survive a reset of the object. */

import { type ValidatedPartRow, validatedPartTable } from "../../../src/tables/judged-parts.ts";
import { bindCell } from "../../../src/tables/schema/cell.ts";
import { parameters } from "../../../src/tables/schema/row-text.ts";
import { queryRows } from "../../sql/plain-rows.ts";
import type { SqlDatabase } from "../../sql/sql-database.ts";
import { TemporaryTable } from "../state/temporary-table.ts";
import { exactText, parseExactText } from "./exact-text.ts";

/** Number of blocks with stored results; those of a full block take some 20 MB. */
const MAX_BLOCKS = 3;

export interface Finding {
  /** Subject of the finding; "": the whole block. */
  readonly subject: string;
  /** Prefix of the subjects whose findings this one makes obsolete. */
  readonly replaces?: string;
  /** Plain data, see `exactText`. */
  readonly found: unknown;
}

const { name } = validatedPartTable;

export class ValidatedParts {
  readonly #sql: SqlDatabase;
  readonly #table: TemporaryTable<ValidatedPartRow>;

  /** Continues with the results that an earlier instance left. */
  constructor(sql: SqlDatabase) {
    this.#sql = sql;
    this.#table = new TemporaryTable(sql, validatedPartTable);
  }

  /** Findings about the block, in the order of their addition. */
  *find(block: Uint8Array): Iterable<unknown> {
    if (!this.#table.isThere) return;
    const rows = this.#table.query(`SELECT number FROM ${name} WHERE block = ? ORDER BY number`, bindCell(block));
    // One row at a time, since all together may exceed the memory for one block.
    for (const [number] of rows)
      for (const { found } of queryRows(this.#sql, validatedPartTable, "WHERE number = ?", Number(number)))
        yield* parseExactText(found) as readonly unknown[];
  }

  /** Adds the findings of one call. Beyond the maximum a block is dropped, first one with findings of a single call. */
  add(block: Uint8Array, findings: readonly Finding[]): void {
    if (findings.length === 0) return;
    const bySubject = Map.groupBy(findings, ({ subject }) => subject);
    this.#table.transaction(() => {
      for (const { replaces } of findings) if (replaces !== undefined) this.#forgetSubjects(block, replaces);
      const call = this.#table.last;
      for (const [subject, ofSubject] of bySubject)
        for (const found of parameters(ofSubject.map(({ found: each }) => exactText(each))))
          this.#table.add({ number: this.#table.last + 1, block, call, subject, found });
      this.#table.query(DROP_LEAST_SQL, bindCell(block), MAX_BLOCKS);
    });
  }

  #forgetSubjects(block: Uint8Array, beginning: string): void {
    if (this.#table.isThere)
      this.#table.query(`DELETE FROM ${name} WHERE block = ? AND subject GLOB ? || '*'`, bindCell(block), beginning);
  }

  /** Drops all findings about the block. */
  forget(block: Uint8Array): void {
    if (!this.#table.isThere) return;
    this.#table.query(`DELETE FROM ${name} WHERE block = ?`, bindCell(block));
    if (this.#table.query(`SELECT 1 FROM ${name} LIMIT 1`).length === 0) this.#table.drop();
  }

  /** Whether any other block has findings of more than one call. */
  hasOthers(block: Uint8Array): boolean {
    return this.#table.isThere && this.#table.query(OTHERS_SQL, bindCell(block)).length > 0;
  }
}

const OTHERS_SQL = `SELECT 1 FROM ${name} WHERE block <> ? GROUP BY block HAVING MIN(call) < MAX(call) LIMIT 1`;
const DROP_LEAST_SQL = `
  DELETE FROM ${name} WHERE block IN (
    SELECT block FROM ${name} GROUP BY block
    ORDER BY block = ?1 DESC, MIN(call) < MAX(call) DESC, MAX(call) DESC LIMIT -1 OFFSET ?2)`;
