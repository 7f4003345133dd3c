/** Balances of accounts: native token and leases, now and through the window that the rules and the interface look back. */
import { table } from "./schema/table.ts";

export type AccountRow = { address: Uint8Array; balance: bigint; leaseIn: bigint; leaseOut: bigint };
export const accountTable = table<AccountRow>({
  name: "account",
  key: ["address"],
  columns: { address: "blob", balance: "i64", leaseIn: "i64", leaseOut: "i64" },
  published: true,
});

/** A row holds from its height on, until the account's next row. */
export type BalanceHistoryRow = AccountRow & { height: number };
export const balanceHistoryTable = table<BalanceHistoryRow>({
  name: "balance_history",
  key: ["address", "height"],
  columns: { address: "blob", height: "int", balance: "i64", leaseIn: "i64", leaseOut: "i64" },
  published: true,
  indexes: { balance_history_by_height: "height" },
});

export type AssetBalanceRow = { address: Uint8Array; asset: Uint8Array; balance: bigint };
export const assetBalanceTable = table<AssetBalanceRow>({
  name: "asset_balance",
  key: ["address", "asset"],
  columns: { address: "blob", asset: "blob", balance: "i64" },
  published: true,
});
