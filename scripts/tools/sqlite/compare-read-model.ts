/** Where the read model shows something else than ChainState has, table by table and row by row. */
import type { DatabaseSync } from "node:sqlite";
import { publishedTables } from "../../../src/tables/all-tables.ts";
import { sqlNameOf } from "../../../src/tables/schema/column.ts";
import type { Table } from "../../../src/tables/schema/table.ts";

type Cell = Uint8Array | string | bigint | number | null;
type Cells = readonly Cell[];

/** Rows that are named of each table; the others are counted. */
const MAX_NAMED = 10;

export interface TableComparison {
  readonly table: string;
  /** Rows that are equal. */
  readonly equal: number;
  /** Rows that are not, a line each; the last line may count some. */
  readonly differences: readonly string[];
}

/** Compares every published table, in the order of the keys: of each database one row is in memory at a time. */
export function compareReadModel(state: DatabaseSync, readModel: DatabaseSync): readonly TableComparison[] {
  return publishedTables.map((table) => compareTable(table, state, readModel));
}

function compareTable(table: Table, state: DatabaseSync, readModel: DatabaseSync): TableComparison {
  const columns = publishedColumns(table);
  const keys = table.key.map((field) => columns.indexOf(sqlNameOf(field, columnOf(table, field))));
  const [ours, theirs] = [rowsOf(table, columns, state), rowsOf(table, columns, readModel)];
  const differences: string[] = [];
  let count = 0;
  let equal = 0;
  const differ = (what: string): void => {
    count += 1;
    if (count <= MAX_NAMED) differences.push(what);
  };
  let [own, their] = [ours.next().value, theirs.next().value];
  while (own !== undefined || their !== undefined) {
    const order = own === undefined ? 1 : their === undefined ? -1 : compareKeys(own, their, keys);
    if (order < 0) differ(`missing in the read model: ${keyOf(own, keys)}`);
    if (order > 0) differ(`only in the read model: ${keyOf(their, keys)}`);
    if (order === 0) {
      const found = cellDifferences(columns, own as Cells, their as Cells);
      if (found === "") equal += 1;
      else differ(`${keyOf(own, keys)}: ${found}`);
    }
    if (order <= 0) own = ours.next().value;
    if (order >= 0) their = theirs.next().value;
  }
  if (count > MAX_NAMED) differences.push(`and ${count - MAX_NAMED} more`);
  return { table: table.name, equal, differences };
}

function* rowsOf(table: Table, columns: readonly string[], database: DatabaseSync): Generator<Cells, undefined> {
  const statement = database.prepare(`SELECT ${columns.join(", ")} FROM ${table.name} ${table.byKeySql}`);
  statement.setReadBigInts(true);
  for (const row of statement.iterate()) yield Object.values(row as Record<string, Cell>);
  return undefined;
}

function publishedColumns({ columns }: Table): readonly string[] {
  return [...columns].flatMap(([field, column]) =>
    column.unpublished === undefined ? [sqlNameOf(field, column)] : [],
  );
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

/** As SQLite orders them: a column of a key has cells of one kind. */
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

function cellDifferences(columns: readonly string[], ours: Cells, theirs: Cells): string {
  return columns
    .flatMap((column, at) => {
      const [own, their] = [cellText(ours[at] ?? null), cellText(theirs[at] ?? null)];
      return own === their ? [] : [`${column} is ${shortened(own)}, in the read model ${shortened(their)}`];
    })
    .join("; ");
}

function cellText(cell: Cell): string {
  return cell instanceof Uint8Array ? Buffer.from(cell).toString("hex") : String(cell);
}

function shortened(text: string): string {
  return text.length > 64 ? `${text.slice(0, 64)}…` : text;
}
