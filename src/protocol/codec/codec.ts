/** Binary formats, declared once for both directions: big-endian numbers, byte strings, options, lists, structures. */
import { equalBytes } from "../../crypto/bytes.ts";
import { ByteReader, underField } from "./byte-reader.ts";
import { type ByteWriter, writtenBytes } from "./byte-writer.ts";

/** Format of a value. `read` throws WireError; `write` expects a value that the type allows. */
export interface Codec<Value> {
  read(from: ByteReader): Value;
  write(value: Value, to: ByteWriter): void;
}
/** The value that a codec reads. */
export type ValueOf<C> = C extends Codec<infer Value> ? Value : never;

/** Parses the whole message; leftover bytes are an error. @throws WireError */
export function decode<Value>(codec: Codec<Value>, bytes: Uint8Array): Value {
  const from = new ByteReader(bytes);
  const value = codec.read(from);
  from.expectEnd();
  return value;
}

export function encode<Value>(codec: Codec<Value>, value: Value): Uint8Array {
  return writtenBytes((to) => codec.write(value, to));
}

export const u8: Codec<number> = { read: (from) => from.u8(), write: (value, to) => to.u8(value) };
export const i8: Codec<number> = {
  read: (from) => (from.u8() << 24) >> 24,
  write: (value, to) => to.u8(value & 0xff),
};
export const i16: Codec<number> = { read: (from) => from.i16(), write: (value, to) => to.i16(value) };
export const i32: Codec<number> = { read: (from) => from.i32(), write: (value, to) => to.i32(value) };
export const i64: Codec<bigint> = { read: (from) => from.i64(), write: (value, to) => to.i64(value) };

/** One byte, 0 or 1; anything else is an error. */
export const boolean: Codec<boolean> = {
  read: (from) => {
    const value = from.u8();
    if (value > 1) from.fail(`0 or 1 expected, got ${value}`, from.offset - 1);
    return value === 1;
  },
  write: (value, to) => to.u8(value ? 1 : 0),
};

/** Byte string of fixed size, typed by the type parameter. */
export function bytes<Kind extends Uint8Array = Uint8Array>(sizeBytes: number): Codec<Kind> {
  return {
    read: (from) => from.bytesOf(sizeBytes) as Kind,
    write: (value, to) => {
      if (value.length !== sizeBytes) throw new RangeError(`${sizeBytes} bytes expected, got ${value.length}`);
      to.bytes(value);
    },
  };
}

/** Byte string after its length. */
export function bytesWithLength<Kind extends Uint8Array = Uint8Array>(
  length: Codec<number>,
  maxSizeBytes = Number.MAX_SAFE_INTEGER,
): Codec<Kind> {
  return {
    read: (from) => {
      const at = from.offset;
      const sizeBytes = length.read(from);
      if (sizeBytes < 0 || sizeBytes > maxSizeBytes) from.fail(`length ${sizeBytes} is out of range`, at);
      return from.bytesOf(sizeBytes) as Kind;
    },
    write: (value, to) => {
      length.write(value.length, to);
      to.bytes(value);
    },
  };
}

/** Optional value after a byte: 1 present, 0 absent. */
export function option<Value>(codec: Codec<Value>): Codec<Value | null> {
  return {
    read: (from) => (boolean.read(from) ? codec.read(from) : null),
    write: (value, to) => {
      boolean.write(value !== null, to);
      if (value !== null) codec.write(value, to);
    },
  };
}

/**
 * Elements after their number. A count that the remaining bytes cannot hold (at least one byte an element) is refused
 * before anything is allocated.
 */
export function list<Value>(
  count: Codec<number>,
  item: Codec<Value>,
  maxLength = Number.MAX_SAFE_INTEGER,
): Codec<readonly Value[]> {
  return {
    read: (from) => {
      const at = from.offset;
      const length = count.read(from);
      if (length < 0 || length > maxLength) from.fail(`count ${length} is out of range`, at);
      if (length > from.remaining) from.fail(`count ${length} with ${from.remaining} bytes left`, at);
      const values: Value[] = [];
      for (let index = 0; index < length; index++) {
        try {
          values.push(item.read(from));
        } catch (error) {
          throw underField(`[${index}]`, error);
        }
      }
      return values;
    },
    write: (values, to) => {
      count.write(values.length, to);
      for (const value of values) item.write(value, to);
    },
  };
}

/** Constant bytes, such as the type and version of a transaction. A structure has no member for them. */
export function literal(...expected: readonly number[]): Codec<undefined> {
  return {
    read: (from) => {
      for (const byte of expected) {
        const got = from.u8();
        if (got !== byte) from.fail(`${byte} expected, got ${got}`, from.offset - 1);
      }
      return undefined;
    },
    write: (_, to) => {
      for (const byte of expected) to.u8(byte);
    },
  };
}

/** A value after its size in bytes. */
export function sized<Value>(size: Codec<number>, codec: Codec<Value>): Codec<Value> {
  return {
    read: (from) => {
      const at = from.offset;
      const sizeBytes = size.read(from);
      if (sizeBytes < 0 || sizeBytes > from.remaining)
        from.fail(`length ${sizeBytes}, ${from.remaining} bytes left`, at);
      const outerEnd = from.end;
      from.end = from.offset + sizeBytes;
      const value = codec.read(from);
      from.expectEnd();
      from.end = outerEnd;
      return value;
    },
    write: (value, to) => {
      const content = encode(codec, value);
      size.write(content.length, to);
      to.bytes(content);
    },
  };
}

/** Refuses bytes that differ from the value's own encoding. Cost: encodes the value again. */
export function exact<Value>(codec: Codec<Value>): Codec<Value> {
  return {
    read: (from) => {
      const at = from.offset;
      const value = codec.read(from);
      const written = encode(codec, value);
      if (!equalBytes(written, from.bytes.subarray(at, from.offset))) from.fail("not in the form it is written in", at);
      return value;
    },
    write: codec.write,
  };
}

/** Another value with the same bytes. `toOuter` may refuse it with `from.fail`. */
export function mapped<Inner, Outer>(
  codec: Codec<Inner>,
  toOuter: (value: Inner, from: ByteReader) => Outer,
  toInner: (value: Outer) => Inner,
): Codec<Outer> {
  return {
    read: (from) => toOuter(codec.read(from), from),
    write: (value, to) => codec.write(toInner(value), to),
  };
}

type StructValue<Fields> = {
  -readonly [Name in keyof Fields as ValueOf<Fields[Name]> extends undefined ? never : Name]: ValueOf<Fields[Name]>;
};

/** Consecutive fields, in the order of declaration. */
// biome-ignore lint/suspicious/noExplicitAny: fields differ in their value types; `unknown` would refuse all writers
export function struct<const Fields extends Record<string, Codec<any>>>(fields: Fields): Codec<StructValue<Fields>> {
  const named = Object.entries(fields);
  return {
    read: (from) => {
      const values: Record<string, unknown> = {};
      for (const [name, codec] of named) {
        try {
          const value = codec.read(from);
          if (value !== undefined) values[name] = value;
        } catch (error) {
          throw underField(name, error);
        }
      }
      return values as StructValue<Fields>;
    },
    write: (value, to) => {
      const values = value as Record<string, unknown>;
      for (const [name, codec] of named) codec.write(values[name], to);
    },
  };
}
