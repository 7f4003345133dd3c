/**
 * Rows of the read model that a synchronous evaluation can read. What it asks for and is not known yet it takes for
 * absent; the answer is then thrown away, everything that it asked for is fetched in one batch, and it is asked again. So
 * a script that reads a hundred entries needs a few batches, not a hundred.
 */
import { parseBlock } from "../../protocol/blocks/parse-block.ts";
import { type BlockRow, blockTable } from "../../tables/blocks.ts";
import { dataEntryTable } from "../../tables/data-entries.ts";
import type { StoredValue } from "../../tables/schema/cell.ts";
import { bindKey, bindLatest } from "../../tables/schema/stored-row.ts";
import type { Row, Table } from "../../tables/schema/table.ts";
import type { RowSource } from "../../tables/view/row-source.ts";
import { type ChainRow, chainQuery } from "../chain.ts";
import { columnsOf, type ResultRow, type Selection } from "../columns.ts";
import { unanswered } from "../read-model-unavailable.ts";

/** An account with fewer data entries is fetched whole at the first question about one of them. */
const WHOLE_ACCOUNT_ENTRIES = 200;

interface Statement {
  readonly sql: string;
  readonly bindings: readonly (StoredValue | Uint8Array)[];
}

interface Question extends Statement {
  readonly bindings: readonly StoredValue[];
  /** What a row of the answer is. */
  readonly read: (row: ResultRow) => unknown;
}

export class KnownRows implements RowSource {
  readonly #chainId: number;
  readonly #answers = new Map<string, readonly unknown[]>();
  /** Accounts all of whose data entries are known. */
  readonly #wholeAccounts = new Set<string>();
  #sizeBytes = 0;
  readonly #asked = new Map<string, Question>();
  readonly #askedAccounts = new Map<string, StoredValue>();

  constructor(chainId: number) {
    this.#chainId = chainId;
  }

  find<R extends Row>(table: Table<R>, key: NoInfer<Partial<R>>): R | undefined {
    const bindings = bindKey(table, key as Row);
    const question = this.#question(table, table.whereKeySql, bindings);
    if ((table as Table) === dataEntryTable && this.#isAbsentEntry(question)) return undefined;
    return this.#ask(question)[0] as R | undefined;
  }

  findLatest<R extends Row>(table: Table<R>, key: NoInfer<Partial<R>>): R | undefined {
    return this.query(table, table.whereLatestSql, bindLatest(table, key as Row))[0];
  }

  query<R extends Row>(table: Table<R>, tail: string, ...bindings: StoredValue[]): R[] {
    return [...this.#ask(this.#question(table, tail, bindings))] as R[];
  }

  scalar(sql: string, ...bindings: StoredValue[]): StoredValue | undefined {
    const [value] = this.#ask({ sql, bindings, read: (row) => Object.values(row)[0] });
    return value as StoredValue | undefined;
  }

  /** What the answers take, without what holds them. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Whether nothing was asked since the last call of `fetch` that was not known. */
  get isComplete(): boolean {
    return this.#asked.size === 0;
  }

  /**
   * Fetches what was asked and not known.
   * @returns what the tables said in the same moment of the state that they show; undefined before the first publication
   * @throws ReadModelUnavailable
   */
  async fetch(database: Pick<D1Database, "prepare" | "batch">): Promise<ChainRow | undefined> {
    const questions = [...this.#asked];
    const accounts = [...this.#askedAccounts].map(([name, address]) => ({
      name,
      question: this.#question(dataEntryTable, `WHERE address = ? LIMIT ${WHOLE_ACCOUNT_ENTRIES}`, [address]),
    }));
    this.#asked.clear();
    this.#askedAccounts.clear();
    const statements: Statement[] = [
      chainQuery,
      ...questions.map(([, question]) => question),
      ...accounts.map(({ question }) => question),
    ];
    const [chain, ...answers] = await allOf(database, statements);
    questions.forEach(([name, { read }], index) => {
      this.#keep(name, rowsOf(answers[index]), read);
    });
    accounts.forEach(({ name, question }, index) => {
      const entries = rowsOf(answers[questions.length + index]);
      if (entries.length < WHOLE_ACCOUNT_ENTRIES) this.#wholeAccounts.add(name);
      for (const entry of entries) {
        const key = bindKey(dataEntryTable, question.read(entry) as Row);
        this.#keep(nameOf(this.#question(dataEntryTable, dataEntryTable.whereKeySql, key)), [entry], question.read);
      }
    });
    return chainQuery.decode(rowsOf(chain));
  }

  #keep(name: string, rows: readonly ResultRow[], read: Question["read"]): void {
    this.#answers.set(name, rows.map(read));
    this.#sizeBytes += name.length + rows.reduce((sum, row) => sum + sizeBytesOf(row), 0);
  }

