/** What the interface lists in the order in which it came to be: holders of assets, and what belongs to an account. */
import { table } from "./schema/table.ts";

/** How many of a kind the chain has seen: the next one gets the number after it. */
export type CounterRow = { name: "accounts" | "nfts" | "leases" | "aliases"; count: number };
export const counterTable = table<CounterRow>({
  name: "counter",
  key: ["name"],
  columns: { name: "text", count: "int" },
  published: false,
});

/** Accounts in the order in which the chain saw them first: from 1 on. */
export type AccountNumberRow = { address: Uint8Array; number: number };
export const accountNumberTable = table<AccountNumberRow>({
  name: "account_number",
  key: ["address"],
  columns: { address: "blob", number: "int" },
  published: true,
});

/** A row holds from its height on, until the holder's next row. `holder` is an account's number. */
export type AssetBalanceHistoryRow = { asset: Uint8Array; holder: number; height: number; balance: bigint };
export const assetBalanceHistoryTable = table<AssetBalanceHistoryRow>({
  name: "asset_balance_history",
  key: ["asset", "holder", "height"],
  columns: { asset: "blob", holder: "int", height: "int", balance: "i64" },
  published: true,
  indexes: { asset_balance_history_by_height: "height" },
});

/** Every NFT that an account ever had, numbered in the order in which accounts got theirs first. */
export type AccountNftRow = { address: Uint8Array; asset: Uint8Array; number: number; isHeld: number };
export const accountNftTable = table<AccountNftRow>({
  name: "account_nft",
  key: ["address", "asset"],
  columns: { address: "blob", asset: "blob", number: "int", isHeld: "int" },
  published: true,
});

/** Active leases of their sender and of their recipient. */
export type AccountLeaseRow = { address: Uint8Array; lease: Uint8Array; height: number; number: number };
export const accountLeaseTable = table<AccountLeaseRow>({
  name: "account_lease",
  key: ["address", "lease"],
  columns: { address: "blob", lease: "blob", height: "int", number: "int" },
  published: true,
});

/** Names that an account has taken. */
export type AccountAliasRow = { address: Uint8Array; number: number; name: string };
export const accountAliasTable = table<AccountAliasRow>({
  name: "account_alias",
  key: ["address", "number"],
  columns: { address: "blob", number: "int", name: "text" },
  published: true,
});
