/**
 * Reads and writes chain state in SQLite. Every write is part of a commit (a block or a micro-block): its rows, its
 * undo record and its outbox entry land together or not at all, and a rollback replays the journal backwards.
 *
 * Commits are gathered in memory and written by `flush`, with a few statements for any number of them. All reads see
 * them: single rows are looked up among the gathered ones first, and any other query flushes before it runs.
 */
import { LRUCache } from "lru-cache";
import { type BytesKey, bytesKey } from "../../../src/crypto/bytes.ts";
import { platformLimits } from "../../../src/platform/limits.ts";
import { accountScriptTable } from "../../../src/tables/account-scripts.ts";
import { accountTable, assetBalanceTable } from "../../../src/tables/accounts.ts";
import { stateTables } from "../../../src/tables/all-tables.ts";
import { assetTable } from "../../../src/tables/assets.ts";
import { outboxTable, undoTable } from "../../../src/tables/journal.ts";
import { accountNumberTable } from "../../../src/tables/lists.ts";
import { metaTable } from "../../../src/tables/meta.ts";
import { orderFillTable } from "../../../src/tables/order-fills.ts";
import { readValue, type StoredValue } from "../../../src/tables/schema/cell.ts";
import type { RowChange } from "../../../src/tables/schema/row-change.ts";
import { keyText, latestText, parameters } from "../../../src/tables/schema/row-text.ts";
import { bindKey, bindLatest, readRow } from "../../../src/tables/schema/stored-row.ts";
import { latestColumn, type Row, type RowOf, type Table } from "../../../src/tables/schema/table.ts";
import { findRow, insertRow, putRow, queryRows } from "../../sql/plain-rows.ts";
import type { SqlDatabase } from "../../sql/sql-database.ts";
import { NumberedTables } from "./numbered-tables.ts";
import { markState, type PublishedState } from "./published-state.ts";
import { RowBuffer } from "./row-buffer.ts";
import { invertChange, type OverwrittenRow, overwrittenRows, undoEntryText } from "./undo-journal.ts";

/** Maximum number of cached rows, by table: the isolate has 128 MB, and a row costs about 300 bytes. */
const cachedRows: ReadonlyMap<Table, number> = new Map<Table, number>([
  [accountTable, 20_000],
  [assetBalanceTable, 10_000],
  [assetTable, 2_000],
  // An exchange reads each of its orders four times, and a block may hold a thousand exchanges.
  [orderFillTable, 4_000],
  // Most accounts have no script, and every transaction looks for one: absent rows are cached, too.
  [accountScriptTable, 10_000],
  [accountNumberTable, 20_000],
]);
/** Cached value for a row that does not exist. */
const NO_ROW = Symbol("no row");
/** Maximum number of rows that are remembered not to exist: about 150 bytes each. */
const MAX_ABSENT_ROWS = 20_000;

/** Name of the value that `canWrite` writes. */
const PROBE = "probe";
const MAX_PROBE_CHARACTERS = platformLimits.valueBytes / 2;

/** Maximum number of gathered rows before they are written: one takes about 1 kB of memory. */
const MAX_GATHERED_ROWS = 2_000;

/**
 * Maximum number of rows of a commit that are written together. A larger commit is written in chunks, each of which
 * takes several MB of memory.
 */
const MAX_CHUNK_ROWS = 2_500;
/** Maximum size of the undo entries of a chunk, characters, since rows may be large. */
const MAX_CHUNK_CHARACTERS = 8 * 1024 * 1024;

/** Row values are compared by the key: a condition with OR would sort all records. */
const NEWEST_RECORD_SQL = "WHERE (height, step) > (?, ?) ORDER BY height DESC, step DESC, part DESC LIMIT 1";

/** Position in the chain: the key block of a height is step 0, its micro-blocks are 1, 2, … */
export interface CommitPosition {
  readonly height: number;
  readonly step: number;
}

/** Known values of the column `latestBy` of a table, by `latestText`. */
interface LatestRows {
  /** Last one of the gathered rows with each value. */
  readonly gathered: Map<string, Row>;
  /** Whether gathered changes remove rows. */
  hasRemovals: boolean;
  /** Values that no row has. */
  readonly absent: Set<string>;
}

