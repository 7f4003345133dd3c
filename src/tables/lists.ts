/** What the interface lists in the order in which it came to be: holders of assets, and what belongs to an account. */
import type { Address } from "../crypto/identities.ts";
import type { AssetId } from "../protocol/transactions/asset.ts";
import type { LeaseId } from "../protocol/transactions/transaction.ts";
import { bytes, flag, i64, int, oneOfTexts, text } from "./schema/column.ts";
import { type RowOf, table } from "./schema/table.ts";

export const counterTable = table({
  name: "counter",
  comment: "How many of a kind the chain has seen: the next one gets the number after it.",
  key: ["name"],
  columns: { name: oneOfTexts(["accounts", "nfts", "leases", "aliases"]), count: int },
  published: false,
  inCheckpoint: "allOfLists",
});
export type CounterRow = RowOf<typeof counterTable>;

export const accountNumberTable = table({
  name: "account_number",
  comment: "Accounts in the order in which the chain saw them first: from 1 on.",
  key: ["address"],
  columns: { address: bytes<Address>(), number: int },
  published: true,
  inCheckpoint: "allOfLists",
  indexes: { account_by_number: { on: "number", isUnique: true, only: "readModel" } },
});

export const assetBalanceHistoryTable = table({
  name: "asset_balance_history",
  comment: "A row holds from its height on, until the holder's next row. holder: an account's number.",
  key: ["asset", "holder", "height"],
  columns: { asset: bytes<AssetId>(), holder: int, height: int, balance: i64 },
  published: true,
  inCheckpoint: "allOfLists",
  indexes: { asset_balance_history_by_height: { on: "height", only: "object" } },
});

export const accountNftTable = table({
  name: "account_nft",
  comment: "Every NFT that an account ever had, numbered in the order in which accounts got theirs first.",
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
  comment: "Names that an account has taken.",
  key: ["address", "number"],
  columns: { address: bytes<Address>(), number: int, name: text },
  published: true,
  inCheckpoint: "allOfLists",
});
