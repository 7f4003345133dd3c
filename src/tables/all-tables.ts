/**
 * Every table whose rows are chain state, in the fixed order by which the undo journal and the outbox name them.
 * New tables go to the end: stored journals count on the order.
 */

import { accountTable, assetBalanceTable, balanceHistoryTable } from "./accounts.ts";
import { assetTable, orderFillTable } from "./assets.ts";
import { blockTable, microBlockTable, transactionAddressTable, transactionTable } from "./blocks.ts";
import { featureTable, featureVoteTable } from "./features.ts";
import {
  accountAliasTable,
  accountLeaseTable,
  accountNftTable,
  accountNumberTable,
  assetBalanceHistoryTable,
  counterTable,
} from "./lists.ts";
import { accountScriptTable, aliasTable, dataEntryTable, dataOwnerTable, leaseTable } from "./names-and-data.ts";
import type { Table } from "./schema/table.ts";
import { stateHashTable } from "./state-hashes.ts";

export const stateTables: readonly Table[] = [
  blockTable,
  microBlockTable,
  transactionTable,
  transactionAddressTable,
  accountTable,
  balanceHistoryTable,
  assetBalanceTable,
  assetTable,
  orderFillTable,
  aliasTable,
  dataEntryTable,
  accountScriptTable,
  leaseTable,
  featureTable,
  featureVoteTable,
  stateHashTable,
  dataOwnerTable,
  counterTable,
  accountNumberTable,
  assetBalanceHistoryTable,
  accountNftTable,
  accountLeaseTable,
  accountAliasTable,
] as readonly Table[];

/** Position of each table in `stateTables`. */
export const tableNumbers: ReadonlyMap<Table, number> = new Map(stateTables.map((table, number) => [table, number]));
