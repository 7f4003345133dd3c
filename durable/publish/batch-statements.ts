/** Rows on their way to the read model, as few statements. */
import { platformLimits } from "../../src/platform/limits.ts";
import type { NumberedTables } from "../state/numbered-tables.ts";
import type { SinkStatement } from "./read-model-sink.ts";
import type { CompleteRows } from "./transaction-texts.ts";

/** Length of the texts of a batch, about, by default: each exists a few times while it is on its way. */
const MAX_LENGTH = 6_000_000;
/** D1 allows a request 1,000 queries, and each statement of a batch is one. */
const MAX_STATEMENTS = 100;
/** Rows of one table are put together up to here, characters: one has three bytes at most. */
const MAX_JOINED_LENGTH = platformLimits.valueBytes / 4;

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
  /** The last one of each table. */
  readonly #last = new Map<number, Writing>();
  #length = 0;

  /** @param complete what the read model is to have of rows besides their own cells; by default nothing */
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

  /** Whether as much more does not fill it beyond what a batch should have. */
  hasRoomFor(more: { readonly statements: number; readonly length: number }): boolean {
    return this.#length + more.length <= this.#maxLength && this.#writings.length + more.statements <= MAX_STATEMENTS;
  }

  /**
   * Adds what becomes of rows of one table. What becomes of rows of the same table keeps its order.
   * @param rows JSON array of `rowText`, or of `keyText` where they are removed; not an empty one
   */
  add(tableNumber: number, removes: boolean, rows: string): void {
    const parts = removes ? [rows] : this.#complete(this.#tables.at(tableNumber), rows);
    for (const part of parts) this.#add(tableNumber, removes, part);
  }

  #add(tableNumber: number, removes: boolean, rows: string): void {
    this.#length += rows.length;
    const last = this.#last.get(tableNumber);
    if (last?.removes === removes && last.rows.length + rows.length <= MAX_JOINED_LENGTH) {
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
