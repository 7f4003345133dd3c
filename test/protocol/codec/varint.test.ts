import { expect, test } from "vitest";
import { ByteReader } from "../../../src/protocol/codec/byte-reader.ts";
import { readVarint32, readVarint64 } from "../../../src/protocol/codec/varint.ts";
import { WireError } from "../../../src/protocol/errors.ts";

const reader = (hex: string): ByteReader => new ByteReader(Uint8Array.from(Buffer.from(hex, "hex")));

// Results of protobuf-java 3.25.5.
test.each([
  ["one byte", "05", 5n],
  ["more bytes than needed", "858000", 5n],
  ["nine bytes", "858080808080808000", 5n],
  ["ten bytes of a negative number", "85808080808080808001", -9_223_372_036_854_775_803n],
  ["ten bytes whose last one is empty: negative all the same", "85808080808080808000", -9_223_372_036_854_775_803n],
  ["ten bytes whose last one says more than the sign", "8580808080808080807e", -9_223_372_036_854_775_803n],
  ["minus one", "ffffffffffffffffff01", -1n],
  ["minus one with an empty last byte", "ffffffffffffffffff00", -1n],
])("64 bits, %s", (_, hex, value) => {
  const from = reader(hex);
  expect(readVarint64(from)).toBe(value);
  expect(from.remaining).toBe(0);
});

test.each([
  ["one byte", "05", 5],
  ["five bytes and more than 32 bits", "ffffffff7f", -1],
  ["ten bytes", "85808080808080808001", 5],
])("32 bits, %s", (_, hex, value) => {
  expect(readVarint32(reader(hex))).toBe(value);
});

test("eleven bytes and bytes that break off are refused", () => {
  for (const read of [readVarint32, readVarint64]) {
    expect(() => read(reader("8080808080808080808000"))).toThrow(WireError);
    expect(() => read(reader("8080"))).toThrow(WireError);
  }
});