export class StateStore {
  readonly sql: SqlDatabase;
  readonly tables: NumberedTables;
  /** Cached rows by table and `cacheName`. */
  readonly #cache: ReadonlyMap<Table, LRUCache<BytesKey, Row | typeof NO_ROW>>;
  readonly #gathered = new RowBuffer();
  /** Rows that a `prefetch` has not found, by table and `keyText`. */
  readonly #absent = new Map<Table, Set<string>>();
  readonly #latest = new Map<Table, LatestRows>();
  readonly #gatheredUndo: RowOf<typeof undoTable>[] = [];
  /** Whether the outbox has rows since the last mark. */
  #isUnmarked = false;

  /**
   * @param tables tables of the chain state, in the order of their numbers in the journal
   * @param cacheShare share of the usual number of rows in memory
   */
  constructor(sql: SqlDatabase, tables: readonly Table[] = stateTables, cacheShare = 1) {
    this.sql = sql;
    this.tables = new NumberedTables(tables);
    this.#cache = new Map(
      [...cachedRows].map(([table, max]) => [table, new LRUCache({ max: Math.ceil(cacheShare * max) })]),
    );
  }

  /** Row with the key columns of `key`, or undefined. */
  find<R extends Row>(table: Table<R>, key: NoInfer<Partial<R>>): R | undefined {
    const cache = this.#cache.get(table);
    if (cache === undefined) return this.#read(table, key as Row);
    const name = cacheName(table, key as Row);
    const cached = cache.get(name);
    if (cached !== undefined) return (cached === NO_ROW ? undefined : cached) as R | undefined;
    const row = this.#read(table, key as Row);
    cache.set(name, row ?? NO_ROW);
    return row;
  }

  /** Last row, in the order of the key, with the value of `key` in the table's column `latestBy`. */
  findLatest<R extends Row>(table: Table<R>, key: NoInfer<Partial<R>>): R | undefined {
    const known = this.#latestOf(table);
    if (known.hasRemovals) this.flush();
    const text = latestText(table, key as Row);
    const gathered = known.gathered.get(text);
    if (gathered !== undefined) return gathered as R;
    if (known.absent.has(text)) return undefined;
    return queryRows(this.sql, table, table.whereLatestSql, bindLatest(table, key as Row))[0];
  }

  /** Remembers the values that no row has in the column `latestBy`, before `findLatest` is called for each. */
  prefetchLatest<R extends Row>(table: Table<R>, keys: readonly NoInfer<Partial<R>>[]): void {
    const { gathered, absent } = this.#latestOf(table);
    if (absent.size > MAX_ABSENT_ROWS) absent.clear();
    const wanted = new Map((keys as readonly Row[]).map((key) => [latestText(table, key), key]));
    for (const text of wanted.keys()) if (absent.has(text) || gathered.has(text)) wanted.delete(text);
    for (const text of this.#writtenOf(table, wanted)) wanted.delete(text);
    for (const text of wanted.keys()) absent.add(text);
  }

  /** Values that the written rows have in the column `latestBy`. @param wanted by `latestText` */
  #writtenOf(table: Table, wanted: ReadonlyMap<string, Row>): string[] {
    const { field, column } = latestColumn(table);
    const [alone] = wanted.values();
    // PERF: a single value is bound directly: a list of one costs more than the lookup.
    const rows =
      alone !== undefined && wanted.size === 1
        ? this.sql.exec(table.isKnownSql, bindLatest(table, alone)).raw().toArray()
        : parameters(wanted.keys()).flatMap((parameter) => this.sql.exec(table.knownSql, parameter).raw().toArray());
    return rows.map(([value]) => latestText(table, { [field]: readValue(value as StoredValue, column) }));
  }

  /**
   * Looks for many rows at once, before `find` is called for each: one query costs a fifth of single ones. Rows of a
   * table without a cache are not cached; only absent ones are remembered.
   */
  prefetch<R extends Row>(table: Table<R>, keys: Iterable<NoInfer<Partial<R>>>): void {
    const cache = this.#cache.get(table);
    const absent = this.#absent.get(table) ?? new Set();
    if (cache === undefined) this.#absent.set(table, absent);
    if (absent.size > MAX_ABSENT_ROWS) absent.clear();
    const wanted = new Map<string, Row>();
    for (const key of keys as Iterable<Row>) {
      if (cache?.get(cacheName(table, key)) !== undefined) continue;
      const text = keyText(table, key);
      if (!absent.has(text) && this.#gathered.find(table, text) === undefined) wanted.set(text, key);
    }
    for (const parameter of parameters(wanted.keys()))
      for (const values of this.sql.exec(table.prefetchSql, parameter).raw().toArray()) {
        const row = readRow(table, values);
        wanted.delete(keyText(table, row));
        cache?.set(cacheName(table, row), row);
      }
    for (const [text, key] of wanted) {
      if (cache === undefined) absent.add(text);
      else cache.set(cacheName(table, key), NO_ROW);
    }
  }

  /** All rows of a query with the table's columns. @param tail of the query after FROM, e.g. `WHERE …` */
  query<R extends Row>(table: Table<R>, tail: string, ...bindings: StoredValue[]): R[] {
    return this.rows(`${table.fromSql} ${tail}`, ...bindings).map((values) => readRow(table, values));
  }

  /** First column of the first row, or undefined. */
  scalar(query: string, ...bindings: StoredValue[]): StoredValue | undefined {
    return this.rows(query, ...bindings)[0]?.[0];
  }

  /** All rows of a query. */
  rows(query: string, ...bindings: StoredValue[]): (readonly StoredValue[])[] {
    this.flush();
    // Read to the end, or the database could not reuse the prepared statement.
    return this.sql
      .exec(query, ...bindings)
      .raw()
      .toArray();
  }

  /** Writes the rows of one commit with its undo record and outbox entry, and with them all commits gathered before. */
  commit(position: CommitPosition, changes: Iterable<RowChange>): void {
    this.gather(position, changes);
    this.flush();
  }

  /**
   * Gathers the rows of one commit; the next `flush` writes them, many at once.
   * @param position must come after every earlier commit
   */
  gather(position: CommitPosition, changes: Iterable<RowChange>): void {
    const parts = this.#chunksOf(changes);
    const first = parts.next().value;
    if (first === undefined) return;
    if (!first.isFull) {
      this.#gatherChunk(position, 0, first);
      return;
    }
    this.flush();
    try {
      this.sql.transaction(() => {
        let records = this.#gatherChunk(position, 0, first);
        this.flush();
        for (const part of parts) {
          records = this.#gatherChunk(position, records, part);
          this.flush();
        }
      });
    } catch (error) {
      this.forgetCache();
      throw error;
    }
  }

  /** Chunks of a commit. Each is to be gathered before the next one is read. */
  *#chunksOf(changes: Iterable<RowChange>): Generator<CommitChunk, undefined> {
    let part = emptyChunk();
    for (const change of changes) {
      const { table, row, isNew } = change;
      const key = keyText(table, row);
      const entry = undoEntryText(this.tables, table, key, isNew ? undefined : this.find(table, row));
      part.changes.push(change);
      part.keys.push(key);
      part.entries.push(entry);
      part.characters += entry.length;
      part.isFull = part.keys.length >= MAX_CHUNK_ROWS || part.characters >= MAX_CHUNK_CHARACTERS;
      if (!part.isFull) continue;
      yield part;
      part = emptyChunk();
    }
    yield part;
  }

  /** Gathers a chunk whole: it cannot fail. @returns number of undo records of the commit so far */
  #gatherChunk(
    { height, step }: CommitPosition,
    recordsBefore: number,
    { changes, keys, entries }: CommitChunk,
  ): number {
    changes.forEach((change, index) => {
      this.#put(change, keys[index] as string);
    });
    const records = parameters(entries);
    records.forEach((text, index) => {
      this.#gatheredUndo.push({ height, step, part: recordsBefore + index, entries: text });
    });
    return recordsBefore + records.length;
  }

  /** Writes the gathered commits once they have too many rows for memory. @returns whether they had */
  flushIfMany(): boolean {
    if (this.#gathered.size <= MAX_GATHERED_ROWS) return false;
    this.flush();
    return true;
  }

  /** Writes the gathered commits, all or none. */
  flush(): void {
    if (this.#gathered.size === 0 && this.#gatheredUndo.length === 0) return;
    const { sql } = this;
    sql.transaction(() => {
      for (const { table, removes, parameter } of this.#gathered.statements()) {
        sql.exec(removes ? table.removeSql : table.writeSql, parameter);
        if (!table.published) continue;
        insertRow(sql, outboxTable, { tableNumber: this.tables.numberOf(table), removes, rows: parameter });
        this.#isUnmarked = true;
      }
      for (const record of this.#gatheredUndo) insertRow(sql, undoTable, record);
    });
    this.#forgetGathered();
  }

  /**
   * Marks the state that the tables show, for the publisher; does nothing if no published row has changed.
   * @param isAnother whether another state with the same rows is to be marked all the same
   */
  mark(state: () => PublishedState, isAnother = false): void {
    if (!this.#isUnmarked && !isAnother) return;
    markState(this.sql, state());
    this.#isUnmarked = false;
  }

  /**
   * Rolls back every commit after the position, newest first, one record at a time. Restored rows go to the outbox like
   * any change.
   */
  rollbackTo({ height, step }: CommitPosition): void {
    this.flush();
    for (;;) {
      const [record] = queryRows(this.sql, undoTable, NEWEST_RECORD_SQL, height, step);
      if (record === undefined) break;
      for (const overwritten of overwrittenRows(this.tables, record.entries).reverse()) {
        const change = invertChange(overwritten);
        this.#put(change, keyText(change.table, change.row));
      }
      this.sql.exec(undoTable.removeSql, `[${keyText(undoTable, record)}]`);
      this.flushIfMany();
    }
    this.flush();
  }

  /**
   * Rows that the commits of a height overwrote, oldest first; none for a height that is too old for a rollback.
   * @param wanted as for `overwrittenRows`
   */
  overwrittenAt(height: number, wanted?: ReadonlySet<Table>): readonly OverwrittenRow[] {
    const records = this.rows("SELECT entries FROM undo WHERE height = ? ORDER BY step, part", height);
    return records.flatMap(([entries]) => overwrittenRows(this.tables, entries as string, wanted));
  }

  /** Rows that one commit overwrote, oldest first. */
  overwrittenBy({ height, step }: CommitPosition): readonly OverwrittenRow[] {
    const records = this.rows("SELECT entries FROM undo WHERE height = ? AND step = ? ORDER BY part", height, step);
    return records.flatMap(([entries]) => overwrittenRows(this.tables, entries as string));
  }

  /** Lowest height that `rollbackTo` can still reach: blocks up to it have no undo records any more, or are genesis. */
  lowestRollbackHeight(): number {
    const oldest = this.scalar("SELECT height FROM undo ORDER BY height LIMIT 1");
    // A chain without any record cannot be rolled back.
    return oldest === undefined
      ? Number(this.scalar("SELECT height FROM block ORDER BY height DESC LIMIT 1") ?? 1)
      : Math.max(Number(oldest) - 1, 1);
  }

  /** Removes the undo records of blocks below the height: they cannot be rolled back any more. */
  prune(belowHeight: number): void {
    this.rows("DELETE FROM undo WHERE height < ?", belowHeight);
  }

  /** Named value of the database about itself, e.g. the genesis of its chain. */
  findMeta(name: string): string | undefined {
    return findRow(this.sql, metaTable, { name })?.value;
  }

  putMeta(name: string, value: string): void {
    putRow(this.sql, metaTable, { name, value });
  }

  /** Whether the database takes a row of the largest size. */
  canWrite(): boolean {
    try {
      this.putMeta(PROBE, " ".repeat(MAX_PROBE_CHARACTERS));
      this.sql.exec(metaTable.removeSql, `[${keyText(metaTable, { name: PROBE })}]`);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Writes rows that held before any commit, with the next `flush`. They are published but not journaled, since no
   * rollback goes below them.
   */
  putBase(changes: readonly RowChange[]): void {
    for (const change of changes) this.#put(change, keyText(change.table, change.row));
  }

  /**
   * Removes rows that have left every window, with the next `flush`. The removals are published but not journaled,
   * since no rollback goes back that far.
   */
  removeExpired<R extends Row>(table: Table<R>, keys: readonly NoInfer<Partial<R>>[]): void {
    this.gatherUnjournaled((keys as readonly Row[]).map((row) => ({ table, row, removed: true })));
  }

  /**
   * Gathers rows that belong to no commit and that no rollback undoes. The next `flush` writes them, and they are
   * published.
   */
  gatherUnjournaled(changes: readonly RowChange[]): void {
    for (const change of changes) this.#put(change, keyText(change.table, change.row));
  }

  /** Lets the callback write the tables, including the outbox. To be called within a transaction. */
  replaceRows(write: () => void): void {
    this.flush();
    write();
    this.forgetCache();
    this.#isUnmarked = true;
  }

  /**
   * Drops gathered and cached rows: after a SQLite transaction was rolled back they may be ahead of the database.
   */
  forgetCache(): void {
    this.#forgetGathered();
    this.#absent.clear();
    this.#latest.clear();
    for (const cache of this.#cache.values()) cache.clear();
  }

  #forgetGathered(): void {
    this.#gathered.clear();
    this.#gatheredUndo.length = 0;
    for (const latest of this.#latest.values()) {
      latest.gathered.clear();
      latest.hasRemovals = false;
    }
  }

  #latestOf(table: Table): LatestRows {
    let known = this.#latest.get(table);
    if (known === undefined) {
      known = { gathered: new Map(), hasRemovals: false, absent: new Set() };
      this.#latest.set(table, known);
    }
    return known;
  }

  #read<R extends Row>(table: Table<R>, key: Row): R | undefined {
    const text = keyText(table, key);
    const gathered = this.#gathered.find(table, text);
    if (gathered !== undefined) return (gathered ?? undefined) as R | undefined;
    if (this.#absent.get(table)?.has(text)) return undefined;
    const [values] = this.sql
      .exec(table.selectSql, ...bindKey(table, key))
      .raw()
      .toArray();
    return values && readRow(table, values);
  }

  /** @param row undefined for a removed row, of which only the key may be known */
  #followLatest(table: Table, row: Row | undefined): void {
    const latest = this.#latestOf(table);
    if (row === undefined) {
      latest.hasRemovals = true;
      return;
    }
    const text = latestText(table, row);
    latest.absent.delete(text);
    // Commits come in order: the later one of two gathered rows is the last.
    latest.gathered.set(text, row);
  }

  #put({ table, row, removed }: RowChange, key: string): void {
    this.#gathered.put(table, key, removed ? null : row);
    this.#absent.get(table)?.delete(key);
    if (table.latestBy !== undefined) this.#followLatest(table, removed ? undefined : row);
    this.#cache.get(table)?.set(cacheName(table, row), removed ? NO_ROW : row);
  }
}

/** Key of a row in the cache of its table: all key columns of cached tables are bytes of a fixed size. */
function cacheName(table: Table, row: Row): BytesKey {
  const [first, second] = table.key;
  const name = bytesKey(row[first as string] as Uint8Array);
  return second === undefined ? name : (`${name}${bytesKey(row[second] as Uint8Array)}` as BytesKey);
}

/** Changes of a commit that are written together. */
interface CommitChunk {
  readonly changes: RowChange[];
  /** `keyText` of each change. */
  readonly keys: string[];
  /** `undoEntryText` of each change. */
  readonly entries: string[];
  /** Total size of `entries`. */
  characters: number;
  isFull: boolean;
}

function emptyChunk(): CommitChunk {
  return { changes: [], keys: [], entries: [], characters: 0, isFull: false };
}
