/**
 * Data as the reference's scripts see it beside its database: in the liquid block keys are told apart by their UTF-16 and a data
 * transaction without entries counts; behind it a process that has run for long remembers an entry for each spelling.
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

/** PERF: rows are read one by one. A block buys some hundred thousand of them for little, which do not fit into memory. */
export class LiquidData {
  readonly #store: RowSource;
  /** Of the tip. undefined: nobody has looked; true: there may be some. */
  #hasRows: boolean | undefined;

  constructor(store: RowSource) {
    this.#store = store;
  }

  /** Whether the account has sent data transactions in the tip, and none of them had an entry. */
  hasAccount(address: Address, height: number): boolean {
    return this.#findOfTip({ address, kind: "account", key: "" }, height) !== undefined;
  }

  /** Whether it has done so in any block whose rows are still there. */
  hadAccount(address: Address): boolean {
    return this.#store.find(liquidDataTable, { address, kind: "account", key: "" }) !== undefined;
  }

  /** The entry as it is within the tip; undefined where the tip has changed no key that is the same in the tables. */
  find(address: Address, key: string, height: number): { readonly value: DataValue | undefined } | undefined {
    return (
      this.#findOfTip({ address, kind: "spelling", key }, height) ??
      this.#findOfTip({ address, kind: "others", key: withoutHalves(key) }, height)
    );
  }

  /** Whether the tip has changed any key that is the same in the tables. */
  isChanged(address: Address, key: string, height: number): boolean {
    return this.#findOfTip({ address, kind: "others", key: withoutHalves(key) }, height) !== undefined;
  }

  /** What may be remembered of the key. @param height of the tip */
  remembered(address: Address, key: string, height: number): RememberedData {
    const recent = (kind: LiquidDataRow["kind"], name: string): LiquidDataRow | undefined => {
      const row = this.#store.find(liquidDataTable, { address, kind, key: name });
      return this.isRecent(row, height) ? row : undefined;
    };
    const [spelling, read] = [recent("spelling", key), recent("read", key)];
    // A process that was started again has read what it had written.
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

  /** Spellings that the tip has written, in no order. @param most one more than these at most */
  writtenAt(height: number, most: number): readonly LiquidDataRow[] {
    if (this.#hasRows === false) return [];
    return this.#store.query(liquidDataTable, WRITTEN_SQL, height, most + 1);
  }

  /** To be called after a step was committed. */
  advance(changes: readonly RowChange[], isNewHeight: boolean): void {
    if (changes.some(({ table, removed }) => table === liquidDataTable && removed !== true)) this.#hasRows = true;
    else if (isNewHeight) this.#hasRows = false;
  }

  /** To be called when the tables are no longer those that were looked at. */
  clear(): void {
    this.#hasRows = undefined;
  }

  #findOfTip(key: Pick<LiquidDataRow, "address" | "kind" | "key">, height: number): LiquidDataRow | undefined {
    if (this.#hasRows === false) return undefined;
    const row = this.#store.find(liquidDataTable, key);
    return row?.height === height ? row : undefined;
  }
}
