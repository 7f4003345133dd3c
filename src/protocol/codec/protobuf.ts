/**
 * Protocol Buffers (proto3), with message types as data.
 *
 * Encoding is canonical: ascending field numbers, default values omitted. Decoding accepts the same as the reference's
 * runtime: any order, the last of repeated scalars wins, repeated messages are merged (see `mergeMessages`), packed and
 * unpacked lists. Unknown fields are skipped, refused or stored, depending on the type. Groups are refused, and the
 * nesting depth is that of the declared types.
 *
 * Memory is bounded by the message's size and by the `max` of its lists. Refused unknown fields and too long lists are
 * an error only in the final value: a message that a later member of its group replaced may have them.
 * @source protobuf.dev/programming-guides/encoding
 */

import { WireError } from "../errors.ts";
import { ByteReader, underField } from "./byte-reader.ts";
import { type ByteWriter, writtenBytes } from "./byte-writer.ts";
import { protobufErrors } from "./protobuf-errors.ts";
import {
  failWireType,
  readLength,
  UnknownFieldSet,
  wireDelimited,
  wireFixed32,
  wireFixed64,
  wireVarint,
} from "./unknown-field-set.ts";
import { findUtf8Text, utf8Bytes } from "./utf8.ts";
import { readVarint32, readVarint64 } from "./varint.ts";

export type ScalarKind = "int32" | "uint32" | "int64" | "bool" | "enum" | "bytes" | "string";

interface ScalarValue {
  int32: number;
  uint32: number;
  int64: bigint;
  bool: boolean;
  /** Values that the schema does not name are accepted. */
  enum: number;
  bytes: Uint8Array;
  string: string;
}

/** One field of a message; the type parameter is the type of its decoded value. */
export interface Field<Value> {
  readonly number: number;
  readonly kind: ScalarKind | MessageType<unknown>;
  readonly shape: "single" | "repeated" | "packed";
  /** Fields with the same group name exclude each other; undefined for a field without a group. */
  readonly group: string | undefined;
  readonly max: number;
  /** Never set; carries the type. */
  readonly value?: Value;
}

/** A message type; see `message`. */
export interface MessageType<Value> {
  readonly name: string;
  readonly fields: readonly NamedField[];
  readonly byNumber: ReadonlyMap<number, NamedField>;
  readonly byName: ReadonlyMap<string, NamedField>;
  /** Names of the members of each group. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  readonly initial: Value;
  readonly unknown: UnknownFields;
}
/** Treatment of fields that the type does not know. Stored ones (`keep`) are written after the others. */
type UnknownFields = "skip" | "refuse" | "keep";
/** Value of a message type. Absent messages are undefined, absent scalars have their default. */
export type MessageOf<Type> = Type extends MessageType<infer Value> ? Value : never;

interface NamedField extends Field<unknown> {
  readonly name: string;
}
type KindValue<Kind> = Kind extends ScalarKind ? ScalarValue[Kind] : MessageOf<Kind>;
type MessageValue<Fields> = {
  -readonly [Name in keyof Fields]: Fields[Name] extends Field<infer Value> ? Value : never;
};

/** Scalar with a default: omitted from the bytes when it is 0, false or empty. */
export function scalar<Kind extends ScalarKind>(number: number, kind: Kind): Field<ScalarValue[Kind]> {
  return { number, kind, shape: "single", group: undefined, max: 1 };
}

/** Optional message. */
export function optional<Value>(number: number, kind: MessageType<Value>): Field<Value | undefined> {
  return { number, kind, shape: "single", group: undefined, max: 1 };
}

/** Up to `max` values, one tag each. */
// biome-ignore lint/suspicious/noExplicitAny: any message type may be an element
export function repeated<Kind extends ScalarKind | MessageType<any>>(
  number: number,
  kind: Kind,
  max = Number.MAX_SAFE_INTEGER,
): Field<readonly KindValue<Kind>[]> {
  return { number, kind, shape: "repeated", group: undefined, max };
}

/** Up to `max` numbers under one tag; an empty list is omitted. */
export function packed<Kind extends Exclude<ScalarKind, "bytes" | "string">>(
  number: number,
  kind: Kind,
  max = Number.MAX_SAFE_INTEGER,
): Field<readonly ScalarValue[Kind][]> {
  return { number, kind, shape: "packed", group: undefined, max };
}

/** One of the fields that share the group's name; written even with its default value. */
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
  { unknown = "skip" }: { unknown?: UnknownFields } = {},
): MessageType<MessageValue<Fields>> {
  const named = Object.entries(fields).map(([fieldName, field]) => ({ ...field, name: fieldName }));
  const initial = Object.fromEntries(named.map((field) => [field.name, initialValue(field)])) as MessageValue<Fields>;
  return { name, ...lookedUp(named), initial, unknown };
}

