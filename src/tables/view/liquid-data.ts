/**
 * Data of the liquid block as the reference's scripts see it before the block is stored: keys are told apart by their UTF-16, and a data
 * transaction without entries counts.
 * @source Waves: state/SnapshotBlockchain.scala (accountData, hasData)
 */
import { bytesKey } from "../../crypto/bytes.ts";
import type { Address } from "../../crypto/identities.ts";
import { withoutHalves } from "../../protocol/codec/utf8.ts";
import type { DataValue } from "../../protocol/transactions/transaction.ts";
import { type LiquidDataRow, liquidDataTable } from "../liquid-data.ts";
import type { RowChange } from "../schema/row-change.ts";
import type { RowSource } from "./row-source.ts";

type RowKey = Pick<LiquidDataRow, "address" | "kind" | "key">;

const nameOf = ({ address, kind, key }: RowKey): string => `${kind}${bytesKey(address)}${key}`;

export class LiquidData {
  readonly #store: RowSource;
  #rows: Map<string, LiquidDataRow> | undefined;

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

  /** In an order that does not tell how they have come. */
  rows(): readonly LiquidDataRow[] {
    const known = this.#known();
    return [...known.keys()].sort().map((name) => known.get(name) as LiquidDataRow);
  }

  /** To be called after a step was committed. */
  advance({ row, removed }: RowChange): void {
    if (this.#rows === undefined) return;
    const name = nameOf(row as LiquidDataRow);
    if (removed === true) this.#rows.delete(name);
    else this.#rows.set(name, row as LiquidDataRow);
  }

  /** To be called when the tables are no longer those that the rows came from. */
  clear(): void {
    this.#rows = undefined;
  }

  #find(key: RowKey): LiquidDataRow | undefined {
    return this.#known().get(nameOf(key));
  }

  #known(): Map<string, LiquidDataRow> {
    this.#rows ??= new Map(this.#store.query(liquidDataTable, "").map((row) => [nameOf(row), row]));
    return this.#rows;
  }
}