  #question(table: Table, tail: string, bindings: readonly StoredValue[]): Question {
    const { sql, read } = publishedColumns(table);
    const readRow =
      table === (blockTable as Table) ? (row: ResultRow) => this.#withHitSource(read(row) as BlockRow) : read;
    return { sql: `SELECT ${sql} FROM ${table.name} ${tail}`, bindings, read: readRow };
  }

  /** Whether the account's entries are all known, and this is none of them. */
  #isAbsentEntry(question: Question): boolean {
    const address = question.bindings[0] as StoredValue;
    const account = nameOf({ sql: "", bindings: [address] });
    if (!this.#wholeAccounts.has(account)) {
      this.#askedAccounts.set(account, address);
      return false;
    }
    return !this.#answers.has(nameOf(question));
  }

  #ask(question: Question): readonly unknown[] {
    const name = nameOf(question);
    const known = this.#answers.get(name);
    if (known === undefined) this.#asked.set(name, question);
    return known ?? [];
  }

  /** The read model has no hit source: it is the VRF output, or before version 5 stands in the header. */
  #withHitSource(row: BlockRow): BlockRow {
    const hitSource = row.vrf ?? parseBlock(row.header, this.#chainId).header.generationSignature;
    return { ...row, hitSource };
  }
}

const numberBytes = 8;

function sizeBytesOf(row: ResultRow): number {
  let sizeBytes = 0;
  for (const cell of Object.values(row)) {
    if (typeof cell === "string") sizeBytes += cell.length;
    else if (cell instanceof ArrayBuffer) sizeBytes += cell.byteLength;
    else sizeBytes += Array.isArray(cell) ? cell.length : numberBytes;
  }
  return sizeBytes;
}

const columnsByTable = new Map<Table, Selection<Row>>();

/** Every column of the table; those that are not published hold what the table declares. */
function publishedColumns(table: Table): Selection<Row> {
  let columns = columnsByTable.get(table);
  if (columns === undefined) {
    const fields = [...table.columns];
    const published = fields.flatMap(([field, column]) => (column.unpublished === undefined ? [field] : []));
    const { sql, read } = columnsOf(table, published);
    const absent = Object.fromEntries(
      fields.flatMap(([field, { unpublished }]) =>
        unpublished === undefined ? [] : [[field, unpublished.inReadModel]],
      ),
    );
    columns = { sql, read: (row) => ({ ...read(row), ...absent }) };
    columnsByTable.set(table, columns);
  }
  return columns;
}

function nameOf({ sql, bindings }: Pick<Question, "sql" | "bindings">): string {
  const cells = bindings.map((cell) =>
    cell instanceof ArrayBuffer ? new Uint8Array(cell).join(",") : JSON.stringify(cell),
  );
  return `${sql} | ${cells.join(" | ")}`;
}

/** @throws ReadModelUnavailable */
async function allOf(
  database: Pick<D1Database, "prepare" | "batch">,
  statements: readonly Statement[],
): Promise<readonly D1Result<ResultRow>[]> {
  try {
    return await database.batch(statements.map(({ sql, bindings }) => database.prepare(sql).bind(...bindings)));
  } catch (cause) {
    throw unanswered(cause);
  }
}

function rowsOf(result: D1Result<ResultRow> | undefined): readonly ResultRow[] {
  return result?.results ?? [];
}
