/** Differences between ChainState and the read model, table by table and row by row. */
import type { DatabaseSync } from "node:sqlite";
import { transactionText } from "../../durable/chain-state/publish/transaction-texts.ts";
import { Feature } from "../../src/network/features.ts";
import type { TransactionId } from "../../src/protocol/transactions/transaction.ts";
import { publishedTables } from "../../src/tables/all-tables.ts";
import { transactionTable } from "../../src/tables/blocks.ts";
import type { Table } from "../../src/tables/schema/table.ts";
import { compareTable, linesOf, type TableComparison } from "./compare-tables.ts";

/** Compares every published table, and the read model's derived data with its sources. */
export function compareReadModel(state: DatabaseSync, readModel: DatabaseSync): readonly TableComparison[] {
  const databases = { own: state, other: readModel, otherName: "the read model" };
  return [
    ...publishedTables.map((table) => compareTable(table, { fields: publishedFields(table) }, databases)),
    compareTexts(readModel),
  ];
}

function publishedFields({ columns }: Table): readonly string[] {
  return [...columns].flatMap(([field, column]) => (column.unpublished === undefined ? [field] : []));
}

/** Compares each transaction's JSON in the read model with its bytes. */
function compareTexts(readModel: DatabaseSync): TableComparison {
  const settings = { protobufSince: activationHeight(readModel, Feature.BlockV5), chainId: chainIdOf(readModel) };
  const differences: string[] = [];
  let equal = 0;
  const rows = readModel.prepare("SELECT id, height, position, bytes, json FROM tx WHERE json IS NOT NULL").iterate();
  for (const { id, height, position, bytes, json } of rows) {
    const row = { id: id as TransactionId, height: Number(height), bytes: bytes as Uint8Array };
    if (transactionText(row, settings) === json) equal += 1;
    else differences.push(`${height}, ${position}: json is not what the bytes say`);
  }
  return { table: `${transactionTable.name}, as JSON`, equal, differences };
}

function activationHeight(readModel: DatabaseSync, feature: number): number {
  const found = readModel.prepare("SELECT activation_height FROM feature WHERE id = ?").get(feature);
  return Number(found?.["activation_height"] ?? Number.POSITIVE_INFINITY);
}

/** Second byte of any address; 0 without addresses, and so without transactions. */
function chainIdOf(readModel: DatabaseSync): number {
  const found = readModel.prepare("SELECT address FROM account LIMIT 1").get();
  return (found?.["address"] as Uint8Array | undefined)?.[1] ?? 0;
}

/** Like `compareReadModel`, a line for each row that differs. */
export function readModelDifferences(state: DatabaseSync, readModel: DatabaseSync): string[] {
  return compareReadModel(state, readModel).flatMap(linesOf);
}
