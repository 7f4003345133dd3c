/**
 * Variable-length integers of Protocol Buffers: seven bits a byte, least significant first, at most ten bytes.
 * @source protobuf-java: CodedInputStream.ArrayDecoder (readRawVarint32, readRawVarint64)
 */
import type { ByteReader } from "./byte-reader.ts";
import { protobufErrors } from "./protobuf-errors.ts";

const maxBytes = 10;

/** The low 32 bits, as a number of any sign. @throws WireError */
export function readVarint32(from: ByteReader): number {
  let low = 0;
  for (let shift = 0; shift < 7 * maxBytes; shift += 7) {
    const byte = from.u8();
    if (shift < 32) low |= (byte & 0x7f) << shift;
    if (byte < 0x80) return low;
  }
  return from.fail(protobufErrors.malformedVarint);
}

/** Signed 64-bit number. Ten bytes always give a negative one, whatever the tenth is. @throws WireError */
export function readVarint64(from: ByteReader): bigint {
  // The first 28 bits, the next 28, and the rest are exact as numbers.
  let low = 0;
  let middle = 0;
  let high = 0;
  for (let index = 0; index < maxBytes; index++) {
    const byte = from.u8();
    // The reference takes the sign from the ninth byte, whose highest bit means that a tenth follows.
    const bits = index === maxBytes - 1 ? 1 : byte & 0x7f;
    if (index < 4) low |= bits << (7 * index);
    else if (index < 8) middle |= bits << (7 * (index - 4));
    else high |= bits << (7 * (index - 8));
    if (byte >= 0x80) continue;
    if (high === 0 && middle < 0x200_0000) return BigInt(middle * 0x1000_0000 + low);
    return BigInt.asIntN(64, (BigInt(high) << 56n) | (BigInt(middle) << 28n) | BigInt(low));
  }
  return from.fail(protobufErrors.malformedVarint);
}
