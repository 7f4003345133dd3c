/**
 * A state of the chain as a file: lines of JSON. The first says what it is, each other one has rows of a table, and the last
 * how many rows there were. It is written from a copy of the state, and read into one, part by part.
 */
import * as z from "zod";
import type { DumpPlace } from "../../src/env.ts";
import { SCHEMA_VERSION } from "../../src/tables/migrations/all-migrations.ts";
import type { JsonCell } from "../../src/tables/schema/cell.ts";
import { parameters } from "../../src/tables/schema/row-text.ts";
import { copiedTables, READ_CHARACTERS, type StateCopies } from "./state-copies.ts";

/** What the first line says besides: another form has another number. */
const FORMAT = "waves-edge-node state";
const VERSION = 1;

export interface DumpFacts {
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
/** A line without rows would cost time, and nothing would limit how many there are. */
const rowsSchema = z.object({ table: z.string(), rows: z.array(z.array(cellSchema)).min(1) });
const endSchema = z.object({ end: z.object({ rows: z.number() }) });

export interface DumpPart {
  readonly lines: string;
  /** Where the next part begins; undefined: this was the last one. */
  readonly next: DumpPlace | undefined;
}

/** What was read of a dump so far. */
export interface ReadSoFar {
  readonly rows: number;
  readonly hasHead: boolean;
  readonly hasEnd: boolean;
}

export const nothingRead: ReadSoFar = { rows: 0, hasHead: false, hasEnd: false };

/** It cannot be loaded; the message is a sentence. */
export class DumpRefused extends Error {
  override readonly name = "DumpRefused";
}

/** The lines from a place on, as many as a part should have: about half a megabyte, and a row that alone has more. */
export function dumpPart({ copies, genesis }: DumpFacts, from: DumpPlace): DumpPart {
  const lines: string[] = [];
  let length = 0;
  let place = from;
  if (place.table === 0 && place.upTo === undefined)
    lines.push(JSON.stringify({ format: FORMAT, version: VERSION, schema: SCHEMA_VERSION, genesis }));
  for (;;) {
    const copied = copiedTables[place.table];
    if (copied === undefined) {
      lines.push(JSON.stringify({ end: { rows: place.rows } }));
      return { lines: `${lines.join("\n")}\n`, next: undefined };
    }
    const { rows, upTo } = copies.read(place.copy, copied, place.upTo, READ_CHARACTERS - length);
    const name = JSON.stringify(copied.table.name);
    for (const part of parameters(rows)) {
      lines.push(`{"table":${name},"rows":${part}}`);
      length += part.length;
    }
    const next = upTo === undefined ? { table: place.table + 1 } : { table: place.table, upTo };
    place = { copy: place.copy, rows: place.rows + rows.length, ...next };
    if (length >= READ_CHARACTERS) return { lines: `${lines.join("\n")}\n`, next: place };
  }
}

/**
 * Adds lines of a dump to a copy.
 * @throws DumpRefused it is none, or one of another network or release
 * @throws StoredValueError, the database's error: its rows are none of the tables'
 */
export function readDump(
  { copies, genesis }: DumpFacts,
  copy: number,
  lines: readonly string[],
  before: ReadSoFar,
): ReadSoFar {
  let read = before;
  for (const line of lines) {
    const value = parsed(line);
    if (!read.hasHead) checkHead(value, genesis);
    else if (read.hasEnd) throw new DumpRefused("the file goes on behind its end");
    read = { ...read, ...(read.hasHead ? addLine(copies, copy, value, read) : { hasHead: true }) };
  }
  return read;
}

function addLine(copies: StateCopies, copy: number, value: unknown, { rows }: ReadSoFar): Partial<ReadSoFar> {
  const end = endSchema.safeParse(value).data?.end;
  if (end !== undefined) {
    if (end.rows !== rows) throw new DumpRefused(`the file has ${rows} rows where it says to have ${end.rows}`);
    return { hasEnd: true };
  }
  const found = rowsSchema.safeParse(value).data;
  const copied = copiedTables.find(({ table }) => table.name === found?.table);
  if (found === undefined || copied === undefined) throw new DumpRefused("the file has a line that is none of a dump");
  copies.add(copy, copied, found.rows as JsonCell[][]);
  return { rows: rows + found.rows.length };
}

/** @throws DumpRefused */
function checkHead(value: unknown, genesis: string): void {
  const { data } = headSchema.safeParse(value);
  if (data === undefined) throw new DumpRefused("the file is no dump of a dev chain");
  if (data.version !== VERSION || data.schema !== SCHEMA_VERSION)
    throw new DumpRefused(
      `the dump is of another release: its tables have version ${data.schema}, those of this one ${SCHEMA_VERSION}`,
    );
  if (data.genesis !== genesis)
    throw new DumpRefused(`the dump is of another chain: its genesis is ${data.genesis}, that of this one ${genesis}`);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new DumpRefused("the file is no dump of a dev chain");
  }
}
