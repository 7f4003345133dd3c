/** Rows for the read model, in few statements. */
import { platformLimits } from "../../../src/platform/limits.ts";
import type { NumberedTables } from "../state/numbered-tables.ts";
import type { SinkStatement } from "./read-model-sink.ts";
import type { CompleteRows } from "./transaction-texts.ts";

/** Default length of the texts of a batch, approximately: each text exists a few times while it is being sent. */
const MAX_LENGTH = 6_000_000;
/** D1 allows a request 1,000 queries, and each statement of a batch is one. */
const MAX_STATEMENTS = 100;
/** Maximum characters of one table's rows in a statement: a character has at most three bytes. */
const MAX_BATCHED_LENGTH = platformLimits.valueBytes / 4;

interface Writing {
  readonly tableNumber: number;
  readonly removes: boolean;
  /** JSON array. */
  rows: string;
}

export class BatchStatements {
  readonly #tables: NumberedTables;
  readonly #maxLength: number;
  readonly #complete: CompleteRows;
  readonly #writings: Writing[] = [];
  /** Last write of each table. */
  readonly #last = new Map<number, Writing>();
  #length = 0;

  /** @param complete adds the cells that only the read model has; by default none */
  constructor(tables: NumberedTables, maxLength = MAX_LENGTH, complete: CompleteRows = (_, rows) => [rows]) {
    this.#tables = tables;
    this.#maxLength = maxLength;
    this.#complete = complete;
  }

  /** Length of all texts. */
  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length >= this.#maxLength || this.#writings.length >= MAX_STATEMENTS;
  }

  /** Whether the batch has room for more statements and texts. */
  hasRoomFor(more: { readonly statements: number; readonly length: number }): boolean {
    return this.#length + more.length <= this.#maxLength && this.#writings.length + more.statements <= MAX_STATEMENTS;
  }

  /**
   * Adds changed or removed rows of one table. Rows of the same table keep their order.
   * @param rows JSON array of `rowText`, or of `keyText` if the rows are removed; not empty
   */
  add(tableNumber: number, removes: boolean, rows: string): void {
    const chunks = removes ? [rows] : this.#complete(this.#tables.at(tableNumber), rows);
    for (const chunk of chunks) this.#add(tableNumber, removes, chunk);
  }

  #add(tableNumber: number, removes: boolean, rows: string): void {
    this.#length += rows.length;
    const last = this.#last.get(tableNumber);
    if (last?.removes === removes && last.rows.length + rows.length <= MAX_BATCHED_LENGTH) {
      last.rows = `${last.rows.slice(0, -1)},${rows.slice(1)}`;
      return;
    }
    const writing = { tableNumber, removes, rows };
    this.#writings.push(writing);
    this.#last.set(tableNumber, writing);
  }

  statements(): SinkStatement[] {
    return this.#writings.map(({ tableNumber, removes, rows }) => {
      const table = this.#tables.at(tableNumber);
      return { sql: removes ? table.removeSql : table.publishSql, bindings: [rows] };
    });
  }
}
