/**
 * State of the chain as a file: lines of JSON. The first line is a header, the others have rows of a table each, and
 * the last one the number of rows. It is written from a copy of the state, and read into one, in chunks.
 */
import * as z from "zod";
import type { DumpPosition } from "../../../src/env.ts";
import { SCHEMA_VERSION } from "../../../src/tables/migrations/all-migrations.ts";
import type { JsonCell } from "../../../src/tables/schema/cell.ts";
import { parameters } from "../../../src/tables/schema/row-text.ts";
import { copiedTables, READ_CHARACTERS, type StateCopies } from "./state-copies.ts";

/** Format and its version in the first line. */
const FORMAT = "waves-edge-node state";
const VERSION = 1;

export interface DumpOptions {
  readonly copies: StateCopies;
  /** Base58 of the genesis block's id. */
  readonly genesis: string;
}

const headSchema = z.object({
  format: z.literal(FORMAT),
  version: z.number(),
  schema: z.number(),
  genesis: z.string(),
});
const cellSchema = z.union([z.string(), z.number(), z.null()]);
/** A line without rows would cost time, and the number of such lines would be unlimited. */
const rowsSchema = z.object({ table: z.string(), rows: z.array(z.array(cellSchema)).min(1) });
const endSchema = z.object({ end: z.object({ rows: z.number() }) });

export interface DumpPart {
  readonly lines: string;
  /** Position of the next chunk; undefined: this was the last one. */
  readonly next: DumpPosition | undefined;
}

/** Progress of reading a dump. */
export interface DumpReadProgress {
  readonly rows: number;
  readonly hasHead: boolean;
  readonly hasEnd: boolean;
}

export const nothingRead: DumpReadProgress = { rows: 0, hasHead: false, hasEnd: false };

/** The dump cannot be loaded; the message gives the reason. */
export class DumpRefused extends Error {
  override readonly name = "DumpRefused";
}

/** Lines from a position on, up to the size of a chunk: about half a megabyte, or a single row that has more. */
export function dumpPart({ copies, genesis }: DumpOptions, from: DumpPosition): DumpPart {
  const lines: string[] = [];
  let length = 0;
  let position = from;
  if (position.table === 0 && position.upTo === undefined)
    lines.push(JSON.stringify({ format: FORMAT, version: VERSION, schema: SCHEMA_VERSION, genesis }));
  for (;;) {
    const copied = copiedTables[position.table];
    if (copied === undefined) {
      lines.push(JSON.stringify({ end: { rows: position.rows } }));
      return { lines: `${lines.join("\n")}\n`, next: undefined };
    }
    const { rows, upTo } = copies.read(position.copy, copied, position.upTo, READ_CHARACTERS - length);
    const name = JSON.stringify(copied.table.name);
    for (const chunk of parameters(rows)) {
      lines.push(`{"table":${name},"rows":${chunk}}`);
      length += chunk.length;
    }
    const next = upTo === undefined ? { table: position.table + 1 } : { table: position.table, upTo };
    position = { copy: position.copy, rows: position.rows + rows.length, ...next };
    if (length >= READ_CHARACTERS) return { lines: `${lines.join("\n")}\n`, next: position };
  }
}

/**
 * Adds lines of a dump to a copy.
 * @throws DumpRefused no dump, or one of another network or release
 * @throws StoredValueError, the database's error: rows that do not fit the tables
 */
export function readDump(
  { copies, genesis }: DumpOptions,
  copy: number,
  lines: readonly string[],
  before: DumpReadProgress,
): DumpReadProgress {
  let read = before;
  for (const line of lines) {
    const value = parsed(line);
    if (!read.hasHead) checkHead(value, genesis);
    else if (read.hasEnd) throw new DumpRefused("the file continues after its end");
    read = { ...read, ...(read.hasHead ? addLine(copies, copy, value, read) : { hasHead: true }) };
  }
  return read;
}

function addLine(
  copies: StateCopies,
  copy: number,
  value: unknown,
  { rows }: DumpReadProgress,
): Partial<DumpReadProgress> {
  const end = endSchema.safeParse(value).data?.end;
  if (end !== undefined) {
    if (end.rows !== rows) throw new DumpRefused(`the file has ${rows} rows, not ${end.rows} as its end says`);
    return { hasEnd: true };
  }
  const found = rowsSchema.safeParse(value).data;
  const copied = copiedTables.find(({ table }) => table.name === found?.table);
  if (found === undefined || copied === undefined)
    throw new DumpRefused("the file has a line that is not part of a dump");
  copies.add(copy, copied, found.rows as JsonCell[][]);
  return { rows: rows + found.rows.length };
}

/** @throws DumpRefused */
function checkHead(value: unknown, genesis: string): void {
  const { data } = headSchema.safeParse(value);
  if (data === undefined) throw new DumpRefused("the file is no dump of a dev chain");
  if (data.version !== VERSION || data.schema !== SCHEMA_VERSION)
    throw new DumpRefused(
      `the dump is of another release: its tables have version ${data.schema}, this release's ${SCHEMA_VERSION}`,
    );
  if (data.genesis !== genesis)
    throw new DumpRefused(`the dump is of another chain: its genesis is ${data.genesis}, this chain's ${genesis}`);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new DumpRefused("the file is no dump of a dev chain");
  }
}
