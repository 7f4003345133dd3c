/** All tables, by database. */

import { accountScriptTable } from "./account-scripts.ts";
import { accountTable, assetBalanceTable, balanceHistoryTable } from "./accounts.ts";
import { aliasTable } from "./aliases.ts";
import { assetTable } from "./assets.ts";
import { blockTable, microBlockTable, transactionAddressTable, transactionTable } from "./blocks.ts";
import { branchBlockTable } from "./branch-blocks.ts";
import { chainTable } from "./chain.ts";
import { challengeTable } from "./challenges.ts";
import { commitmentTable, generatorBalanceTable, generatorConflictTable } from "./commitments.ts";
import { dataEntryTable, dataOwnerTable } from "./data-entries.ts";
import { featureTable, featureVoteTable } from "./features.ts";
import { outboxTable, undoTable } from "./journal.ts";
import { leaseTable } from "./leases.ts";
import { liquidDataTable } from "./liquid-data.ts";
import {
  accountAliasTable,
  accountLeaseTable,
  accountNftTable,
  accountNumberTable,
  assetBalanceHistoryTable,
  counterTable,
} from "./lists.ts";
import { metaTable } from "./meta.ts";
import { orderFillTable } from "./order-fills.ts";
import { poolTable } from "./pool.ts";
import { publicationTable, sentBatchTable } from "./publication.ts";
import { createSql, type Database } from "./schema/schema-text.ts";
import type { Table } from "./schema/table.ts";
import { stateHashTable } from "./state-hashes.ts";
import { transactionTreeTable } from "./transaction-trees.ts";

/**
 * Tables of the chain state, in a fixed order: the undo journal and the outbox refer to a table by its number. New ones
 * go to the end, since stored journals depend on the order.
 */
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
  transactionTreeTable,
  challengeTable,
  commitmentTable,
  generatorConflictTable,
  generatorBalanceTable,
  liquidDataTable,
];

/** Tables that the read model has, too. */
export const publishedTables: readonly Table[] = stateTables.filter(({ published }) => published);

/** Tables of each database. */
export const tablesOf: Readonly<Record<Database, readonly Table[]>> = {
  object: [
    ...stateTables,
    undoTable,
    metaTable,
    outboxTable,
    publicationTable,
    sentBatchTable,
    poolTable,
    branchBlockTable,
  ],
  readModel: [chainTable, metaTable, ...publishedTables],
};

/** SQL statements that create a new database. */
export function schemaSql(database: Database): string[] {
  return tablesOf[database].flatMap((table) => createSql(table, database));
}
