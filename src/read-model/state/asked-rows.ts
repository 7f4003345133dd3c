/**
 * Rows of the read model that a synchronous evaluation can read. What it asks for and is not known yet it takes for
 * absent; the answer is then thrown away, everything that it asked for is fetched in one batch, and it is asked again. So
 * a script that reads a hundred entries needs a few batches, not a hundred. An evaluation that has spent much ends as
 * soon as it lacks a row: what it spends from there on would be spent again.
 */

import type { WorkMeter } from "../../ride/evaluator/work-meter.ts";
import { dataEntryTable } from "../../tables/data-entries.ts";
import type { StoredValue } from "../../tables/schema/cell.ts";
import { bindKey, bindLatest } from "../../tables/schema/stored-row.ts";
import type { Row, Table } from "../../tables/schema/table.ts";
import type { RowSource } from "../../tables/view/row-source.ts";
import type { KnownRows } from "./known-rows.ts";
import { accountQuestion, entryQuestion, type RowQuestion, rowsQuestion, scalarQuestion } from "./row-question.ts";

export interface AskedRowsOptions {
  readonly chainId: number;
  /** Whether the read model has all of the state: of a fork it has what somebody has asked for. */
  readonly isWhole: boolean;
  readonly workMeter: WorkMeter;
}

/** What one evaluation asks for. */
export class AskedRows implements RowSource {
  readonly #known: KnownRows;
  readonly #chainId: number;
  readonly #isWhole: boolean;
  readonly #workMeter: WorkMeter;
  readonly #asked = new Map<string, RowQuestion>();
  readonly #missing = new Map<string, RowQuestion>();

  constructor(known: KnownRows, { chainId, isWhole, workMeter }: AskedRowsOptions) {
    this.#isWhole = isWhole;
    this.#known = known;
    this.#chainId = chainId;
    this.#workMeter = workMeter;
  }

  /** Everything that was asked for, known or not. */
  get asked(): readonly RowQuestion[] {
    return [...this.#asked.values()];
  }

  /** What was asked for and is not known: while there is something, what comes of the rows does not count. */
  get missing(): readonly RowQuestion[] {
    return [...this.#missing.values()];
  }

  find<R extends Row>(table: Table<R>, key: NoInfer<Partial<R>>): R | undefined {
    const bindings = bindKey(table, key as Row);
    if ((table as Table) === dataEntryTable) return this.#findEntry(bindings) as R | undefined;
    return this.#ask(rowsQuestion(table, table.whereKeySql, bindings, this.#chainId))[0] as R | undefined;
  }

  findLatest<R extends Row>(table: Table<R>, key: NoInfer<Partial<R>>): R | undefined {
    return this.query(table, table.whereLatestSql, bindLatest(table, key as Row))[0];
  }

  query<R extends Row>(table: Table<R>, tail: string, ...bindings: StoredValue[]): R[] {
    return [...this.#ask(rowsQuestion(table, tail, bindings, this.#chainId))] as R[];
  }

  scalar(sql: string, ...bindings: StoredValue[]): StoredValue | undefined {
    return this.#ask(scalarQuestion(sql, bindings))[0] as StoredValue | undefined;
  }

  #findEntry(key: readonly StoredValue[]): unknown {
    const question = entryQuestion(key, this.#chainId);
    if (!this.#isWhole) return this.#ask(question)[0];
    const account = accountQuestion(key[0] as StoredValue, this.#chainId);
    if (this.#known.find(question.name) === undefined && this.#known.hasWhole(account.name)) {
      // It is none of them.
      this.#asked.set(question.name, question);
      this.#workMeter.noteRowRead();
      return undefined;
    }
    // A script that reads one entry mostly reads others of the account.
    return this.#ask(question, account)[0];
  }

  /**
   * @param companion what is fetched with it, where it is missing
   * @throws AttemptEnded
   */
  #ask(question: RowQuestion, companion?: RowQuestion): readonly unknown[] {
    const { name } = question;
    this.#asked.set(name, question);
    this.#workMeter.noteRowRead();
    const known = this.#known.find(name);
    if (known !== undefined) return known;
    this.#missing.set(name, question);
    if (companion !== undefined) this.#missing.set(companion.name, companion);
    this.#workMeter.noteMissingRow();
    return [];
  }
}
