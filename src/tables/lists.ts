/** Lists of the interface in order of creation: holders of assets, and possessions of accounts. */
import type { Address } from "../crypto/identities.ts";
import type { AssetId } from "../protocol/transactions/asset.ts";
import type { LeaseId } from "../protocol/transactions/transaction.ts";
import { bytes, flag, i64, int, oneOfTexts, text } from "./schema/column.ts";
import { type RowOf, table } from "./schema/table.ts";

export const counterTable = table({
  name: "counter",
  comment: "Numbers of objects of a kind that the chain has seen: the next one gets the next number.",
  key: ["name"],
  columns: { name: oneOfTexts(["accounts", "nfts", "leases", "aliases"]), count: int },
  published: false,
  inCheckpoint: "allOfLists",
});
export type CounterRow = RowOf<typeof counterTable>;

export const accountNumberTable = table({
  name: "account_number",
  comment: "Accounts in the order in which the chain first saw them: from 1 on.",
  key: ["address"],
  columns: { address: bytes<Address>(), number: int },
  published: true,
  inCheckpoint: "allOfLists",
  indexes: { account_by_number: { on: "number", isUnique: true, only: "readModel" } },
});

export const assetBalanceHistoryTable = table({
  name: "asset_balance_history",
  comment:
    "Asset balances by height. A row is valid from its height to the holder's next row. holder: an account's number.",
  key: ["asset", "holder", "height"],
  columns: { asset: bytes<AssetId>(), holder: int, height: int, balance: i64 },
  published: true,
  inCheckpoint: "allOfLists",
  indexes: { asset_balance_history_by_height: { on: "height", only: "object" } },
});

export const accountNftTable = table({
  name: "account_nft",
  comment: "Every NFT that an account ever had, numbered in the order of first receipt.",
  key: ["address", "asset"],
  columns: { address: bytes<Address>(), asset: bytes<AssetId>(), number: int, isHeld: flag },
  published: true,
  inCheckpoint: "allOfLists",
  indexes: { account_nft_held: { on: "address, number", where: "is_held = 1", only: "readModel" } },
});

export const accountLeaseTable = table({
  name: "account_lease",
  comment: "Active leases of their sender and of their recipient.",
  key: ["address", "lease"],
  columns: { address: bytes<Address>(), lease: bytes<LeaseId>(), height: int, number: int },
  published: true,
  inCheckpoint: "allOfLists",
  indexes: { account_lease_by_height: { on: "address, height DESC, number", only: "readModel" } },
});

export const accountAliasTable = table({
  name: "account_alias",
  comment: "Aliases of an account, also those taken over since.",
  key: ["address", "number"],
  columns: { address: bytes<Address>(), number: int, name: text },
  published: true,
  inCheckpoint: "allOfLists",
});