function lookedUp(
  fields: readonly NamedField[],
): Pick<MessageType<unknown>, "fields" | "byNumber" | "byName" | "groups"> {
  const groups = Map.groupBy(fields, ({ group }) => group);
  return {
    fields: fields.toSorted((left, right) => left.number - right.number),
    byNumber: new Map(fields.map((field) => [field.number, field])),
    byName: new Map(fields.map((field) => [field.name, field])),
    groups: new Map(Array.from(groups, ([group = "", members]) => [group, members.map(({ name }) => name)])),
  };
}

/** The same type without limits on lists of messages: only the bytes limit them. */
export function withoutListLimits<Value>(type: MessageType<Value>): MessageType<Value> {
  const fields = type.fields.map((field) => {
    if (typeof field.kind !== "object") return field;
    return { ...field, kind: withoutListLimits(field.kind), max: Number.MAX_SAFE_INTEGER };
  });
  return { ...type, ...lookedUp(fields) };
}

/** @throws WireError */
export function decodeMessage<Value>(type: MessageType<Value>, bytes: Uint8Array): Value {
  try {
    const from = new MessageReader(bytes, 0, bytes.length, protobufErrors.truncated);
    const value = readMessage(type, from);
    if (from.hasRefused) assertNoneRefused(type, value);
    return value;
  } catch (error) {
    throw underField(type.name, error);
  }
}

export function encodeMessage<Value>(type: MessageType<Value>, value: Value): Uint8Array {
  return writtenBytes((to) => writeMessage(type, value, to));
}

/** Writes the fields of the message, without a length prefix. */
export function writeMessage<Value>(type: MessageType<Value>, value: Value, to: ByteWriter): void {
  const values = value as MarkedValues;
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
  values[unknownFieldSet]?.write(to);
}

/** Writes one field with encoded content: a byte string, a text, a message. */
export function writeDelimited(number: number, content: Uint8Array, to: ByteWriter): void {
  to.varint(number * 8 + wireDelimited);
  to.varint(content.length);
  to.bytes(content);
}

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

/** Marks of a message: its first refused element, and its stored unknown fields. */
const refusal = Symbol("refusal");
const unknownFieldSet = Symbol("kept fields");
interface MarkedValues extends Record<string, unknown> {
  [refusal]?: Pick<WireError, "field" | "offset" | "reason">;
  [unknownFieldSet]?: UnknownFieldSet;
}

class MessageReader extends ByteReader {
  /** Whether any message has a refusal. A later member of its group may have replaced that message. */
  hasRefused = false;
}

/** @throws WireError when a message of the final value has a refusal */
function assertNoneRefused(type: MessageType<unknown>, value: unknown): void {
  const { [refusal]: refused, ...members } = value as MarkedValues;
  if (refused !== undefined) throw new WireError(refused);
  for (const { name, kind, shape } of type.fields) {
    const content = members[name];
    if (typeof kind !== "object" || content === undefined) continue;
    for (const item of shape === "single" ? [content] : (content as readonly unknown[])) {
      try {
        assertNoneRefused(kind, item);
      } catch (error) {
        throw underField(name, error);
      }
    }
  }
}

