/**
 * Two encodings of numbers and byte strings in scripts: fixed sizes up to library version 5, protobuf's from version 6
 * on.
 * @source Waves: lang/utils/Serialize.scala, lang/v1/serialization/SerdeV1.scala, SerdeV2.scala
 */
import type { ByteReader } from "../../protocol/codec/byte-reader.ts";
import type { ByteWriter } from "../../protocol/codec/byte-writer.ts";
import { protobufErrors } from "../../protocol/codec/protobuf-errors.ts";
import { readVarint32, readVarint64 } from "../../protocol/codec/varint.ts";
import { WireError } from "../../protocol/errors.ts";

export interface WireForm {
  /** The reference's error text for missing bytes. */
  readonly endReason: string;
  /** Whether other declarations than functions are refused before they are read, if a function is required. */
  readonly checksKindFirst: boolean;
  /** Bytes of a dApp's meta, with the fields before them. */
  readMeta(from: ByteReader): Uint8Array;
  writeMeta(value: Uint8Array, to: ByteWriter): void;
  readLong(from: ByteReader): bigint;
  writeLong(value: bigint, to: ByteWriter): void;
  readBytes(from: ByteReader): Uint8Array;
  writeBytes(value: Uint8Array, to: ByteWriter): void;
  readFunctionId(from: ByteReader): number;
  writeFunctionId(id: number, to: ByteWriter): void;
  /** Number of arguments of a call. */
  readArgumentCount(from: ByteReader): number;
  writeArgumentCount(count: number, to: ByteWriter): void;
  /** Number of parameters of a function. */
  readParameterCount(from: ByteReader): number;
  /** Number of items of a constant list. */
  readItemCount(from: ByteReader): number;
  /** Number of declarations of a dApp. */
  readDeclarationCount(from: ByteReader): number;
  writeCount(count: number, to: ByteWriter): void;
  readHasVerifier(from: ByteReader): boolean;
  writeHasVerifier(hasVerifier: boolean, to: ByteWriter): void;
}

const compactSince = 6;
/** Text of an exception without a message in the reference. */
export const NO_REASON = "null";

/** Runs a read with the reference's error text of places where it prints the exception's class. @throws WireError */
export function namedReason<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof WireError) || error.reason !== NO_REASON) throw error;
    throw new WireError({ field: error.field, offset: error.offset, reason: "java.nio.BufferUnderflowException" });
  }
}

export function wireFormOf(libraryVersion: number): WireForm {
  return libraryVersion < compactSince ? fixedForm : compactForm;
}

const fixedForm: WireForm = {
  endReason: NO_REASON,
  checksKindFirst: false,
  readMeta: (from) => {
    // Four bytes for an unused version.
    from.take(4);
    const sizeBytes = from.i32();
    return sizeBytes < 0 ? from.fail(String(sizeBytes)) : from.bytesOf(sizeBytes);
  },
  writeMeta: (value, to) => {
    to.i32(0);
    fixedForm.writeBytes(value, to);
  },
  readLong: (from) => from.i64(),
  writeLong: (value, to) => to.i64(value),
  readBytes: (from) => {
    const sizeBytes = from.i32();
    if (sizeBytes < 0 || sizeBytes > from.end) from.fail(`Invalid array size (${sizeBytes})`, from.offset - 4);
    return from.bytesOf(sizeBytes);
  },
  writeBytes: (value, to) => {
    to.i32(value.length);
    to.bytes(value);
  },
  readFunctionId: (from) => from.i16(),
  writeFunctionId: (id, to) => to.i16(id),
  readArgumentCount: (from) => fixedCount(from, { minBytes: 1, kind: "arguments" }),
  writeArgumentCount: (count, to) => to.i32(count),
  readParameterCount: (from) => fixedCount(from, { minBytes: 2, kind: "arguments names" }),
  readItemCount: (from) => fixedCount(from, { minBytes: 1, kind: "arguments" }),
  readDeclarationCount: (from) => fixedCount(from, { minBytes: 1, kind: "arguments" }),
  writeCount: (count, to) => to.i32(count),
  readHasVerifier: (from) => from.i32() > 0,
  writeHasVerifier: (hasVerifier, to) => to.i32(hasVerifier ? 1 : 0),
};

const compactForm: WireForm = {
  endReason: protobufErrors.truncated,
  checksKindFirst: true,
  readMeta: (from) => compactForm.readBytes(from),
  writeMeta: (value, to) => compactForm.writeBytes(value, to),
  readLong: readVarint64,
  writeLong: (value, to) => to.varint64(value),
  readBytes: (from) => {
    const sizeBytes = readVarint32(from);
    return sizeBytes < 0 ? from.fail(protobufErrors.negativeSize) : from.bytesOf(sizeBytes);
  },
  writeBytes: (value, to) => {
    to.varint(value.length);
    to.bytes(value);
  },
  readFunctionId: (from) => (readVarint32(from) << 16) >> 16,
  writeFunctionId: (id, to) => writeVarint32(id, to),
  readArgumentCount: readSignedByte,
  writeArgumentCount: (count, to) => to.u8(count & 0xff),
  readParameterCount: readSignedByte,
  readItemCount: readVarint32,
  readDeclarationCount: (from) => {
    const count = readVarint32(from);
    if (count < 0 || count > from.remaining) from.fail(`At position ${from.offset} array of arguments too big.`);
    return count;
  },
  writeCount: (count, to) => to.varint(count),
  readHasVerifier: (from) => {
    const flag = from.u8();
    if (flag > 1) from.fail(`At position ${from.offset} unknown option flag value`);
    return flag === 1;
  },
  writeHasVerifier: (hasVerifier, to) => to.u8(hasVerifier ? 1 : 0),
};

/** @param minBytes minimum size of each item */
function fixedCount(from: ByteReader, { minBytes, kind }: { minBytes: number; kind: string }): number {
  const count = from.i32();
  if (count < 0 || count > from.remaining / minBytes) {
    from.fail(`At position ${from.offset} array of ${kind} too big.`);
  }
  return count;
}

/** Signed byte: the reference's bytes are signed, and a negative count is 0. */
function readSignedByte(from: ByteReader): number {
  return (from.u8() << 24) >> 24;
}

function writeVarint32(value: number, to: ByteWriter): void {
  to.varint(value >>> 0);
}
