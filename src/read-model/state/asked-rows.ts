/**
 * Rows of the read model that a synchronous evaluation can read. What it asks for and is not known yet it takes for
 * absent; the answer is then thrown away, everything that it asked for is fetched in one batch, and it is asked again. So
 * a script that reads a hundred entries needs a few batches, not a hundred.
 */
import { dataEntryTable } from "../../tables/data-entries.ts";
import type { StoredValue } from "../../tables/schema/cell.ts";
import { bindKey, bindLatest } from "../../tables/schema/stored-row.ts";
import type { Row, Table } from "../../tables/schema/table.ts";
import type { RowSource } from "../../tables/view/row-source.ts";
import type { KnownRows } from "./known-rows.ts";
import { accountQuestion, entryQuestion, type RowQuestion, rowsQuestion, scalarQuestion } from "./row-question.ts";

/** What one evaluation asks for. */
export class AskedRows implements RowSource {
  readonly #known: KnownRows;
  readonly #chainId: number;
  readonly #isWhole: boolean;
  readonly #asked = new Map<string, RowQuestion>();
  readonly #missing = new Map<string, RowQuestion>();

  /** @param isWhole whether the read model has all of the state: of a fork it has what somebody has asked for */
  constructor(known: KnownRows, chainId: number, isWhole = true) {
    this.#isWhole = isWhole;
    this.#known = known;
    this.#chainId = chainId;
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
      return undefined;
    }
    const [entry] = this.#ask(question);
    // Whoever asks for one will ask for others.
    if (this.#missing.has(question.name)) this.#missing.set(account.name, account);
    return entry;
  }

  #ask(question: RowQuestion): readonly unknown[] {
    const { name } = question;
    this.#asked.set(name, question);
    const known = this.#known.find(name);
    if (known === undefined) this.#missing.set(name, question);
    return known ?? [];
  }
}
