/**
 * Rows of the read model that a synchronous evaluation can read. What it asks for and is not known yet it takes for
 * absent; the answer is then thrown away, everything that it asked for is fetched in one batch, and it is asked again. So
 * a script that reads a hundred entries needs a few batches, not a hundred.
 */
import { parseBlock } from "../../protocol/blocks/parse-block.ts";
import { blockTable } from "../../tables/blocks.ts";
import { dataEntryTable } from "../../tables/names-and-data.ts";
import {
  bindCell,
  bindKey,
  columnSql,
  type Row,
  readExpression,
  readRow,
  type StoredValue,
  type Table,
} from "../../tables/schema/table.ts";
import type { RowSource } from "../../tables/view/row-source.ts";

/** An account with fewer data entries is fetched whole at the first question about one of them. */
const WHOLE_ACCOUNT_ENTRIES = 200;
type Values = readonly StoredValue[];

interface Question {
  readonly sql: string;
  readonly bindings: Values;
}

export class KnownRows implements RowSource {
  readonly #chainId: number;
  readonly #answers = new Map<string, readonly Values[]>();
  /** Accounts all of whose data entries are known. */
  readonly #wholeAccounts = new Set<string>();
  readonly #asked = new Map<string, Question>();
  readonly #askedAccounts = new Map<string, StoredValue>();

  constructor(chainId: number) {
    this.#chainId = chainId;
  }

  find<R extends Row>(table: Table<R>, key: { readonly [column: string]: unknown } & Partial<R>): R | undefined {
    const bindings = bindKey(table as Table, key as Row);
    const sql = `${publishedSelect(table as Table)} ${table.whereKeySql}`;
    if ((table as Table) === dataEntryTable && this.#isAbsentEntry(sql, bindings)) return undefined;
    const [values] = this.#ask({ sql, bindings });
    return values && this.#row(table, values);
  }

  query<R extends Row>(table: Table<R>, tail: string, ...bindings: StoredValue[]): R[] {
    const rows = this.#ask({ sql: `${publishedSelect(table as Table)} ${tail}`, bindings });
    return rows.map((values) => this.#row(table, values));
  }

  scalar(sql: string, ...bindings: StoredValue[]): StoredValue | undefined {
    return this.#ask({ sql, bindings })[0]?.[0];
  }

  /** Answers that are kept: one has some hundred bytes. */
  get size(): number {
    return this.#answers.size;
  }

  /** Whether nothing was asked since the last call of `fetch` that was not known. */
  get isComplete(): boolean {
    return this.#asked.size === 0;
  }

  /**
   * Fetches what was asked and not known.
   * @param state statement that tells which state the tables show, in its first column
   * @returns what `state` gave in the same moment
   */
  async fetch(database: Pick<D1Database, "prepare" | "batch">, state: D1PreparedStatement): Promise<string> {
    const questions = [...this.#asked];
    const accounts = [...this.#askedAccounts];
    this.#asked.clear();
    this.#askedAccounts.clear();
    const [first, ...results] = await database.batch<Record<string, unknown>>([
      state,
      ...questions.map(([, { sql, bindings }]) => database.prepare(sql).bind(...bindings)),
      ...accounts.map(([, address]) => database.prepare(wholeAccountSql).bind(address)),
    ]);
    questions.forEach(([name], index) => {
      this.#answers.set(name, valuesOf(results[index]));
    });
    accounts.forEach(([name, address], index) => {
      const entries = valuesOf(results[questions.length + index]);
      if (entries.length < WHOLE_ACCOUNT_ENTRIES) this.#wholeAccounts.add(name);
      for (const entry of entries)
        this.#answers.set(nameOf({ sql: entrySql, bindings: [address, entry[1] as string] }), [entry]);
    });
    return String(Object.values(first?.results[0] ?? {})[0]);
  }

  #isAbsentEntry(sql: string, bindings: Values): boolean {
    const [address] = bindings;
    const account = nameOf({ sql: "", bindings: [address as StoredValue] });
    if (!this.#wholeAccounts.has(account)) {
      this.#askedAccounts.set(account, address as StoredValue);
      return false;
    }
    return !this.#answers.has(nameOf({ sql, bindings }));
  }

  #ask(question: Question): readonly Values[] {
    const name = nameOf(question);
    const known = this.#answers.get(name);
    if (known === undefined) this.#asked.set(name, question);
    return known ?? [];
  }

  #row<R extends Row>(table: Table<R>, values: Values): R {
    const row = readRow(table, values);
    return (table as Table) === blockTable ? this.#withHitSource(row) : row;
  }

  /** The read model has no hit source: it is the VRF output, or before version 5 stands in the header. */
  #withHitSource<R extends Row>(row: R): R {
    const { vrf, header } = row;
    const hitSource = vrf ?? parseBlock(header as Uint8Array, this.#chainId).header.generationSignature;
    return { ...row, hitSource };
  }
}

const selects = new Map<Table, string>();

/** Reads every column, each under its own name; those that are not published come as something empty. */
function publishedSelect(table: Table): string {
  let select = selects.get(table);
  if (select === undefined) {
    const columns = [...table.columns].map(([name, column]) => {
      const empty = column.nullable ? "NULL" : emptyValues[column.kind];
      return `${column.unpublished ? empty : readExpression(name, column)} AS ${columnSql(name)}`;
    });
    select = `SELECT ${columns.join(", ")} FROM ${table.name}`;
    selects.set(table, select);
  }
  return select;
}

const emptyValues = { blob: "x''", text: "''", int: "0", i64: "'0'" } as const;

const entrySql = `${publishedSelect(dataEntryTable as Table)} ${dataEntryTable.whereKeySql}`;
const wholeAccountSql = `${publishedSelect(dataEntryTable as Table)} WHERE address = ? LIMIT ${WHOLE_ACCOUNT_ENTRIES}`;

function nameOf({ sql, bindings }: Question): string {
  const cells = bindings.map((cell) =>
    cell instanceof ArrayBuffer ? new Uint8Array(cell).join(",") : JSON.stringify(cell),
  );
  return `${sql} | ${cells.join(" | ")}`;
}

function valuesOf(result: D1Result<Record<string, unknown>> | undefined): readonly Values[] {
  return (result?.results ?? []).map((row) => Object.values(row).map(storedValue));
}

/** D1 gives blobs as lists of numbers. */
function storedValue(value: unknown): StoredValue {
  return Array.isArray(value) ? (bindCell(Uint8Array.from(value)) as ArrayBuffer) : (value as StoredValue);
}
