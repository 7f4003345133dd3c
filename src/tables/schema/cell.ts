/** Conversion of values to and from SQLite: as bound and result values, and as JSON that SQLite parses. */
import { BASE64_PREFIX, encodePrefixedBase64, parseBase64 } from "../../crypto/base64.ts";
import { decodeHex, encodeHex } from "../../crypto/hex.ts";
import { platformLimits } from "../../platform/limits.ts";
import type { Cell, Column } from "./column.ts";

/** Values that SQLite accepts and returns. */
export type StoredValue = ArrayBuffer | string | number | null;

/**
 * A cell in exact JSON form: bytes as hex, those of a long column above some length as base64; 64-bit integers as
 * decimal text.
 */
export type JsonCell = string | number | null;

/** Maximum of a long column's bytes in hex. As base64, a row can hold the longest header that a message can carry. */
const MAX_HEX_BYTES = Math.floor(platformLimits.valueBytes / 8);

/** A stored value that does not fit its column: the database is damaged, or another release wrote it. */
export class StoredValueError extends Error {
  override readonly name = "StoredValueError";

  constructor(table: string, column: string, stored: unknown, cause: unknown) {
    const text = stored instanceof ArrayBuffer ? encodeHex(new Uint8Array(stored)) : String(stored);
    const printed = text.length > MAX_PRINTED_CHARACTERS ? `${text.slice(0, MAX_PRINTED_CHARACTERS)}…` : text;
    super(`table ${table}, column ${column} holds ${printed}: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  }
}

const MAX_PRINTED_CHARACTERS = 64;

/** Encodes a value; undefined for NULL. */
export function cellOf(value: unknown, { encode }: Column): Cell | undefined {
  return value === undefined || encode === undefined ? (value as Cell | undefined) : encode(value);
}

/** The cell in the form that SQLite accepts. */
export function bindCell(cell: Cell | undefined): StoredValue {
  if (cell === undefined) return null;
  if (typeof cell === "bigint") return cell.toString();
  if (cell instanceof Uint8Array) {
    const { buffer, byteOffset, byteLength } = cell;
    return (
      byteOffset === 0 && byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)
    ) as ArrayBuffer;
  }
  return cell;
}

/** The value in the form that SQLite accepts. */
export function bindValue(value: unknown, column: Column): StoredValue {
  return bindCell(cellOf(value, column));
}

/** Decodes a value of SQLite. @throws Error with the reason */
export function readValue(stored: StoredValue, column: Column): unknown {
  if (stored === null) return valueOfNull(column);
  const cell = readCell(stored, column);
  return column.decode === undefined ? cell : column.decode(cell);
}

function readCell(stored: NonNullable<StoredValue>, { kind, isLong }: Column): Cell {
  if (kind === "i64") return BigInt(stored as string);
  if (kind === "blob" && isLong && typeof stored === "string") return bytesOfBase64(stored);
  if (kind === "blob") return new Uint8Array(stored as ArrayBuffer);
  return stored as string | number;
}

/** JSON of the value. */
export function valueText(value: unknown, column: Column): string {
  const cell = cellOf(value, column);
  if (typeof cell === "number") return `${cell}`;
  if (typeof cell === "bigint") return `"${cell}"`;
  if (typeof cell === "string") return JSON.stringify(cell);
  if (cell === undefined) return "null";
  return column.isLong && cell.length > MAX_HEX_BYTES ? `"${encodePrefixedBase64(cell)}"` : `"${encodeHex(cell)}"`;
}

/** Decodes a value from JSON. @throws Error with the reason */
export function valueOfJson(json: JsonCell, column: Column): unknown {
  if (json === null) return valueOfNull(column);
  const cell = cellOfJson(json, column);
  return column.decode === undefined ? cell : column.decode(cell);
}

function cellOfJson(json: string | number, { kind, isLong }: Column): Cell {
  if (kind === "i64") return BigInt(json);
  if (kind === "blob" && isLong && (json as string).startsWith(BASE64_PREFIX)) return bytesOfBase64(json as string);
  if (kind === "blob") return decodeHex(json as string);
  return json;
}

function bytesOfBase64(text: string): Uint8Array {
  const bytes = parseBase64(text);
  if (bytes instanceof Uint8Array) return bytes;
  throw new Error("no base64");
}

/**
 * Rejects JSON that `valueText` returns for no value of the column. SQLite would store it nevertheless, and later reads
 * would fail.
 * @throws Error with the reason
 */
export function assertKind(json: JsonCell, { kind }: Column): void {
  if (json === null) return;
  if (kind === "int") {
    if (!Number.isSafeInteger(json)) throw new Error("no integer below 2^53");
    return;
  }
  if (typeof json !== "string") throw new Error("no text");
  if (kind === "i64" && BigInt.asIntN(64, BigInt(json)) !== BigInt(json))
    throw new Error("an integer of more than 64 bits");
}

function valueOfNull({ isNullable }: Column): undefined {
  if (!isNullable) throw new Error("nothing where something must be");
  return undefined;
}
