/** Differences between a table of one database and the same table of another one, row by row. */
import type { DatabaseSync } from "node:sqlite";
import { sqlNameOf } from "../../src/tables/schema/column.ts";
import type { Table } from "../../src/tables/schema/table.ts";

type Cell = Uint8Array | string | bigint | number | null;
type Cells = readonly Cell[];

/** Rows that are named for each table; more are counted. */
const MAX_NAMED = 10;

export interface TableComparison {
  readonly table: string;
  /** Number of equal rows. */
  readonly equal: number;
  /** Different rows, a line each; the last line may count some. */
  readonly differences: readonly string[];
}

export interface ComparedDatabases {
  readonly own: DatabaseSync;
  readonly other: DatabaseSync;
  /** Name of the other one in the lines: "the read model". */
  readonly otherName: string;
}

/** Compared part of a table. */
export interface ComparedPart {
  readonly fields: readonly string[];
  /** SQL expressions that replace cells of fields. */
  readonly instead?: Readonly<Record<string, string>>;
  /** SQL condition; other rows are skipped. */
  readonly where?: string;
}

/**
 * Compares a table row by row, with one row of each database in memory at a time. Rows are matched by their key, or if
 * the key is not fully compared, by all compared fields.
 */
export function compareTable(
  table: Table,
  part: ComparedPart,
  { own: ownDatabase, other, otherName }: ComparedDatabases,
): TableComparison {
  const { fields } = part;
  const columns = fields.map((field) => sqlNameOf(field, columnOf(table, field)));
  const keyFields = table.key.every((field) => fields.includes(field)) ? table.key : fields;
  const keys = keyFields.map((field) => fields.indexOf(field));
  const sql = selectSql(table, part, columns, keys);
  const [ours, theirs] = [rowsOf(sql, ownDatabase), rowsOf(sql, other)];
  const differences: string[] = [];
  let count = 0;
  let equal = 0;
  const differ = (line: string): void => {
    count += 1;
    if (count <= MAX_NAMED) differences.push(line);
  };
  let [own, their] = [ours.next().value, theirs.next().value];
  while (own !== undefined || their !== undefined) {
    const order = own === undefined ? 1 : their === undefined ? -1 : compareKeys(own, their, keys);
    if (order < 0) differ(`missing in ${otherName}: ${keyOf(own, keys)}`);
    if (order > 0) differ(`only in ${otherName}: ${keyOf(their, keys)}`);
    if (order === 0) {
      const found = cellDifferences(columns, own as Cells, their as Cells, otherName);
      if (found === "") equal += 1;
      else differ(`${keyOf(own, keys)}: ${found}`);
    }
    if (order <= 0) own = ours.next().value;
    if (order >= 0) their = theirs.next().value;
  }
  if (count > MAX_NAMED) differences.push(`and ${count - MAX_NAMED} more`);
  return { table: table.name, equal, differences };
}

/** A line for each row that differs, with the name of its table. */
export function linesOf({ table, differences }: TableComparison): string[] {
  return differences.map((difference) => `${table}: ${difference}`);
}

function selectSql(
  { name }: Table,
  { fields, instead = {}, where }: ComparedPart,
  columns: readonly string[],
  keys: readonly number[],
): string {
  const cells = columns.map((column, index) => instead[fields[index] as string] ?? column);
  const order = keys.map((index) => index + 1).join(", ");
  return `SELECT ${cells.join(", ")} FROM ${name} ${where === undefined ? "" : `WHERE ${where}`} ORDER BY ${order}`;
}

function* rowsOf(sql: string, database: DatabaseSync): Generator<Cells, undefined> {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  for (const row of statement.iterate()) yield row as unknown as Cells;
  return undefined;
}

function columnOf({ name, columns }: Table, field: string) {
  const column = columns.get(field);
  if (column === undefined) throw new Error(`table ${name} has no column ${field}`);
  return column;
}

function compareKeys(left: Cells, right: Cells, keys: readonly number[]): number {
  for (const at of keys) {
    const order = compareCells(left[at] as Cell, right[at] as Cell);
    if (order !== 0) return order;
  }
  return 0;
}

/** Compares in SQLite's order: all cells of a key column have one type. */
function compareCells(left: Cell, right: Cell): number {
  if (typeof left === "bigint" && typeof right === "bigint") return left < right ? -1 : left > right ? 1 : 0;
  return Buffer.compare(bytesOf(left), bytesOf(right));
}

function bytesOf(cell: Cell): Uint8Array {
  return cell instanceof Uint8Array ? cell : Buffer.from(String(cell));
}

function keyOf(row: Cells | undefined, keys: readonly number[]): string {
  return keys.map((at) => cellText(row?.[at] ?? null)).join(", ");
}

function cellDifferences(columns: readonly string[], ours: Cells, theirs: Cells, otherName: string): string {
  return columns
    .flatMap((column, at) => {
      const [own, their] = [cellText(ours[at] ?? null), cellText(theirs[at] ?? null)];
      return own === their ? [] : [`${column} is ${shortened(own)}, in ${otherName} ${shortened(their)}`];
    })
    .join("; ");
}

function cellText(cell: Cell): string {
  return cell instanceof Uint8Array ? Buffer.from(cell).toString("hex") : String(cell);
}

function shortened(text: string): string {
  return text.length > 64 ? `${text.slice(0, 64)}…` : text;
}
