/** Balances of accounts: native token and leases, now and as far back as the rules and the interface look. */
import type { Address } from "../crypto/identities.ts";
import type { AssetId } from "../protocol/transactions/asset.ts";
import { bytes, i64, int } from "./schema/column.ts";
import { type RowOf, table } from "./schema/table.ts";

export const accountTable = table({
  name: "account",
  comment: "Balances of accounts at the tip, wavelets.",
  key: ["address"],
  columns: { address: bytes<Address>(), balance: i64, leaseIn: i64, leaseOut: i64 },
  published: true,
  inCheckpoint: "all",
});
export type AccountRow = RowOf<typeof accountTable>;

export const balanceHistoryTable = table({
  name: "balance_history",
  comment: "Balances by height. A row is valid from its height to the account's next row.",
  key: ["address", "height"],
  columns: { address: bytes<Address>(), height: int, balance: i64, leaseIn: i64, leaseOut: i64 },
  published: true,
  inCheckpoint: "all",
  indexes: { balance_history_by_height: { on: "height", only: "object" } },
});
export type BalanceHistoryRow = RowOf<typeof balanceHistoryTable>;

export const assetBalanceTable = table({
  name: "asset_balance",
  comment: "Asset balances of accounts at the tip.",
  key: ["address", "asset"],
  columns: { address: bytes<Address>(), asset: bytes<AssetId>(), balance: i64 },
  published: true,
  inCheckpoint: "all",
  // Current holders of an asset.
  indexes: { asset_holder: { on: "asset, address", where: "balance > 0", only: "readModel" } },
});
export type AssetBalanceRow = RowOf<typeof assetBalanceTable>;
