/**
 * Fields that a message's type does not know, for messages that are encoded again with them. They follow the known
 * fields, ordered by number and, within a number, by wire type.
 * @source scalapb: scalapb/UnknownFieldSet.scala
 */
import { inHashTableOrder } from "../hash-table-order.ts";
import type { ByteReader } from "./byte-reader.ts";
import { type ByteWriter, writtenBytes } from "./byte-writer.ts";
import { protobufErrors } from "./protobuf-errors.ts";
import { readVarint32, readVarint64 } from "./varint.ts";

export const wireVarint = 0;
export const wireFixed64 = 1;
export const wireDelimited = 2;
export const wireFixed32 = 5;
/** Wire types in the order of writing. */
const kinds = [wireVarint, wireFixed32, wireFixed64, wireDelimited] as const;
/** Buckets of the hash table in which the reference collects them. */
const buckets = 16;

/** Contents of unknown fields, by field number and wire type. */
export class UnknownFieldSet {
  readonly #contents = new Map<number, Map<number, Uint8Array[]>>();

  /** @param sources of the messages to merge, in order */
  constructor(...sources: readonly UnknownFieldSet[]) {
    for (const source of sources) {
      for (const [number, byKind] of source.#contents) {
        for (const [kind, contents] of byKind) for (const content of contents) this.#add(number, kind, content);
      }
    }
  }

  /** Reads the content of a field after its tag. @throws WireError */
  read(number: number, wireType: number, from: ByteReader): void {
    this.#add(number, wireType, readContent(wireType, from));
  }

  #add(number: number, wireType: number, content: Uint8Array): void {
    const byKind = this.#contents.get(number) ?? new Map<number, Uint8Array[]>();
    this.#contents.set(number, byKind);
    const contents = byKind.get(wireType);
    if (contents === undefined) byKind.set(wireType, [content]);
    else contents.push(content);
  }

  write(to: ByteWriter): void {
    for (const number of this.#numbers()) {
      for (const kind of kinds) {
        for (const content of this.#contents.get(number)?.get(kind) ?? []) {
          to.varint(number * 8 + kind);
          to.bytes(content);
        }
      }
    }
  }

  #numbers(): readonly number[] {
    const bucketOf = (number: number): number => (number ^ (number >>> 16)) % buckets;
    const gathered = [...this.#contents.keys()].sort((left, right) => bucketOf(left) - bucketOf(right) || left - right);
    return inHashTableOrder(gathered, (number) => number);
  }
}

/** Content as it is written: numbers and lengths in as few bytes as possible. @throws WireError */
function readContent(wireType: number, from: ByteReader): Uint8Array {
  switch (wireType) {
    case wireVarint: {
      const value = readVarint64(from);
      return writtenBytes((to) => to.varint64(value));
    }
    case wireFixed64:
      return from.bytesOf(8);
    case wireFixed32:
      return from.bytesOf(4);
    case wireDelimited: {
      const bytes = from.bytesOf(readLength(from));
      return writtenBytes((to) => {
        to.varint(bytes.length);
        to.bytes(bytes);
      });
    }
    default:
      return failWireType(wireType, from);
  }
}

/** Length of a delimited field. @throws WireError when fewer bytes are left */
export function readLength(from: ByteReader): number {
  const at = from.offset;
  const sizeBytes = readVarint32(from) | 0;
  if (sizeBytes < 0) from.fail(protobufErrors.negativeSize, at);
  if (sizeBytes > from.remaining) from.fail(protobufErrors.truncated, at);
  return sizeBytes;
}

/** @throws WireError */
export function failWireType(wireType: number, from: ByteReader): never {
  return from.fail(`${protobufErrors.invalidWireType}: ${wireType}`);
}
