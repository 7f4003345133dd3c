/**
 * Loading of a checkpoint into an empty database: its parts in any order, each verified by the manifest, and at the end
 * the whole. The progress outlives the object; the database belongs to no node until the checkpoint is complete.
 */
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { BlockchainSettings } from "../../../src/network/settings.ts";
import { tablesOf } from "../../../src/tables/all-tables.ts";
import { genesisText } from "../../../src/tables/chain.ts";
import { checkpointPartTable } from "../../../src/tables/checkpoint-parts.ts";
import { metaTable } from "../../../src/tables/meta.ts";
import { keyText } from "../../../src/tables/schema/row-text.ts";
import { createSql } from "../../../src/tables/schema/schema-text.ts";
import { TableView } from "../../../src/tables/view/table-view.ts";
import { findRow, insertRow } from "../../sql/plain-rows.ts";
import { FINALIZED_HEIGHT, StoredChain } from "../chain/stored-chain.ts";
import type { StateStore } from "../state/state-store.ts";
import { type AssetSums, noAssetSums, sumAssets } from "./asset-sums.ts";
import { findGeneratorPeriodsError } from "./generator-errors.ts";
import { CheckpointRefused, checkpointDigest, isStateHash, type Manifest, parseManifest } from "./manifest.ts";
import { verifyMoney } from "./money.ts";
import { partName, unpackPart } from "./packed-part.ts";
import { findRowsError } from "./part-rows.ts";
import { PastView } from "./past-view.ts";
import { readableTables } from "./readable-tables.ts";
import { verifyHeaders } from "./verify-headers.ts";

/** Row of `meta` while a checkpoint is being loaded (`LoadRecord`). */
const LOADING = "checkpointLoading";
/** Row of `meta`: digest of the checkpoint with which the state started. */
const BEGUN_FROM = "checkpoint";
/** Headers that are verified in one call: those of version 5 take milliseconds. */
const HEADERS_AT_ONCE = 100;
/** Minimum of blocks for which balances are known. */
const GENERATING_BALANCE_BLOCKS = 1_001;

/** Data about a checkpoint that is being loaded. */
interface LoadRecord extends Omit<Manifest, "parts"> {
  readonly digest: string;
  /** Progress of the sums of assets, once the other sums agree. */
  readonly assets?: AssetSums;
  /** Next block to be verified; undefined: sums come first. */
  readonly nextHeight?: number;
}

export interface CheckpointLoadOptions {
  readonly store: StateStore;
  readonly settings: BlockchainSettings;
  /** `db.max-rollback-depth`. */
  readonly maxRollbackDepth: number;
  readonly nowMs: () => number;
}

/** Progress of loading a checkpoint. */
export interface CheckpointLoadStatus {
  readonly digest: string;
  readonly height: number;
  /** Numbers of the missing parts, from 0. */
  readonly missing: readonly number[];
  readonly parts: number;
}

export class CheckpointLoad {
  readonly #options: CheckpointLoadOptions;

  constructor(options: CheckpointLoadOptions) {
    this.#options = options;
  }

  /** Whether a checkpoint is being loaded: until the end the database belongs to no node. */
  static isInProgress(store: StateStore): boolean {
    return store.findMeta(LOADING) !== undefined;
  }

  /** Digest of the checkpoint with which the state started; undefined: it started with the genesis block. */
  static begunFrom(store: StateStore): string | undefined {
    return store.findMeta(BEGUN_FROM);
  }

  /**
   * Starts to load a checkpoint, or continues. The database loses any chain that it contained.
   * @param manifest text of the manifest
   * @throws CheckpointRefused not for this node, or another one is being loaded: nothing has changed
   */
  begin(manifest: string): CheckpointLoadStatus {
    const { store } = this.#options;
    const started = this.check(manifest);
    if (started === undefined) return this.status();
    const { parts, ...record } = started;
    const digest = checkpointDigest(manifest);
    store.sql.transaction(() => {
      this.#clear();
      for (const statement of createSql(checkpointPartTable, "object")) store.sql.exec(statement);
      parts.forEach(({ table: tableName, ...part }, number) => {
        insertRow(store.sql, checkpointPartTable, { number, tableName, ...part, isIn: false });
      });
      this.#put({ ...record, digest });
    });
    return this.status();
  }

