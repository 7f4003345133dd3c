/**
 * Protocol Buffers (proto3), with message types as data. Encoding is canonical: ascending field numbers, default values
 * left out. Decoding accepts what protobuf runtimes accept: any order, the last of repeated scalars wins, messages that
 * occur twice are merged, packed and unpacked lists, unknown fields skipped (or refused where the type says so).
 * Groups are refused, and nothing nests deeper than the declared types. Memory is bounded by the message's size and by
 * the `max` of its lists.
 * What is wrong is told in the words of the runtime that the reference uses.
 * @source protobuf.dev/programming-guides/encoding; protobuf-java: InvalidProtocolBufferException
 */
import { ByteReader, underField } from "./byte-reader.ts";
import { type ByteWriter, writtenBytes } from "./byte-writer.ts";
import { findUtf8Text, utf8Bytes } from "./utf8.ts";

export type ScalarKind = "int32" | "uint32" | "int64" | "bool" | "enum" | "bytes" | "string";

interface ScalarValue {
  int32: number;
  uint32: number;
  int64: bigint;
  bool: boolean;
  /** Values that the schema does not name are kept. */
  enum: number;
  bytes: Uint8Array;
  string: string;
}

/** One field of a message; the type parameter is what the decoded message holds. */
export interface Field<Value> {
  readonly number: number;
  readonly kind: ScalarKind | MessageType<unknown>;
  readonly shape: "single" | "repeated" | "packed";
  /** Fields with the same group name exclude each other; undefined when the field stands alone. */
  readonly group: string | undefined;
  readonly max: number;
  /** Never there; carries the type. */
  readonly value?: Value;
}

/** A message type; see `message`. */
export interface MessageType<Value> {
  readonly name: string;
  readonly fields: readonly NamedField[];
  readonly byNumber: ReadonlyMap<number, NamedField>;
  readonly initial: Value;
  readonly refusesUnknown: boolean;
}
/** The value of a message type. Messages that are absent are undefined, scalars that are absent have their default. */
export type MessageOf<Type> = Type extends MessageType<infer Value> ? Value : never;

interface NamedField extends Field<unknown> {
  readonly name: string;
}
type KindValue<Kind> = Kind extends ScalarKind ? ScalarValue[Kind] : MessageOf<Kind>;
type MessageValue<Fields> = {
  -readonly [Name in keyof Fields]: Fields[Name] extends Field<infer Value> ? Value : never;
};

/** A scalar that is always there: left out of the bytes when it is 0, false or empty. */
export function scalar<Kind extends ScalarKind>(number: number, kind: Kind): Field<ScalarValue[Kind]> {
  return { number, kind, shape: "single", group: undefined, max: 1 };
}

/** A message that may be absent. */
export function optional<Value>(number: number, kind: MessageType<Value>): Field<Value | undefined> {
  return { number, kind, shape: "single", group: undefined, max: 1 };
}

/** Any number of values up to `max`, one tag each. */
// biome-ignore lint/suspicious/noExplicitAny: any message type may be an element
export function repeated<Kind extends ScalarKind | MessageType<any>>(
  number: number,
  kind: Kind,
  max = Number.MAX_SAFE_INTEGER,
): Field<readonly KindValue<Kind>[]> {
  return { number, kind, shape: "repeated", group: undefined, max };
}

/** Any number of numbers up to `max`, written under one tag; an empty list is left out. */
export function packed<Kind extends Exclude<ScalarKind, "bytes" | "string">>(
  number: number,
  kind: Kind,
  max = Number.MAX_SAFE_INTEGER,
): Field<readonly ScalarValue[Kind][]> {
  return { number, kind, shape: "packed", group: undefined, max };
}

/** One of the fields that share the group's name; written also when it has its default value. */
// biome-ignore lint/suspicious/noExplicitAny: any message type may be a member
export function oneOf<Kind extends ScalarKind | MessageType<any>>(
  group: string,
  number: number,
  kind: Kind,
): Field<KindValue<Kind> | undefined> {
  return { number, kind, shape: "single", group, max: 1 };
}

/** Declares a message type. */
export function message<const Fields extends Record<string, Field<unknown>>>(
  name: string,
  fields: Fields,
  { unknown = "skip" }: { unknown?: "skip" | "refuse" } = {},
): MessageType<MessageValue<Fields>> {
  const named = Object.entries(fields).map(([fieldName, field]) => ({ ...field, name: fieldName }));
  return {
    name,
    fields: named.toSorted((left, right) => left.number - right.number),
    byNumber: new Map(named.map((field) => [field.number, field])),
    initial: Object.fromEntries(named.map((field) => [field.name, initialValue(field)])) as MessageValue<Fields>,
    refusesUnknown: unknown === "refuse",
  };
}

