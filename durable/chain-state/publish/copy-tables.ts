/** Rewrite of the read model's tables from ChainState's: they are emptied first, then copied key by key. */
import type { JsonCell } from "../../../src/tables/schema/cell.ts";
import { keyNamesSql } from "../../../src/tables/schema/column.ts";
import { keyOfCells, keyText, parameters, rowText } from "../../../src/tables/schema/row-text.ts";
import { bindKey } from "../../../src/tables/schema/stored-row.ts";
import type { Row, Table } from "../../../src/tables/schema/table.ts";
import type { NumberedTables } from "../state/numbered-tables.ts";
import type { StateStore } from "../state/state-store.ts";
import type { BatchStatements } from "./batch-statements.ts";
import type { Copied } from "./publication.ts";
import type { SinkRows, SinkStatement } from "./read-model-sink.ts";

/**
 * Rows of each table that one batch removes: D1 gives a batch 30 s, and a foreign table may have any number of them.
 */
const REMOVED_ROWS = 5_000;
/** Rows in one read: a transaction with its state snapshot, or the tree of a full block, has some hundred kilobytes. */
const READ_ROWS = 20;
/** Approximate length of the texts of one batch: ChainState does nothing else while it reads them. */
const MAX_LENGTH = 1_500_000;

type CopyPosition = Extract<Copied, { readonly step: "copy" }>;

/** Statements that remove some rows of every table; the last one queries whether any remain. */
export function clearStatements(tables: NumberedTables): SinkStatement[] {
  const published = publishedTables(tables);
  const removals = published.map((table) => {
    const keys = keyNamesSql(table);
    return `DELETE FROM ${table.name} WHERE (${keys}) IN (SELECT ${keys} FROM ${table.name} LIMIT ${REMOVED_ROWS})`;
  });
  const remaining = published.map(({ name }) => `EXISTS (SELECT 1 FROM ${name})`).join(" OR ");
  return [...removals, `SELECT ${remaining} AS rows_left`].map((sql) => ({ sql, bindings: [] }));
}

/** Whether the batch of `clearStatements` left no rows. @param rows result of its last statement */
export function isCleared(rows: SinkRows | undefined): boolean {
  return !rows?.[0]?.["rows_left"];
}

/**
 * Fills the batch with rows of the present tables. They come after all outbox entries: a batch without room for all
 * entries is full.
 * @returns position up to which the tables are copied then, undefined at the end
 */
export function addCopies(batch: BatchStatements, store: StateStore, from: CopyPosition): Copied | undefined {
  let position: CopyPosition | undefined = from;
  while (position !== undefined && !batch.isFull && batch.length < MAX_LENGTH)
    position = addRange(batch, store, position);
  return position;
}

/** Progress text of the copy. */
export function progressText(tables: NumberedTables, copied: Copied): string {
  const published = publishedTables(tables);
  if (copied.step === "clear") return `0 of ${published.length} tables`;
  const done = published.filter((table) => tables.numberOf(table) < copied.table).length;
  return `${done} of ${published.length} tables`;
}

/** Adds the next rows of a table. */
function addRange(
  batch: BatchStatements,
  store: StateStore,
  { table: number, upTo }: CopyPosition,
): CopyPosition | undefined {
  const table = store.tables.all[number];
  if (table === undefined) return undefined;
  const next: CopyPosition = { step: "copy", table: number + 1 };
  if (!table.published) return next;
  const rows = rowsAfter(store, table, upTo);
  const texts: string[] = [];
  let length = batch.length;
  for (const row of rows) {
    const text = rowText(table, row);
    texts.push(text);
    length += text.length;
    if (length >= MAX_LENGTH) break;
  }
  for (const chunk of parameters(texts)) batch.add(number, false, chunk);
  const last = rows[texts.length - 1];
  if (last === undefined || (texts.length === rows.length && rows.length < READ_ROWS)) return next;
  return { step: "copy", table: number, upTo: JSON.parse(keyText(table, last)) as JsonCell[] };
}

/** In the order of the key. */
function rowsAfter(store: StateStore, table: Table, key: readonly JsonCell[] | undefined): Row[] {
  const order = `${table.byKeySql} LIMIT ${READ_ROWS}`;
  if (key === undefined) return store.query(table, order);
  return store.query(table, `${table.afterKeySql} ${order}`, ...bindKey(table, keyOfCells(table, key)));
}

function publishedTables({ all }: NumberedTables): readonly Table[] {
  return all.filter(({ published }) => published);
}
