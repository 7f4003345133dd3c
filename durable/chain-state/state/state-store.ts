/**
 * Reads and writes chain state in SQLite. Every write goes through a step (a block or a micro-block): its rows, its undo
 * record and its outbox entry land together or not at all, and a rollback is the journal replayed backwards.
 *
 * Steps are gathered in memory and written by `flush`, a few statements for any number of them. Whatever reads tables
 * sees them: single rows are looked for among the gathered ones first, and any other question flushes before it is asked.
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

/** Rows kept in memory at most, by table: the isolate has 128 MB, and a row costs about 300 bytes. */
const cachedRows: ReadonlyMap<Table, number> = new Map<Table, number>([
  [accountTable, 20_000],
  [assetBalanceTable, 10_000],
  [assetTable, 2_000],
  // A deal asks four times about each of its orders, and a block may hold a thousand deals.
  [orderFillTable, 4_000],
  // Most accounts have no script, and every transaction asks: the cache keeps the answer "none", too.
  [accountScriptTable, 10_000],
  [accountNumberTable, 20_000],
]);
/** Kept in place of a row that does not exist. */
const NO_ROW = Symbol("no row");
/** Rows that are remembered not to exist: about 150 bytes each. */
const MAX_ABSENT_ROWS = 20_000;

/** Name of the value by which it is tried whether the database takes any. */
const PROBE = "probe";
const MAX_PROBE_CHARACTERS = platformLimits.valueBytes / 2;

/** Rows that are gathered before they are written: one has about 1 kB in memory. */
const MAX_GATHERED_ROWS = 2_000;

/** Rows of a step that are written together: with more the step is written in parts, each of which has several MB in memory. */
const MAX_CHUNK_ROWS = 2_500;
/** Of their undo entries, so that rows may be large. */
const MAX_CHUNK_CHARACTERS = 8 * 1024 * 1024;

/** Read off the key: a condition with OR would sort every record there is. */
const NEWEST_RECORD_SQL = "WHERE (height, step) > (?, ?) ORDER BY height DESC, step DESC, part DESC LIMIT 1";

/** Where the chain stands: the key block of a height is step 0, its micro-blocks are 1, 2, … */
export interface CommitPosition {
  readonly height: number;
  readonly step: number;
}

/** What is known of the column `latestBy` of a table, by `latestText`. */
interface LatestRows {
  /** Of the gathered rows the last one with each value. */
  readonly gathered: Map<string, Row>;
  /** Whether gathered changes remove rows. */
  hasRemovals: boolean;
  /** Values that no row has. */
  readonly absent: Set<string>;
}

export class StateStore {
  readonly sql: SqlDatabase;
  readonly tables: NumberedTables;
  /** By the one blob that is the key of a cached table. */
  readonly #cache: ReadonlyMap<Table, LRUCache<BytesKey, Row | typeof NO_ROW>>;
  readonly #gathered = new RowBuffer();
  /** Rows that a `prefetch` has not found, by table and `keyText`. */
  readonly #absent = new Map<Table, Set<string>>();
  readonly #latest = new Map<Table, LatestRows>();
  readonly #gatheredUndo: RowOf<typeof undoTable>[] = [];
  /** Whether the outbox has rows since the last mark. */
  #isUnmarked = false;

