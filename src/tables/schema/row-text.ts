/**
 * Rows as JSON text: the one form in which they are written to a table, kept in the undo journal and sent to the read
 * model.
 */
import { encodeHex } from "../../crypto/hex.ts";
import type { Cell, Row, Table } from "./table.ts";

/** D1 takes parameters up to 2 MB. */
const MAX_PARAMETER_LENGTH = 1_000_000;

/** All cells of the row, in the order of the table's columns: bytes as hex, 64-bit integers as decimal text. */
export function rowText(table: Table, row: Row): string {
  return cellsText(table.columns.keys(), row);
}

/** The cells of its key. No two rows of a table have the same text. */
export function keyText(table: Table, row: Row): string {
  return cellsText(table.key, row);
}

function cellsText(names: Iterable<string>, row: Row): string {
  let text = "[";
  for (const name of names) {
    if (text.length > 1) text += ",";
    text += cellText(row[name]);
  }
  return `${text}]`;
}

function cellText(cell: Cell): string {
  if (typeof cell === "number") return `${cell}`;
  if (typeof cell === "bigint") return `"${cell}"`;
  if (typeof cell === "string") return JSON.stringify(cell);
  return cell === undefined ? "null" : `"${encodeHex(cell)}"`;
}

/** JSON arrays of the texts, each short enough for one parameter of a statement. */
export function parameters(texts: Iterable<string>): string[] {
  const arrays: string[] = [];
  let array = "";
  for (const text of texts) {
    if (array.length + text.length > MAX_PARAMETER_LENGTH && array !== "") {
      arrays.push(`[${array}]`);
      array = "";
    }
    array += array === "" ? text : `,${text}`;
  }
  if (array !== "") arrays.push(`[${array}]`);
  return arrays;
}
