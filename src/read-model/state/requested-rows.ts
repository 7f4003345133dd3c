/**
 * Rows of the read model for a synchronous evaluation. A row that is not yet known counts as absent at first. The
 * result is then discarded, all requested rows are fetched in one batch, and the evaluation runs again. So a script
 * that reads a hundred entries needs a few batches, not a hundred. An evaluation that has already spent much ends at
 * its first missing row: further work would only be repeated.
 */

import type { WorkMeter } from "../../ride/evaluator/work-meter.ts";
import { dataEntryTable } from "../../tables/data-entries.ts";
import type { StoredValue } from "../../tables/schema/cell.ts";
import { bindKey, bindLatest } from "../../tables/schema/stored-row.ts";
import type { Row, Table } from "../../tables/schema/table.ts";
import type { RowSource } from "../../tables/view/row-source.ts";
import type { KnownRows } from "./known-rows.ts";
import { accountEntriesQuery, entryRowQuery, type RowQuery, rowsQuery, scalarQuery } from "./row-query.ts";

export interface RequestedRowsOptions {
  readonly chainId: number;
  /** Whether the read model has all of the state: of a fork it has only fetched state. */
  readonly isWhole: boolean;
  readonly workMeter: WorkMeter;
}

/** Row requests of one evaluation. */
export class RequestedRows implements RowSource {
  readonly #known: KnownRows;
  readonly #chainId: number;
  readonly #isWhole: boolean;
  readonly #workMeter: WorkMeter;
  readonly #requested = new Map<string, RowQuery>();
  readonly #missing = new Map<string, RowQuery>();

  constructor(known: KnownRows, { chainId, isWhole, workMeter }: RequestedRowsOptions) {
    this.#isWhole = isWhole;
    this.#known = known;
    this.#chainId = chainId;
    this.#workMeter = workMeter;
  }

  /** All requested rows, known or not. */
  get requested(): readonly RowQuery[] {
    return [...this.#requested.values()];
  }

  /** Requested rows that are not known: as long as there are any, the result of the evaluation does not count. */
  get missing(): readonly RowQuery[] {
    return [...this.#missing.values()];
  }

  find<R extends Row>(table: Table<R>, key: NoInfer<Partial<R>>): R | undefined {
    const bindings = bindKey(table, key as Row);
    if ((table as Table) === dataEntryTable) return this.#findEntry(bindings) as R | undefined;
    return this.#request(rowsQuery(table, table.whereKeySql, bindings, this.#chainId))[0] as R | undefined;
  }

  findLatest<R extends Row>(table: Table<R>, key: NoInfer<Partial<R>>): R | undefined {
    return this.query(table, table.whereLatestSql, bindLatest(table, key as Row))[0];
  }

  query<R extends Row>(table: Table<R>, tail: string, ...bindings: StoredValue[]): R[] {
    return [...this.#request(rowsQuery(table, tail, bindings, this.#chainId))] as R[];
  }

  scalar(sql: string, ...bindings: StoredValue[]): StoredValue | undefined {
    return this.#request(scalarQuery(sql, bindings))[0] as StoredValue | undefined;
  }

  #findEntry(key: readonly StoredValue[]): unknown {
    const query = entryRowQuery(key, this.#chainId);
    if (!this.#isWhole) return this.#request(query)[0];
    const account = accountEntriesQuery(key[0] as StoredValue, this.#chainId);
    if (this.#known.find(query.name) === undefined && this.#known.hasWhole(account.name)) {
      // All entries of the account are known, and the key is not among them.
      this.#requested.set(query.name, query);
      this.#workMeter.noteRowRead();
      return undefined;
    }
    // A script that reads one entry usually reads others of the account.
    return this.#request(query, account)[0];
  }

  /**
   * @param companion query to fetch along with a missing row
   * @throws AttemptEnded
   */
  #request(query: RowQuery, companion?: RowQuery): readonly unknown[] {
    const { name } = query;
    this.#requested.set(name, query);
    this.#workMeter.noteRowRead();
    const known = this.#known.find(name);
    if (known !== undefined) return known;
    this.#missing.set(name, query);
    if (companion !== undefined) this.#missing.set(companion.name, companion);
    this.#workMeter.noteMissingRow();
    return [];
  }
}