  /**
   * Checks whether the checkpoint may be loaded, without any change.
   * @returns undefined: it is being loaded already
   * @throws CheckpointRefused
   */
  check(text: string): Manifest | undefined {
    const current = this.#findRecord();
    if (current?.digest === checkpointDigest(text)) return undefined;
    if (current !== undefined)
      throw new CheckpointRefused(
        `another checkpoint is being loaded, with digest ${current.digest}: finish it, or cancel it`,
      );
    const manifest = parseManifest(text);
    this.#checkManifest(manifest);
    return manifest;
  }

  /** @throws CheckpointRefused no checkpoint is being loaded */
  status(): CheckpointLoadStatus {
    const { digest, height } = this.#record();
    const { store } = this.#options;
    const missing = store.rows("SELECT number FROM checkpoint_part WHERE is_in = 0 ORDER BY number");
    const parts = Number(store.scalar("SELECT COUNT(*) FROM checkpoint_part"));
    return { digest, height, missing: missing.map(([number]) => Number(number)), parts };
  }

  /**
   * Adds a part; one that is present already is ignored.
   * @param number from 0
   * @throws CheckpointRefused it does not match the manifest: nothing has changed
   */
  async add(number: number, packed: Uint8Array<ArrayBuffer>): Promise<void> {
    const { store } = this.#options;
    const record = this.#record();
    const part = findRow(store.sql, checkpointPartTable, { number });
    if (part === undefined) throw new CheckpointRefused(`the checkpoint has no part ${number + 1}`);
    if (part.isIn) return;
    const entry = { ...part, table: part.tableName };
    const text = await unpackPart(packed, entry, number);
    const columns = record.tables.find(({ name }) => name === part.tableName);
    const table = readableTables({ ...record, parts: [] }).get(part.tableName);
    if (table === undefined || columns === undefined)
      throw new CheckpointRefused(`${partName(number, entry)} has no table`);
    const error = findRowsError(text, { ...record, table, columns: columns.columns.length, rows: entry.rows });
    if (error !== undefined) throw new CheckpointRefused(`${partName(number, entry)} ${error}`);
    // The load may have been cancelled meanwhile.
    if (this.#findRecord()?.digest !== record.digest)
      throw new CheckpointRefused("the load of the checkpoint was cancelled");
    store.sql.transaction(() => {
      store.sql.exec(table.writeSql, text);
      store.sql.exec("UPDATE checkpoint_part SET is_in = 1 WHERE number = ?", number);
    });
  }

  /**
   * Continues the verification of the whole, a step in each call.
   * @returns undefined: it is complete, and the database belongs to a node; else the progress as text
   * @throws CheckpointRefused parts are missing; or the checkpoint is invalid, and nothing of it stays
   */
  goOn(): string | undefined {
    const record = this.#record();
    const { missing, parts } = this.status();
    if (missing.length > 0)
      throw new CheckpointRefused(`${missing.length} of ${parts} parts of the checkpoint are missing`);
    try {
      return this.#verifySome(record);
    } catch (error) {
      if (error instanceof CheckpointRefused) this.giveUp();
      throw error;
    }
  }

  /** Deletes everything that was loaded: the database is that of a new node. */
  giveUp(): void {
    this.#options.store.sql.transaction(() => {
      this.#clear();
      this.#forget();
    });
  }

  #verifySome(record: LoadRecord): string | undefined {
    const { store, settings, nowMs } = this.#options;
    const { firstHeight, height, historyBlocks, nextHeight } = record;
    if (nextHeight === undefined) {
      const { assets, ...rest } = this.#sumSome(record);
      this.#put(assets === undefined ? { ...rest, nextHeight: firstHeight } : { ...rest, assets });
    } else if (nextHeight <= height) {
      const neededBlocks = Math.max(historyBlocks, GENERATING_BALANCE_BLOCKS);
      const view = new PastView(store, settings, height - historyBlocks - neededBlocks);
      const error = nextHeight === firstHeight ? findGeneratorPeriodsError(store, view, height) : undefined;
      if (error !== undefined) throw new CheckpointRefused(error);
      const to = Math.min(nextHeight + HEADERS_AT_ONCE - 1, height);
      verifyHeaders(view, store, { from: nextHeight, to, firstHeight }, nowMs());
      this.#put({ ...record, nextHeight: to + 1 });
    } else {
      store.sql.transaction(() => {
        this.#forget();
        store.putMeta(FINALIZED_HEIGHT, String(record.finalizedHeight));
        store.putMeta(BEGUN_FROM, record.digest);
      });
      return undefined;
    }
    const { nextHeight: next } = this.#record();
    return next === undefined
      ? "amounts are summed up"
      : `${next - firstHeight} of ${height - firstHeight + 1} blocks are verified`;
  }

  /** @returns without `assets`: all sums agree @throws CheckpointRefused */
  #sumSome({ assets, ...record }: LoadRecord): LoadRecord {
    const { store, settings } = this.#options;
    if (assets === undefined) {
      this.#verifySums(record);
      return { ...record, assets: noAssetSums };
    }
    const stored = new StoredChain(new TableView(store, settings), store);
    const next = sumAssets(store, stored, record.digest, assets);
    return next === undefined ? record : { ...record, assets: next };
  }

  /** Cost: reads every table once. @throws CheckpointRefused */
  #verifySums({ tables, firstHeight, height, blockId, stateHash }: LoadRecord): void {
    const { store, settings } = this.#options;
    for (const { name, rows } of tables) {
      const found = Number(store.scalar(`SELECT COUNT(*) FROM ${name}`));
      if (found !== rows)
        throw new CheckpointRefused(`its table ${name} has ${found} rows, not ${rows} as its manifest says`);
    }
    const [[lowest, highest, count] = []] = store.rows("SELECT MIN(height), MAX(height), COUNT(*) FROM block");
    if (lowest !== firstHeight || highest !== height || count !== height - firstHeight + 1)
      throw new CheckpointRefused(`it lacks some of the blocks ${firstHeight} to ${height}`);
    const stored = new StoredChain(new TableView(store, settings), store);
    const tip = stored.tip();
    if (encodeBase58(tip.id) !== blockId) throw new CheckpointRefused("the id of its last block does not match");
    if (!isStateHash(stateHash, tip.stateHash))
      throw new CheckpointRefused("the state hash of its last block does not match");
    verifyMoney(store, stored);
  }

  /** @throws CheckpointRefused */
  #checkManifest(manifest: Manifest): void {
    const { store, settings, maxRollbackDepth } = this.#options;
    const genesis = genesisText(settings);
    if (manifest.genesis !== genesis)
      throw new CheckpointRefused(
        `the checkpoint is of another chain: its genesis is ${manifest.genesis}, this chain's ${genesis}`,
      );
    if (Number(store.scalar("SELECT MAX(height) FROM block") ?? 0) > 1)
      throw new CheckpointRefused("the node has a chain already, and only a new node can load a checkpoint");
    const tables = readableTables(manifest);
    if (manifest.historyBlocks < maxRollbackDepth)
      throw new CheckpointRefused(
        `the checkpoint has the balances of ${manifest.historyBlocks} past blocks, and this node needs ` +
          `${maxRollbackDepth} (db.max-rollback-depth)`,
      );
    const unknownPart = manifest.parts.find(({ table }) => !tables.has(table));
    if (unknownPart !== undefined)
      throw new CheckpointRefused(`the checkpoint has a part of an unknown table ${unknownPart.table}`);
    if (manifest.firstHeight > manifest.height || manifest.finalizedHeight > manifest.height)
      throw new CheckpointRefused("the heights of the checkpoint are inconsistent");
  }

  /** Deletes a chain's data from the database, not the identity of the node. */
  #clear(): void {
    const { store } = this.#options;
    for (const { name } of tablesOf.object) if (name !== metaTable.name) store.sql.exec(`DELETE FROM ${name}`);
    for (const name of [FINALIZED_HEIGHT, BEGUN_FROM]) this.#removeMeta(name);
    store.forgetCache();
  }

  #forget(): void {
    const { store } = this.#options;
    store.sql.exec(`DROP TABLE IF EXISTS ${checkpointPartTable.name}`);
    this.#removeMeta(LOADING);
    store.forgetCache();
  }

  #removeMeta(name: string): void {
    this.#options.store.sql.exec(metaTable.removeSql, `[${keyText(metaTable, { name })}]`);
  }

  #put(record: LoadRecord): void {
    this.#options.store.putMeta(LOADING, JSON.stringify(record));
  }

  #findRecord(): LoadRecord | undefined {
    const found = this.#options.store.findMeta(LOADING);
    return found === undefined ? undefined : (JSON.parse(found) as LoadRecord);
  }

  #record(): LoadRecord {
    const record = this.#findRecord();
    if (record === undefined) throw new CheckpointRefused("no checkpoint is being loaded");
    return record;
  }
}
