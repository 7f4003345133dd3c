/**
 * Data that the reference's scripts see beside its database. In the liquid block, keys differ by their UTF-16 and a
 * data transaction without entries counts; after it, a long-running process remembers an entry for each spelling.
 * @source Waves: state/SnapshotBlockchain.scala (accountData, hasData); database/Caches.scala (accountDataCache)
 */
import type { Address } from "../../crypto/identities.ts";
import { withoutHalves } from "../../protocol/codec/utf8.ts";
import type { DataValue } from "../../protocol/transactions/transaction.ts";
import { type RememberedData, rememberedBlocks } from "../../rules/state/data-spellings.ts";
import { type LiquidDataRow, liquidDataTable } from "../liquid-data.ts";
import type { RowChange } from "../schema/row-change.ts";
import { whereIs } from "../schema/where-is.ts";
import type { RowSource } from "./row-source.ts";

const WRITTEN_SQL = `WHERE height = ? AND ${whereIs(liquidDataTable, "kind", "spelling")} LIMIT ?`;

/**
 * PERF: rows are read one by one. A block can create some hundred thousand of them cheaply, which do not fit into
 * memory.
 */
export class LiquidData {
  readonly #store: RowSource;
  /** Whether the tip may have rows; undefined: not checked yet. */
  #hasRows: boolean | undefined;

  constructor(store: RowSource) {
    this.#store = store;
  }

  /** Whether the account has sent data transactions in the tip, and none of them had an entry. */
  hasAccount(address: Address, height: number): boolean {
    return this.#findOfTip({ address, kind: "account", key: "" }, height) !== undefined;
  }

  /** The same for any block whose rows still exist. */
  hadAccount(address: Address): boolean {
    return this.#store.find(liquidDataTable, { address, kind: "account", key: "" }) !== undefined;
  }

  /** Entry within the tip; undefined if the tip has changed no key that is equal in the tables. */
  find(address: Address, key: string, height: number): { readonly value: DataValue | undefined } | undefined {
    return (
      this.#findOfTip({ address, kind: "spelling", key }, height) ??
      this.#findOfTip({ address, kind: "others", key: withoutHalves(key) }, height)
    );
  }

  /** Whether the tip has changed any key that is equal in the tables. */
  isChanged(address: Address, key: string, height: number): boolean {
    return this.#findOfTip({ address, kind: "others", key: withoutHalves(key) }, height) !== undefined;
  }

  /** Remembered data of the key. @param height height of the tip */
  remembered(address: Address, key: string, height: number): RememberedData {
    const recent = (kind: LiquidDataRow["kind"], name: string): LiquidDataRow | undefined => {
      const row = this.#store.find(liquidDataTable, { address, kind, key: name });
      return this.isRecent(row, height) ? row : undefined;
    };
    const [spelling, read] = [recent("spelling", key), recent("read", key)];
    // A restarted process has read the value that it had written.
    const last = (spelling?.height ?? -1) >= (read?.height ?? -1) ? spelling : read;
    return { last, before: recent("others", withoutHalves(key)) };
  }

  findSpelling(address: Address, key: string): LiquidDataRow | undefined {
    return this.#store.find(liquidDataTable, { address, kind: "spelling", key });
  }

  isRecent(row: LiquidDataRow | undefined, height: number): row is LiquidDataRow {
    return row !== undefined && row.height > height - rememberedBlocks;
  }

  /** Whether a script has read the key before. */
  wasRead(address: Address, key: string, height: number): boolean {
    return this.isRecent(this.#store.find(liquidDataTable, { address, kind: "read", key }), height);
  }

  /** Spellings written by the tip, in no order. @param most maximum; one more is returned if there are more */
  writtenAt(height: number, most: number): readonly LiquidDataRow[] {
    if (this.#hasRows === false) return [];
    return this.#store.query(liquidDataTable, WRITTEN_SQL, height, most + 1);
  }

  /** Updates the cache after a commit. */
  advance(changes: readonly RowChange[], isNewHeight: boolean): void {
    if (changes.some(({ table, removed }) => table === liquidDataTable && removed !== true)) this.#hasRows = true;
    else if (isNewHeight) this.#hasRows = false;
  }

  /** Clears the cache; call it when the tables have changed in another way. */
  clear(): void {
    this.#hasRows = undefined;
  }

  #findOfTip(key: Pick<LiquidDataRow, "address" | "kind" | "key">, height: number): LiquidDataRow | undefined {
    if (this.#hasRows === false) return undefined;
    const row = this.#store.find(liquidDataTable, key);
    return row?.height === height ? row : undefined;
  }
}