/** Reads up to the reader's end. @param values initial values */
function readMessage<Value>(
  type: MessageType<Value>,
  from: MessageReader,
  values: MarkedValues = { ...type.initial } as MarkedValues,
): Value {
  while (from.offset < from.end) {
    const at = from.offset;
    const tag = readTag(from);
    const field = type.byNumber.get(tag >>> 3);
    const wireType = tag & 7;
    if (field === undefined || !acceptsWireType(field, wireType)) {
      readUnknown(values, type, { number: tag >>> 3, wireType, offset: at }, from);
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

/**
 * Merges the later occurrence of a message into the earlier one. The reference concatenates the encodings of both and
 * parses the result: default values of the later one therefore replace nothing, even if they are explicit.
 * PERF: a script pays 5 for 16,000 occurrences, so only the fields of the later one are visited.
 * @param later contains only its explicit fields, or also defaults
 * @source scalapb: scalapb/GeneratedMessageCompanion.scala (merge)
 */
function mergeMessages(
  type: MessageType<unknown>,
  values: MarkedValues,
  later: MarkedValues,
  from: MessageReader,
): MarkedValues {
  for (const [name, after] of Object.entries(later)) {
    const field = type.byName.get(name) as NamedField;
    const { kind, shape, group } = field;
    const before = values[name];
    if (shape !== "single") {
      for (const item of after as readonly unknown[]) append(values, field, item, from);
    } else if (after === undefined) {
      const isReplaced = group !== undefined && type.groups.get(group)?.some((member) => later[member] !== undefined);
      if (isReplaced === true) values[name] = undefined;
    } else if (typeof kind === "object" && before !== undefined) {
      values[name] = mergeMessages(kind, before as MarkedValues, after as MarkedValues, from);
    } else if (group !== undefined || !isDefault(after)) {
      values[name] = after;
    }
  }
  const refused = values[refusal] ?? later[refusal];
  if (refused !== undefined) values[refusal] = refused;
  const sets = [values[unknownFieldSet], later[unknownFieldSet]].filter((fields) => fields !== undefined);
  if (sets.length > 0) values[unknownFieldSet] = new UnknownFieldSet(...sets);
  return values;
}

function readUnknown(
  values: MarkedValues,
  type: MessageType<unknown>,
  { number, wireType, offset }: { readonly number: number; readonly wireType: number; readonly offset: number },
  from: MessageReader,
): void {
  if (type.unknown === "keep") {
    values[unknownFieldSet] ??= new UnknownFieldSet();
    values[unknownFieldSet].read(number, wireType, from);
    return;
  }
  if (type.unknown === "refuse") {
    values[refusal] ??= { field: "", offset, reason: `unknown field ${number}` };
    from.hasRefused = true;
  }
  skip(wireType, from);
}

function readInto(
  values: MarkedValues,
  type: MessageType<unknown>,
  field: NamedField,
  wireType: number,
  from: MessageReader,
): void {
  const { name } = field;
  if (field.shape === "single") {
    const value = readSingle(field.kind, from, values[name]);
    if (field.group !== undefined) {
      for (const member of type.groups.get(field.group) ?? []) if (member !== name) values[member] = undefined;
    }
    values[name] = value;
    return;
  }
  if (wireType === wireDelimited && isVarintKind(field.kind)) {
    const outerEnd = enter(from);
    while (from.offset < from.end) append(values, field, readSingle(field.kind, from, undefined), from);
    from.end = outerEnd;
  } else if (field.kind === "bytes" && isFull(values, field)) {
    skip(wireType, from);
    refuseMore(values, field, from);
  } else {
    append(values, field, readSingle(field.kind, from, undefined), from);
  }
}

function append(values: MarkedValues, field: NamedField, item: unknown, from: MessageReader): void {
  const { name } = field;
  if ((values[name] ?? noItems) === noItems) values[name] = [];
  if (isFull(values, field)) refuseMore(values, field, from);
  else (values[name] as unknown[]).push(item);
}

function isFull(values: MarkedValues, { name, max }: NamedField): boolean {
  return ((values[name] as readonly unknown[] | undefined)?.length ?? 0) >= max;
}

function refuseMore(values: MarkedValues, { name, max }: NamedField, from: MessageReader): void {
  values[refusal] ??= { field: name, offset: from.offset, reason: `more than ${max}` };
  from.hasRefused = true;
}

function readSingle(kind: Field<unknown>["kind"], from: MessageReader, earlier: unknown): unknown {
  switch (kind) {
    case "bytes":
      return from.bytesOf(readLength(from));
    case "string": {
      const sizeBytes = readLength(from);
      const start = from.take(sizeBytes);
      return findUtf8Text(from.bytes, start, start + sizeBytes) ?? from.fail(protobufErrors.invalidUtf8, start);
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
      const value = readMessage(kind, from, earlier === undefined ? undefined : {});
      from.end = outerEnd;
      if (earlier === undefined) return value;
      return mergeMessages(kind, earlier as MarkedValues, value as MarkedValues, from);
    }
  }
}

/** Reads a length and limits the reader to that many bytes. @returns the previous end, to restore */
function enter(from: ByteReader): number {
  const sizeBytes = readLength(from);
  const outerEnd = from.end;
  from.end = from.offset + sizeBytes;
  return outerEnd;
}

function isVarintKind(kind: Field<unknown>["kind"]): boolean {
  return typeof kind !== "object" && kind !== "bytes" && kind !== "string";
}

/** Whether the field accepts this wire type; if not, runtimes treat it as unknown. */
function acceptsWireType(field: NamedField, wireType: number): boolean {
  if (!isVarintKind(field.kind)) return wireType === wireDelimited;
  return wireType === wireVarint || (wireType === wireDelimited && field.shape !== "single");
}

function readTag(from: ByteReader): number {
  const at = from.offset;
  const tag = readVarint32(from) >>> 0;
  if (tag >>> 3 === 0) from.fail(protobufErrors.invalidTag, at);
  return tag;
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
      failWireType(wireType, from);
  }
}