/** @throws WireError */
export function decodeMessage<Value>(type: MessageType<Value>, bytes: Uint8Array): Value {
  try {
    return readMessage(type, new ByteReader(bytes, 0, bytes.length, protobufFault.truncated), undefined);
  } catch (error) {
    throw underField(type.name, error);
  }
}

export function encodeMessage<Value>(type: MessageType<Value>, value: Value): Uint8Array {
  return writtenBytes((to) => writeMessage(type, value, to));
}

/** Writes the fields of the message, without a length. */
export function writeMessage<Value>(type: MessageType<Value>, value: Value, to: ByteWriter): void {
  const values = value as Record<string, unknown>;
  for (const field of type.fields) {
    const content = values[field.name];
    if (content === undefined) continue;
    if (field.shape === "single") {
      if (field.group !== undefined || !isDefault(content)) writeTagged(field, content, to);
      continue;
    }
    const items = content as readonly unknown[];
    if (items.length === 0) continue;
    if (field.shape === "repeated") {
      for (const item of items) writeTagged(field, item, to);
      continue;
    }
    to.varint(field.number * 8 + 2);
    to.delimited(() => {
      for (const item of items) writeVarint(field.kind as ScalarKind, item, to);
    });
  }
}

/** Writes one field whose content is encoded already: a byte string, a text, a message. */
export function writeDelimited(number: number, content: Uint8Array, to: ByteWriter): void {
  to.varint(number * 8 + wireDelimited);
  to.varint(content.length);
  to.bytes(content);
}

export const protobufFault = {
  truncated:
    "While parsing a protocol message, the input ended unexpectedly in the middle of a field.  This could mean either that the input has been truncated or that an embedded message misreported its own length.",
  negativeSize: "CodedInputStream encountered an embedded string or message which claimed to have negative size.",
  malformedVarint: "CodedInputStream encountered a malformed varint.",
  invalidTag: "Protocol message contained an invalid tag (zero).",
  invalidWireType: "Protocol message tag had invalid wire type",
  invalidUtf8: "Protocol message had invalid UTF-8.",
} as const;

const wireVarint = 0;
const wireFixed64 = 1;
const wireDelimited = 2;
const wireFixed32 = 5;
const noItems: readonly unknown[] = [];

function initialValue(field: Field<unknown>): unknown {
  if (field.shape !== "single") return noItems;
  if (field.group !== undefined) return undefined;
  switch (field.kind) {
    case "int32":
    case "uint32":
    case "enum":
      return 0;
    case "int64":
      return 0n;
    case "bool":
      return false;
    case "bytes":
      return new Uint8Array(0);
    case "string":
      return "";
    default:
      return undefined;
  }
}

function isDefault(value: unknown): boolean {
  return value instanceof Uint8Array ? value.length === 0 : !value;
}

function writeTagged(field: NamedField, value: unknown, to: ByteWriter): void {
  const { kind } = field;
  if (typeof kind === "object") {
    to.varint(field.number * 8 + wireDelimited);
    to.delimited(() => writeMessage(kind, value, to));
  } else if (kind === "bytes" || kind === "string") {
    writeDelimited(field.number, kind === "bytes" ? (value as Uint8Array) : utf8Bytes(value as string), to);
  } else {
    to.varint(field.number * 8 + wireVarint);
    writeVarint(kind, value, to);
  }
}

function writeVarint(kind: ScalarKind, value: unknown, to: ByteWriter): void {
  if (kind === "int64") to.varint64(value as bigint);
  else if (kind === "bool") to.u8(value ? 1 : 0);
  else if ((value as number) >= 0) to.varint(value as number);
  else to.varint64(BigInt(value as number));
}

/** Reads up to the reader's end. @param into a message of this type that occurred before, to merge with */
function readMessage<Value>(type: MessageType<Value>, from: ByteReader, into: Value | undefined): Value {
  const values = { ...(into ?? type.initial) } as Record<string, unknown>;
  while (from.offset < from.end) {
    const at = from.offset;
    const tag = readTag(from);
    const field = type.byNumber.get(tag >>> 3);
    const wireType = tag & 7;
    if (field === undefined || !takesWireType(field, wireType)) {
      if (type.refusesUnknown) from.fail(`unknown field ${tag >>> 3}`, at);
      skip(wireType, from);
      continue;
    }
    try {
      readInto(values, type, field, wireType, from);
    } catch (error) {
      throw underField(field.name, error);
    }
  }
  return values as Value;
}