  /**
   * @param tables those whose rows are chain state, in the order by which the journal names them
   * @param cacheShare share of the usual number of rows in memory
   */
  constructor(sql: SqlDatabase, tables: readonly Table[] = stateTables, cacheShare = 1) {
    this.sql = sql;
    this.tables = new NumberedTables(tables);
    this.#cache = new Map(
      [...cachedRows].map(([table, max]) => [table, new LRUCache({ max: Math.ceil(cacheShare * max) })]),
    );
  }

  /** The row with the key of `key`, or undefined. */
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

  /** The last row, in the order of the key, that holds the value of `key` in the table's column `latestBy`. */
  findLatest<R extends Row>(table: Table<R>, key: NoInfer<Partial<R>>): R | undefined {
    const known = this.#latestOf(table);
    if (known.hasRemovals) this.flush();
    const text = latestText(table, key as Row);
    const gathered = known.gathered.get(text);
    if (gathered !== undefined) return gathered as R;
    if (known.absent.has(text)) return undefined;
    return queryRows(this.sql, table, table.whereLatestSql, bindLatest(table, key as Row))[0];
  }

  /** Remembers which values no row holds in the column `latestBy`, because somebody is going to ask for each. */
  prefetchLatest<R extends Row>(table: Table<R>, keys: readonly NoInfer<Partial<R>>[]): void {
    const { gathered, absent } = this.#latestOf(table);
    if (absent.size > MAX_ABSENT_ROWS) absent.clear();
    const wanted = new Map((keys as readonly Row[]).map((key) => [latestText(table, key), key]));
    for (const text of wanted.keys()) if (absent.has(text) || gathered.has(text)) wanted.delete(text);
    for (const text of this.#writtenOf(table, wanted)) wanted.delete(text);
    for (const text of wanted.keys()) absent.add(text);
  }

  /** Which values the written rows hold in the column `latestBy`. @param wanted by `latestText` */
  #writtenOf(table: Table, wanted: ReadonlyMap<string, Row>): string[] {
    const { field, column } = latestColumn(table);
    const [alone] = wanted.values();
    // PERF: a value that comes alone is bound as it is: a list of one costs more than the look for it.
    const rows =
      alone !== undefined && wanted.size === 1
        ? this.sql.exec(table.isKnownSql, bindLatest(table, alone)).raw().toArray()
        : parameters(wanted.keys()).flatMap((parameter) => this.sql.exec(table.knownSql, parameter).raw().toArray());
    return rows.map(([value]) => latestText(table, { [field]: readValue(value as StoredValue, column) }));
  }

  /**
   * Looks for many rows at once, because somebody is going to ask for each: one question costs a fifth of as many. Rows
   * of a table without cache are not kept; only that they do not exist is remembered.
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

  /** All rows of a query whose columns are the table's, as `selectSql` reads them. */
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
    // Read to the end, or the database could not use the prepared statement again.
    return this.sql
      .exec(query, ...bindings)
      .raw()
      .toArray();
  }

  /** Writes the rows of one step with its undo record and outbox entry, and with them every step gathered before. */
  commit(place: CommitPosition, changes: Iterable<RowChange>): void {
    this.gather(place, changes);
    this.flush();
  }

  /**
   * Takes in the rows of one step; they are written by the next `flush`, many of them at once.
   * @param place must come after every earlier step
   */
  gather(place: CommitPosition, changes: Iterable<RowChange>): void {
    const parts = this.#chunksOf(changes);
    const first = parts.next().value;
    if (first === undefined) return;
    if (!first.isFull) {
      this.#gatherChunk(place, 0, first);
      return;
    }
    this.flush();
    try {
      this.sql.transaction(() => {
        let records = this.#gatherChunk(place, 0, first);
        this.flush();
        for (const part of parts) {
          records = this.#gatherChunk(place, records, part);
          this.flush();
        }
      });
    } catch (error) {
      this.forgetCache();
      throw error;
    }
  }

  /** Each is to be gathered before the next one is asked for. */
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

  /** Cannot fail: a part is gathered whole. @returns how many undo records the step has by now */
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

  /** Writes the gathered steps once they are too many to be kept in memory. @returns whether they were */
  flushIfMany(): boolean {
    if (this.#gathered.size <= MAX_GATHERED_ROWS) return false;
    this.flush();
    return true;
  }

  /** Writes the gathered steps, all or none. */
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
   * Says which state the tables show, to whoever copies them: nothing where none of them has changed.
   * @param isAnother another state has the same rows
   */
  mark(state: () => PublishedState, isAnother = false): void {
    if (!this.#isUnmarked && !isAnother) return;
    markState(this.sql, state());
    this.#isUnmarked = false;
  }

  /**
   * Takes back every step after the place, newest first, a record at a time. The rows it restores go to the outbox like
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
   * What the steps of a height overwrote, oldest first; of a height too old to be taken back nothing is known.
   * @param wanted as of `overwrittenRows`
   */
  overwrittenAt(height: number, wanted?: ReadonlySet<Table>): readonly OverwrittenRow[] {
    const records = this.rows("SELECT entries FROM undo WHERE height = ? ORDER BY step, part", height);
    return records.flatMap(([entries]) => overwrittenRows(this.tables, entries as string, wanted));
  }

  /** What one step overwrote, oldest first. */
  overwrittenBy({ height, step }: CommitPosition): readonly OverwrittenRow[] {
    const records = this.rows("SELECT entries FROM undo WHERE height = ? AND step = ? ORDER BY part", height, step);
    return records.flatMap(([entries]) => overwrittenRows(this.tables, entries as string));
  }

  /** Lowest height that `rollbackTo` can still reach: the blocks up to it have lost their undo records, or are genesis. */
  lowestRollbackHeight(): number {
    const oldest = this.scalar("SELECT height FROM undo ORDER BY height LIMIT 1");
    // A chain without any record goes back nowhere.
    return oldest === undefined
      ? Number(this.scalar("SELECT height FROM block ORDER BY height DESC LIMIT 1") ?? 1)
      : Math.max(Number(oldest) - 1, 1);
  }

  /** Forgets how to take back blocks below the height. Rows that only history needed go with it. */
  prune(belowHeight: number): void {
    this.rows("DELETE FROM undo WHERE height < ?", belowHeight);
  }

  /** What the database says of itself, e.g. the network that it belongs to. */
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

  /** Writes rows that were true before any step, with the next `flush`. Not journaled, since no rollback goes below them; published. */
  putBase(changes: readonly RowChange[]): void {
    for (const change of changes) this.#put(change, keyText(change.table, change.row));
  }

  /**
   * Removes rows that have left every window, with the next `flush`. Not journaled, since no rollback reaches back there;
   * published.
   */
  removeExpired<R extends Row>(table: Table<R>, keys: readonly NoInfer<Partial<R>>[]): void {
    this.gatherUnjournaled((keys as readonly Row[]).map((row) => ({ table, row, removed: true })));
  }

  /** Takes in rows that no step writes, and that no rollback takes back; they are written by the next `flush`, and published. */
  gatherUnjournaled(changes: readonly RowChange[]): void {
    for (const change of changes) this.#put(change, keyText(change.table, change.row));
  }

  /** Lets the callback write the tables, including rows to be published. To be called within a transaction. */
  replaceRows(write: () => void): void {
    this.flush();
    write();
    this.forgetCache();
    this.#isUnmarked = true;
  }

  /**
   * Forgets what is not in the tables, and rows in memory: after a SQLite transaction was undone they may be ahead of the
   * database.
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

  /** @param row undefined for one that goes: it may be named by its key alone */
  #followLatest(table: Table, row: Row | undefined): void {
    const latest = this.#latestOf(table);
    if (row === undefined) {
      latest.hasRemovals = true;
      return;
    }
    const text = latestText(table, row);
    latest.absent.delete(text);
    // Steps come in order: of two gathered rows the later one is the last.
    latest.gathered.set(text, row);
  }

  #put({ table, row, removed }: RowChange, key: string): void {
    this.#gathered.put(table, key, removed ? null : row);
    this.#absent.get(table)?.delete(key);
    if (table.latestBy !== undefined) this.#followLatest(table, removed ? undefined : row);
    this.#cache.get(table)?.set(cacheName(table, row), removed ? NO_ROW : row);
  }
}

/** Key of a row among the cached ones of its table: all columns of such a table's key are bytes of a fixed size. */
function cacheName(table: Table, row: Row): BytesKey {
  const [first, second] = table.key;
  const name = bytesKey(row[first as string] as Uint8Array);
  return second === undefined ? name : (`${name}${bytesKey(row[second] as Uint8Array)}` as BytesKey);
}

/** Changes of a step that are written together. */
interface CommitChunk {
  readonly changes: RowChange[];
  /** `keyText` of each. */
  readonly keys: string[];
  /** `undoEntryText` of each. */
  readonly entries: string[];
  /** Of `entries`. */
  characters: number;
  isFull: boolean;
}

function emptyChunk(): CommitChunk {
  return { changes: [], keys: [], entries: [], characters: 0, isFull: false };
}
