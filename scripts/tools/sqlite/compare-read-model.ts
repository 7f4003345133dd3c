/** Where the read model shows something else than ChainState has, table by table and row by row. */
import type { DatabaseSync } from "node:sqlite";
import { publishedTables } from "../../../src/tables/all-tables.ts";
import type { Table } from "../../../src/tables/schema/table.ts";
import { compareTable, linesOf, type TableComparison } from "./compare-tables.ts";

/** Compares every published table. */
export function compareReadModel(state: DatabaseSync, readModel: DatabaseSync): readonly TableComparison[] {
  const databases = { own: state, other: readModel, otherName: "the read model" };
  return publishedTables.map((table) => compareTable(table, { fields: publishedFields(table) }, databases));
}

function publishedFields({ columns }: Table): readonly string[] {
  return [...columns].flatMap(([field, column]) => (column.unpublished === undefined ? [field] : []));
}

/** As `compareReadModel`, a line for each row that differs. */
export function readModelDifferences(state: DatabaseSync, readModel: DatabaseSync): string[] {
  return compareReadModel(state, readModel).flatMap(linesOf);
}