function readInto(
  values: Record<string, unknown>,
  type: MessageType<unknown>,
  field: NamedField,
  wireType: number,
  from: ByteReader,
): void {
  const { name } = field;
  if (field.shape === "single") {
    const value = readSingle(field.kind, from, values[name]);
    if (field.group !== undefined) {
      for (const other of type.fields) if (other.group === field.group) values[other.name] = undefined;
    }
    values[name] = value;
    return;
  }
  let items = values[name] as unknown[];
  if (items === noItems) {
    items = [];
    values[name] = items;
  }
  if (wireType === wireDelimited && isVarintKind(field.kind)) {
    const outerEnd = enter(from);
    while (from.offset < from.end) append(items, readSingle(field.kind, from, undefined), field, from);
    from.end = outerEnd;
  } else {
    append(items, readSingle(field.kind, from, undefined), field, from);
  }
}

function append(items: unknown[], item: unknown, field: NamedField, from: ByteReader): void {
  if (items.length >= field.max) from.fail(`more than ${field.max}`);
  items.push(item);
}

function readSingle(kind: Field<unknown>["kind"], from: ByteReader, earlier: unknown): unknown {
  switch (kind) {
    case "bytes":
      return from.bytesOf(readLength(from));
    case "string": {
      const sizeBytes = readLength(from);
      const start = from.take(sizeBytes);
      return findUtf8Text(from.bytes, start, start + sizeBytes) ?? from.fail(protobufFault.invalidUtf8, start);
    }
    case "int64":
      return readVarint64(from);
    case "int32":
    case "enum":
      return readVarint32(from) | 0;
    case "uint32":
      return readVarint32(from) >>> 0;
    case "bool":
      return readVarint64(from) !== 0n;
    default: {
      const outerEnd = enter(from);
      const value = readMessage(kind, from, earlier);
      from.end = outerEnd;
      return value;
    }
  }
}

/** Reads a length and narrows the reader to so many bytes. @returns the end to put back */
function enter(from: ByteReader): number {
  const sizeBytes = readLength(from);
  const outerEnd = from.end;
  from.end = from.offset + sizeBytes;
  return outerEnd;
}

function isVarintKind(kind: Field<unknown>["kind"]): boolean {
  return typeof kind !== "object" && kind !== "bytes" && kind !== "string";
}

/** Whether the field can be read from this wire type; if not, runtimes treat it as unknown. */
function takesWireType(field: NamedField, wireType: number): boolean {
  if (!isVarintKind(field.kind)) return wireType === wireDelimited;
  return wireType === wireVarint || (wireType === wireDelimited && field.shape !== "single");
}

function readTag(from: ByteReader): number {
  const at = from.offset;
  const tag = readVarint32(from) >>> 0;
  if (tag >>> 3 === 0) from.fail(protobufFault.invalidTag, at);
  return tag;
}

function readLength(from: ByteReader): number {
  const at = from.offset;
  const sizeBytes = readVarint32(from) | 0;
  if (sizeBytes < 0) from.fail(protobufFault.negativeSize, at);
  if (sizeBytes > from.remaining) from.fail(protobufFault.truncated, at);
  return sizeBytes;
}

function skip(wireType: number, from: ByteReader): void {
  switch (wireType) {
    case wireVarint:
      readVarint32(from);
      return;
    case wireFixed64:
      from.take(8);
      return;
    case wireDelimited:
      from.take(readLength(from));
      return;
    case wireFixed32:
      from.take(4);
      return;
    default:
      from.fail(`${protobufFault.invalidWireType}: ${wireType}`);
  }
}

/** The low 32 bits of a varint of at most ten bytes. */
function readVarint32(from: ByteReader): number {
  let low = 0;
  for (let shift = 0; shift < 70; shift += 7) {
    const byte = from.u8();
    if (shift < 32) low |= (byte & 0x7f) << shift;
    if (byte < 0x80) return low;
  }
  return from.fail(protobufFault.malformedVarint);
}

/** A varint of at most ten bytes as a signed 64-bit number. */
function readVarint64(from: ByteReader): bigint {
  // The first 28 bits, the next 28, and the rest are exact as numbers.
  let low = 0;
  let middle = 0;
  let high = 0;
  for (let index = 0; index < 10; index++) {
    const byte = from.u8();
    const bits = byte & 0x7f;
    if (index < 4) low |= bits << (7 * index);
    else if (index < 8) middle |= bits << (7 * (index - 4));
    else high |= bits << (7 * (index - 8));
    if (byte >= 0x80) continue;
    if (high === 0 && middle < 0x200_0000) return BigInt(middle * 0x1000_0000 + low);
    return BigInt.asIntN(64, (BigInt(high) << 56n) | (BigInt(middle) << 28n) | BigInt(low));
  }
  return from.fail(protobufFault.malformedVarint);
}
