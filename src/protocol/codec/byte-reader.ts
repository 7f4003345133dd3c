/** Cursor over bytes with bounds checks. */
import { WireError } from "../errors.ts";

/**
 * Reads numbers (big-endian) and byte strings in order. Every read checks the bounds and throws a WireError with the
 * offset; the calling codecs add the name of the field. Byte strings are copies: they do not retain the message, and do
 * not change with it.
 */
export class ByteReader {
  readonly bytes: Uint8Array;
  /** Next byte to read, counted from the start of `bytes`. */
  offset: number;
  /** Offset after the last readable byte. */
  end: number;
  readonly #view: DataView;
  readonly #endReason: string | undefined;

  /** @param endReason error text for missing bytes; default: a generic text */
  constructor(bytes: Uint8Array, start = 0, end = bytes.length, endReason?: string) {
    this.bytes = bytes;
    this.offset = start;
    this.end = end;
    this.#endReason = endReason;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get remaining(): number {
    return this.end - this.offset;
  }

  u8(): number {
    return this.bytes[this.take(1)] as number;
  }

  i16(): number {
    return this.#view.getInt16(this.take(2));
  }

  u16(): number {
    return this.#view.getUint16(this.take(2));
  }

  i32(): number {
    return this.#view.getInt32(this.take(4));
  }

  u32(): number {
    return this.#view.getUint32(this.take(4));
  }

  i64(): bigint {
    return this.#view.getBigInt64(this.take(8));
  }

  /** Copy of the next bytes. */
  bytesOf(sizeBytes: number): Uint8Array {
    const from = this.take(sizeBytes);
    return this.bytes.slice(from, from + sizeBytes);
  }

  /** The next byte, without consuming it. */
  peek(ahead = 0): number {
    if (this.offset + ahead >= this.end) this.fail(this.#endReason ?? `ends, ${ahead + 1} more expected`);
    return this.bytes[this.offset + ahead] as number;
  }

  /** Skips bytes. @returns their offset */
  take(sizeBytes: number): number {
    const from = this.offset;
    if (sizeBytes > this.end - from || sizeBytes < 0) {
      this.fail(this.#endReason ?? `${sizeBytes} bytes expected, ${this.end - from} left`);
    }
    this.offset = from + sizeBytes;
    return from;
  }

  /** @throws WireError when bytes are left */
  expectEnd(): void {
    if (this.offset !== this.end) this.fail(`${this.end - this.offset} bytes too many`);
  }

  fail(reason: string, offset = this.offset): never {
    throw new WireError({ field: "", offset, reason });
  }
}

/** Runs a read under the name of a field, which a WireError then contains. */
export function readField<Value>(field: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw underField(field, error);
  }
}

/** WireError with the field's name before the path that it already has; other errors unchanged. */
export function underField(field: string, error: unknown): unknown {
  if (!(error instanceof WireError)) return error;
  const inner = error.field;
  const path = inner === "" ? field : inner.startsWith("[") ? field + inner : `${field}.${inner}`;
  return new WireError({ field: path, offset: error.offset, reason: error.reason });
}
