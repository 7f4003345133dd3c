/**
 * Data of the liquid block as the reference's scripts see it before the block is stored: keys are told apart by their UTF-16, and a data
 * transaction without entries counts.
 * @source Waves: state/SnapshotBlockchain.scala (accountData, hasData)
 */
import type { Address } from "../../crypto/identities.ts";
import { withoutHalves } from "../../protocol/codec/utf8.ts";
import type { DataValue } from "../../protocol/transactions/transaction.ts";
import { type LiquidDataRow, liquidDataTable } from "../liquid-data.ts";
import type { RowChange } from "../schema/row-change.ts";
import { bindKey } from "../schema/stored-row.ts";
import type { RowSource } from "./row-source.ts";

const PAGE_SQL = "ORDER BY address, kind, key LIMIT 1000";
const AFTER_SQL = "WHERE (address, kind, key) > (?, ?, ?)";

/** PERF: rows are read one by one. A block buys some hundred thousand of them for little, which do not fit into memory. */
export class LiquidData {
  readonly #store: RowSource;
  /** undefined: nobody has looked; true: there may be some. */
  #hasRows: boolean | undefined;

  constructor(store: RowSource) {
    this.#store = store;
  }

  /** Whether the account has sent data transactions in the block, and none of them had an entry. */
  hasAccount(address: Address): boolean {
    return this.#find({ address, kind: "account", key: "" }) !== undefined;
  }

  /** The entry as it is within the block; undefined where the block has changed no key that is the same in the tables. */
  find(address: Address, key: string): { readonly value: DataValue | undefined } | undefined {
    return (
      this.#find({ address, kind: "spelling", key }) ?? this.#find({ address, kind: "others", key: withoutHalves(key) })
    );
  }

  /** In an order that does not tell how they have come; read as they are taken. */
  *rows(): Iterable<LiquidDataRow> {
    if (this.#hasRows === false) return;
    let page = this.#store.query(liquidDataTable, PAGE_SQL);
    for (;;) {
      yield* page;
      const last = page.at(-1);
      if (last === undefined) return;
      page = this.#store.query(liquidDataTable, `${AFTER_SQL} ${PAGE_SQL}`, ...bindKey(liquidDataTable, last));
    }
  }

  /** To be called after a step was committed. @param isNewHeight the rows of the block below have gone */
  advance(changes: readonly RowChange[], isNewHeight: boolean): void {
    if (changes.some(({ table, removed }) => table === liquidDataTable && removed !== true)) this.#hasRows = true;
    else if (isNewHeight) this.#hasRows = false;
  }

  /** To be called when the tables are no longer those that were looked at. */
  clear(): void {
    this.#hasRows = undefined;
  }

  #find(key: Pick<LiquidDataRow, "address" | "kind" | "key">): LiquidDataRow | undefined {
    return this.#hasRows === false ? undefined : this.#store.find(liquidDataTable, key);
  }
}
